// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import ij.measure.ResultsTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures labels by feature name: columns of the table of statistics, numbers of neighbours and distances to them. */
final class LabelFeatures {
    private static final List<String> STATISTICS = Arrays.asList((
        "bounding_box_depth bounding_box_width bounding_box_height centroid_x centroid_y "
        + "centroid_z mass_center_x mass_center_y mass_center_z max_distance_to_centroid max_distance_to_mass_center "
        + "mean_distance_to_centroid "
        + "mean_distance_to_mass_center max_mean_distance_to_centroid_ratio max_mean_distance_to_mass_center_ratio "
        + "maximum_intensity mean_intensity "
        + "minimum_intensity sum_intensity standard_deviation_intensity pixel_count")
                                                                     .split(" "));
    private static final List<String> NEIGHBOURS = Arrays.asList("average_touch_pixel_count",
        "average_distance_n_closest_neighbors", "average_distance_of_touching_neighbors", "count_touching_neighbors");
    private static final List<String> LOCAL = Arrays.asList("maximum", "minimum", "mean", "standard_deviation");

    private final Call call;
    private final long image, labels;
    private final Map<String, Long> made = new LinkedHashMap<>();
    private ResultsTable statistics;

    private LabelFeatures(Call call, long image, long labels) {
        this.call = call;
        this.image = image;
        this.labels = labels;
    }

    /**
     * The values of each feature for labels 1 and up, from the parameters "source", "labels" and "features" of a
     * command.
     */
    static float[][] of(Call call) {
        LabelFeatures features = new LabelFeatures(call, call.image("source"), call.image("labels"));
        if ((Double) Invocation.run(
                call.context(), operation("maximum_of_all_pixels"), new Object[] {features.labels, null})[0]
            < 1)
            throw call.error("labels",
                "'" + call.text("labels") + "' contains no labels, because all its pixels are 0"
                    + "; label objects first");
        String[] words = call.text("features").trim().toLowerCase(Locale.ROOT).split("\\s+");
        float[][] all = new float[words.length][];
        try {
            for (int i = 0; i < words.length; i++)
                all[i] = features.measure(words[i]);
        } finally {
            features.release();
        }
        return all;
    }

    /**
     * Same as of(), followed by the maximum, minimum, mean and standard deviation of each feature among labels with
     * nearby centroids. The command sets a radius for each statistic; a radius of 0 omits it.
     */
    static float[][] withRegions(Call call) {
        List<float[]> all = new ArrayList<>(Arrays.asList(of(call)));
        LabelFeatures near = new LabelFeatures(call, 0, call.image("labels"));
        try {
            for (float[] feature : all.toArray(new float[0][])) {
                for (String kind : LOCAL) {
                    long radius = call.integer("radius_of_" + kind);
                    if (radius > 0)
                        all.add(near.statisticOfNeighbours(feature, kind,
                            near.findOrMake("near " + radius, "generate_proximal_neighbors_matrix", near.distances(),
                                null, 0, radius)));
                }
            }
        } finally {
            near.release();
        }
        return all.toArray(new float[0][]);
    }

    /**
     * The most frequent class among the neighbours of each label. A label without neighbours keeps its class. The
     * command's neighbor_radius is the largest number of steps from neighbour to neighbour.
     */
    static float[] modeOfNeighbours(Call call, float[] classes) {
        LabelFeatures near = new LabelFeatures(call, 0, call.image("labels"));
        try {
            long touches = near.touches();
            for (long step = 1; step < call.integer("neighbor_radius"); step++)
                touches = near.findOrMake("step " + step, "neighbors_of_neighbors", touches);
            float[] found = near.statisticOfNeighbours(classes, "mode", touches);
            for (int i = 0; i < found.length; i++)
                found[i] = found[i] > 0 ? found[i] : classes[i];
            return found;
        } finally {
            near.release();
        }
    }

    /** For each label, a statistic of the values of its neighbours, without the background. */
    private float[] statisticOfNeighbours(float[] numbers, String kind, long matrix) {
        float[] all = new float[numbers.length + 1];
        System.arraycopy(numbers, 0, all, 1, numbers.length);
        long vector = Images.push(call.context(), all.length, 1, 1, 3, Images.FLOAT32, z -> all, 0), found = 0,
             alone = 0;
        try {
            alone = invoke("copy", matrix);
            Invocation.run(call.context(), operation("set_column"), new Object[] {alone, 0, 0});
            found = invoke(kind + "_of_touching_neighbors", vector, alone);
            return withoutBackground(found);
        } finally {
            for (long image : new long[] {vector, alone, found}) {
                if (image != 0)
                    Native.release(call.context(), image);
            }
        }
    }

    private float[] withoutBackground(long vector) {
        float[] all = Images.pullNumbers(call.context(), vector)[0];
        return Arrays.copyOfRange(all, 1, all.length);
    }

    private void release() {
        made.values().forEach(handle -> Native.release(call.context(), handle));
    }

    private float[] measure(String word) {
        String name = word.replaceFirst("=.*", ""),
               number = word.contains("=") ? word.substring(name.length() + 1) : "1";
        if (STATISTICS.contains(name))
            return column(name.toUpperCase(Locale.ROOT));
        String local = LOCAL.stream().filter(kind -> name.startsWith("local_" + kind + "_")).findFirst().orElse("");
        String what = local.isEmpty() ? name : name.substring(("local_" + local + "_").length());
        if (!NEIGHBOURS.contains(what) || !number.matches("\\d{1,6}"))
            throw call.error("features",
                "there is no feature '" + word + "'; there are " + String.join(", ", STATISTICS) + ", "
                    + String.join(", ", NEIGHBOURS)
                    + "; the last four also with local_maximum_, local_minimum_, local_mean_ or "
                    + "local_standard_deviation_ before the name");
        long vector = ofNeighbours(what, Integer.parseInt(number));
        if (!local.isEmpty())
            vector = findOrMake(word, local + "_of_touching_neighbors", vector, touches());
        return withoutBackground(vector);
    }

    private float[] column(String heading) {
        if (statistics == null)
            statistics = (ResultsTable) Invocation.run(
                call.context(), operation("statistics_of_labelled_pixels"), new Object[] {image, labels, null})[0];
        return TableCommands.column(statistics, heading);
    }

    private long ofNeighbours(String what, int number) {
        switch (what) {
        case "count_touching_neighbors":
            return findOrMake(what, what, touches());
        case "average_distance_of_touching_neighbors":
            return findOrMake(what, what, distances(), touches());
        case "average_distance_n_closest_neighbors":
            return findOrMake(what + number, "average_distance_of_n_closest_points", distances(), null, number);
        default:
            long counts = findOrMake("counts", "generate_touch_count_matrix", labels),
                 sums = findOrMake("sums", "sum_y_projection", counts);
            return findOrMake(what, "divide_images", ofNeighbours("count_touching_neighbors", 0), sums);
        }
    }

    private long touches() {
        return findOrMake("touches", "generate_touch_matrix", labels);
    }

    private long distances() {
        long points = findOrMake("points", "centroids_of_labels", labels);
        return findOrMake("distances", "generate_distance_matrix", points, points);
    }

    /** The image of that name. If it does not exist, the operation makes it. */
    private long findOrMake(String name, String operation, Object... arguments) {
        Long known = made.get(name);
        if (known == null)
            made.put(name, known = invoke(operation, arguments));
        return known;
    }

    private long invoke(String operation, Object... arguments) {
        Registry.Operation found = operation(operation);
        return (Long) Invocation.run(call.context(), found, Arrays.copyOf(arguments, found.parameters.size()))[0];
    }

    private static Registry.Operation operation(String name) {
        return Registry.get().operations.get(name);
    }
}
