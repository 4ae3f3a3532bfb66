// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.roi.labeling.ImgLabeling;

/** Copies between labelings of ImgLib2 and label maps of a device. */
final class Labelings {
    private static final long MOST_LABEL = 0xffffffffL;

    private Labelings() {}

    static boolean isLabeling(Object image) {
        return image instanceof ImgLabeling;
    }

    static Image push(Drua drua, Object image) {
        ImgLabeling<?, ?> labeling = (ImgLabeling<?, ?>) image;
        List<? extends Set<?>> sets = labeling.getMapping().getLabelSets();
        Map<Object, Long> numbers = numbers(sets);
        Part part = ImgLib2.whole(labeling.getIndexImg());
        return drua.pushPlanes("uint32", part.slices("uint32", index -> {
            Set<?> labels = sets.get((int) index);
            if (labels.size() > 1)
                throw new DruaException("push: a pixel of the ImgLabeling has the labels " + labels
                    + ", and a label map has one label for each pixel; push a labeling without overlaps");
            return labels.isEmpty() ? 0 : numbers.get(labels.iterator().next());
        }), null, "ImgLabeling", part.size);
    }

    /**
     * The pixel value of each label: the label itself if all labels are Integer or Long from 1 to 2^32 - 1; otherwise
     * its place, from 1, among the labels sorted as texts.
     */
    private static Map<Object, Long> numbers(List<? extends Set<?>> sets) {
        List<Object> labels = sets.stream()
                                  .flatMap(Set::stream)
                                  .distinct()
                                  .sorted(Comparator.comparing(Object::toString))
                                  .collect(Collectors.toList());
        Map<Object, Long> numbers = new HashMap<>();
        boolean areNumbers = labels.stream().allMatch(Labelings::isNumber);
        for (Object label : labels)
            numbers.put(label, areNumbers ? ((Number) label).longValue() : numbers.size() + 1L);
        return numbers;
    }

    private static boolean isNumber(Object label) {
        return (label instanceof Integer || label instanceof Long) && ((Number) label).longValue() >= 1
            && ((Number) label).longValue() <= MOST_LABEL;
    }

    /** ImgLabeling stores one set per index up to the largest. Ranks as indices keep this list short. */
    static ImgLabeling<?, ?> pull(Drua drua, Image labels) {
        long size = (long) labels.getWidth() * labels.getHeight() * labels.getDepth();
        if (size > Part.MAX_PIXELS)
            throw new DruaException("pullLabeling: a labeling may have at most " + Part.MAX_PIXELS + " pixels, got "
                + labels.getWidth() + " x " + labels.getHeight() + " x " + labels.getDepth()
                + "; crop the image and pull each part");
        Object[] slices = drua.pullArrays(labels);
        boolean isUnsigned = labels.getType().startsWith("u");
        int pixels = Array.getLength(slices[0]);
        int[] indices = new int[(int) size];
        Map<Integer, Integer> ranks = new TreeMap<>();
        for (int i = 0; i < indices.length; i++) {
            indices[i] = label(slices[i / pixels], i % pixels, isUnsigned);
            ranks.put(indices[i], 0);
        }
        List<Set<Integer>> sets = new ArrayList<>(Collections.singleton(Collections.emptySet()));
        for (Map.Entry<Integer, Integer> rank : ranks.entrySet()) {
            if (rank.getKey() > 0) {
                rank.setValue(sets.size());
                sets.add(Collections.singleton(rank.getKey()));
            }
        }
        for (int i = 0; i < indices.length; i++)
            indices[i] = ranks.get(indices[i]);
        return ImgLabeling.fromImageAndLabelSets(ArrayImgs.ints(indices, ImgLib2.size(labels)), sets);
    }

    private static int label(Object slice, int i, boolean isUnsigned) {
        double value = Array.getDouble(slice, i);
        if (isUnsigned && value < 0)
            value += slice instanceof byte[] ? 1 << 8 : slice instanceof short[] ? 1 << 16 : 1L << 32;
        if (!(value >= 0) || value != (int) value)
            throw new DruaException(
                "pullLabeling: labels must be whole numbers from 0 to " + Integer.MAX_VALUE + ", got " + value);
        return (int) value;
    }
}
