// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.roi.labeling;

import java.util.List;
import java.util.Set;
import net.imglib2.RandomAccessibleInterval;

/** Works as far as tests need it, because no test has the jar imglib2-roi. */
public final class ImgLabeling<T, I> {
    private final RandomAccessibleInterval<I> indices;
    private final LabelingMapping<T> mapping;

    private ImgLabeling(RandomAccessibleInterval<I> indices, LabelingMapping<T> mapping) {
        this.indices = indices;
        this.mapping = mapping;
    }

    public static <T, I> ImgLabeling<T, I> fromImageAndLabelSets(
        RandomAccessibleInterval<I> indices, List<Set<T>> sets) {
        return new ImgLabeling<>(indices, new LabelingMapping<>(sets));
    }

    public RandomAccessibleInterval<I> getIndexImg() {
        return indices;
    }

    public LabelingMapping<T> getMapping() {
        return mapping;
    }
}
