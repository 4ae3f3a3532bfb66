// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.roi.labeling;

import java.util.List;
import java.util.Set;

public class LabelingMapping<T> {
    private final List<Set<T>> sets;

    LabelingMapping(List<Set<T>> sets) {
        this.sets = sets;
    }

    public List<Set<T>> getLabelSets() {
        return sets;
    }
}
