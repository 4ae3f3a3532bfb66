// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.ResultsWindow;
import ij.measure.ResultsTable;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Random forests that classify pixels, labels and table rows; see {@link HostCommands}. The device evaluates the trees.
 */
final class ClassifierCommands {
    private ClassifierCommands() {}

    /* ---- pixels ---- */

    public static void trainWekaModel(Call call) {
        trainClassifier(call, call.image("features"), call.newTextFile("path"));
    }

    public static void applyWekaModel(Call call) {
        apply(call, read(call, call.path("path")), "random_forest_classes", call.image("features"));
    }

    public static void generateWekaProbabilityMaps(Call call) {
        apply(call, read(call, call.path("path")), "random_forest_probabilities", call.image("features"));
    }

    /** Class 1 of two classes is the background. */
    public static void binaryWekaPixelClassifier(Call call) {
        RandomForest forest = read(call, call.path("path"));
        long stack = features(call, call.image("source")), classes = 0;
        try {
            classes = run(call, forest, "random_forest_classes", stack, 0);
            long found = classes;
            call.put(call.destination("destination"),
                old -> runOperation(call, "add_image_and_scalar", found, old == 0 ? null : old, -1));
        } finally {
            release(call, stack, classes);
        }
    }

    public static void trainAutoContextWekaModel(Call call) {
        withContext(call, (stack, file, last) -> trainClassifier(call, stack, file));
    }

    public static void applyAutoContextWekaModel(Call call) {
        withContext(call, (stack, file, last) -> {
            if (last)
                apply(call, read(call, file.getPath()), "random_forest_classes", stack);
        });
    }

    private interface Step {
        void run(long stack, File file, boolean last);
    }

    /**
     * In each round, the class probabilities of the previous round and filtered versions of them are added to the
     * features.
     */
    private static void withContext(Call call, Step step) {
        long stack = features(call, call.image("source")), maps = 0;
        try {
            for (long round = 0; round <= call.integer("iterations"); round++) {
                File file = call.newFile(call.path("path") + "." + round + ".model");
                step.run(stack, file, round == call.integer("iterations"));
                if (round == call.integer("iterations"))
                    break;
                maps = run(call, read(call, file.getPath()), "random_forest_probabilities", stack, 0);
                for (long z = 0; z < Native.info(call.context(), maps)[2]; z++) {
                    long map = runOperation(call, "copy_slice", maps, null, z), more = features(call, map),
                         longer = runOperation(call, "concatenate_stacks", stack, more, null);
                    release(call, map, more, stack);
                    stack = longer;
                }
                release(call, maps);
                maps = 0;
            }
        } finally {
            release(call, stack, maps);
        }
    }

    private static long features(Call call, long image) {
        return runOperation(call, "generate_feature_stack", image, null, call.text("features"));
    }

    private static void trainClassifier(Call call, long stack, File file) {
        float[][] planes = Images.pullNumbers(call.context(), stack);
        float[] truth = Images.pullNumbers(call.context(), call.plane("ground_truth"))[0];
        if (truth.length != planes[0].length)
            throw call.error("ground_truth",
                "it has " + truth.length + " pixels, but the features have " + planes[0].length
                    + "; both must have the same number of pixels");
        write(call, trainClassifier(call, "ground_truth", planes, truth), file);
    }

    /** Trains on the samples that have a class; 0 means no class. */
    private static RandomForest trainClassifier(Call call, String parameter, float[][] features, float[] truth) {
        int[] known = IntStream.range(0, truth.length).filter(i -> truth[i] >= 1).toArray();
        int count = Arrays.stream(known).map(i -> (int) truth[i]).max().orElse(0);
        if (count < 1 || count > 1000)
            throw call.error(parameter,
                "it must contain class numbers from 1 to 1000, got " + (count < 1 ? "none" : String.valueOf(count)));
        float[][] values = new float[features.length][known.length];
        for (int f = 0; f < features.length; f++) {
            for (int i = 0; i < known.length; i++)
                values[f][i] = features[f][known[i]];
        }
        int[] classes = Arrays.stream(known).map(i -> (int) truth[i] - 1).toArray();
        return ForestTraining.train(values, classes, count, (int) call.integer("trees"),
            (int) call.integer("features_per_split"), (int) call.integer("depth"));
    }

    private static void apply(Call call, RandomForest forest, String operation, long stack) {
        call.put(call.destination("destination"), old -> run(call, forest, operation, stack, old));
    }

    private static long run(Call call, RandomForest forest, String operation, long stack, long old) {
        long features = Native.info(call.context(), stack)[2];
        if (forest.features > 0 && forest.features != features)
            throw call.error("path",
                "the model was trained with " + forest.features + " features, but there are " + features
                    + " now; they must be the same");
        long pushed = forest.push(call.context());
        try {
            return runOperation(call, operation, stack, pushed, old == 0 ? null : old, forest.trees);
        } finally {
            release(call, pushed);
        }
    }

    /* ---- rows of tables ---- */

    public static void trainWekaFromTable(Call call) {
        ResultsTable table = TableCommands.filledTable(call);
        String truth = call.text("ground_truth_column");
        TableCommands.checkColumn(call, "ground_truth_column", table, truth);
        float[][] columns = columns(call, table, truth);
        write(call, trainClassifier(call, "ground_truth_column", columns, TableCommands.column(table, truth)),
            call.newTextFile("path"));
    }

    public static void applyWekaToTable(Call call) {
        ResultsTable table = TableCommands.filledTable(call);
        String column = call.text("prediction_column");
        float[] classes = classify(call, read(call, call.path("path")), columns(call, table, column));
        TableCommands.setColumn(table, column, 0, classes);
        ResultsWindow.showAnew(table);
    }

    /** All columns except `but`, in the order of their headings. */
    private static float[][] columns(Call call, ResultsTable table, String but) {
        String[] headings = Arrays.stream(table.getHeadings())
                                .filter(heading -> table.columnExists(heading) && !heading.equals(but))
                                .sorted()
                                .toArray(String[] ::new);
        if (headings.length == 0)
            throw call.error("the Results table has no feature columns; measure the features first");
        return Arrays.stream(headings).map(heading -> TableCommands.column(table, heading)).toArray(float[][] ::new);
    }

    /** The class of each row. */
    private static float[] classify(Call call, RandomForest forest, float[][] columns) {
        long stack = Images.push(
                 call.context(), columns[0].length, 1, columns.length, 3, Images.FLOAT32, z -> columns[z], 0),
             classes = 0;
        try {
            classes = run(call, forest, "random_forest_classes", stack, 0);
            return Images.pullNumbers(call.context(), classes)[0];
        } finally {
            release(call, stack, classes);
        }
    }

    /* ---- labels ---- */

    public static void generateLabelFeatureImage(Call call) {
        float[][] columns = LabelFeatures.of(call);
        int width = columns.length, height = columns[0].length;
        float[] pixels = new float[width * height];
        for (int i = 0; i < pixels.length; i++)
            pixels[i] = columns[i % width][i / width];
        call.put(call.destination("destination"),
            old -> Images.push(call.context(), width, height, 1, 2, Images.FLOAT32, z -> pixels, old));
    }

    public static void wekaLabelClassifier(Call call) {
        classifyLabels(call, LabelFeatures.of(call));
    }

    public static void wekaRegionalLabelClassifier(Call call) {
        classifyLabels(call, LabelFeatures.withRegions(call));
    }

    /** Columns are ordered by heading: "X0", "X1", "X10", ... Models are trained on a table with these headings. */
    private static void classifyLabels(Call call, float[][] columns) {
        float[][] sorted = IntStream.range(0, columns.length)
                               .boxed()
                               .sorted((a, b) -> ("X" + a).compareTo("X" + b))
                               .map(i -> columns[i])
                               .toArray(float[][] ::new);
        paint(call, classify(call, read(call, call.path("path")), sorted));
    }

    private static void paint(Call call, float[] classes) {
        float[] all = new float[classes.length + 1];
        System.arraycopy(classes, 0, all, 1, classes.length);
        TableCommands.paint(call, call.image("labels"), all);
    }

    public static void kMeansLabelClusterer(Call call) {
        paint(call, KMeans.classify(call, LabelFeatures.of(call)));
    }

    /* ---- files and images ---- */

    private static RandomForest read(Call call, String path) {
        File file = new File(path).getAbsoluteFile();
        if (!file.isFile())
            throw call.error("path", "there is no file " + file + "; train a model first");
        try {
            return ForestFile.read(file);
        } catch (IOException e) {
            throw call.error("path", "'" + file + "' cannot be used (" + e.getMessage() + "); train the model again");
        }
    }

    private static void write(Call call, RandomForest forest, File file) {
        try {
            ForestFile.write(forest, file);
        } catch (IOException e) {
            throw call.error("path",
                "'" + file + "' could not be written (" + e.getMessage()
                    + "); check the disk space and the permissions of its folder");
        }
    }

    /** The image that an operation makes from its arguments. Trailing arguments may be omitted. */
    private static long runOperation(Call call, String operation, Object... arguments) {
        Registry.Operation found = Registry.get().operations.get(operation);
        return (Long) Invocation.run(call.context(), found, Arrays.copyOf(arguments, found.parameters.size()))[0];
    }

    private static void release(Call call, long... images) {
        for (long image : images) {
            if (image != 0)
                Native.release(call.context(), image);
        }
    }
}
