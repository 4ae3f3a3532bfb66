// SPDX-License-Identifier: BSD-3-Clause
package drua.scijava;

import org.scijava.convert.AbstractConverter;
import org.scijava.convert.ConversionRequest;

/** Converts between images of two kinds, so that scripts may declare either kind as a parameter. */
abstract class ImageConverter<I, O> extends AbstractConverter<I, O> {
    private final Class<I> from;
    private final Class<O> to;

    ImageConverter(Class<I> from, Class<O> to) {
        this.from = from;
        this.to = to;
    }

    abstract O converted(I image);

    @Override
    public boolean supports(ConversionRequest request) {
        return request.sourceObject() == null || from.isInstance(request.sourceObject()) ? super.supports(request)
                                                                                         : false;
    }

    @Override
    public <T> T convert(Object image, Class<T> type) {
        return type.cast(converted(from.cast(image)));
    }

    @Override
    public Class<O> getOutputType() {
        return to;
    }

    @Override
    public Class<I> getInputType() {
        return from;
    }
}
