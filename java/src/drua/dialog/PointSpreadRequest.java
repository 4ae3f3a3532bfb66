// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Registry;
import ij.ImagePlus;
import ij.measure.Calibration;
import java.util.Arrays;

/** A requested point spread function: the operation that makes it and its values. */
final class PointSpreadRequest {
    final Registry.Operation operation;
    private final Object[] values;

    /** @param values values of all parameters, with titles for images */
    PointSpreadRequest(Registry.Operation operation, Object[] values) {
        this.operation = operation;
        this.values = values;
    }

    /** The arguments of the call that resamples `psf` to the voxel size of `image`. */
    static Object[] fit(Registry.Operation operation, ImagePlus image, ImagePlus psf) {
        Calibration scale = image.getCalibration(), psfScale = psf.getCalibration();
        Object[] values = operation.parameters.stream().map(p -> p.kind.isOutput() ? null : p.defaultValue).toArray();
        Object[] given = {image.getTitle(), psf.getTitle(), null, scale.pixelWidth, scale.pixelDepth, scale.getUnit(),
            psfScale.pixelWidth, psfScale.pixelDepth, psfScale.getUnit()};
        System.arraycopy(given, 0, values, 0, given.length);
        return values;
    }

    /** Replaces titles with open images. */
    Object[] images() {
        Object[] images = values.clone();
        for (int i = 0; i < images.length; i++)
            images[i] = operation.parameters.get(i).kind.isImage() && values[i] != null
                ? OpenImages.titled((String) values[i])
                : values[i];
        return images;
    }

    /** The first image, or null. */
    ImagePlus source(Object[] images) {
        return Arrays.stream(images)
            .filter(ImagePlus.class ::isInstance)
            .map(ImagePlus.class ::cast)
            .findFirst()
            .orElse(null);
    }

    /** The scale of the new window; null if unknown. */
    Calibration scale(Object[] images) {
        ImagePlus source = source(images);
        Calibration scale = source == null ? new Calibration() : source.getCalibration().copy();
        if (source == null) {
            scale.setUnit("um");
            scale.pixelWidth = scale.pixelHeight = (Double) value("pixel_size");
            scale.pixelDepth = (Double) value("slice_distance");
        }
        return scale.scaled() ? scale : null;
    }

    private Object value(String parameter) {
        return values[operation.parameters.indexOf(operation.parameter(parameter))];
    }

    /** Whether both requests make the same point spread function. */
    boolean isSameAs(PointSpreadRequest other) {
        return other != null && operation == other.operation && Arrays.equals(values, other.values);
    }
}
