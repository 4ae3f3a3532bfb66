// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.DruaException;
import ij.measure.ResultsTable;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij2.CLIJ2Ops;
import net.haesleinhuepf.clijx.weka.CLIJxWeka2;

/** Methods of CLIJxOps for random forests, which Drua keeps in files. */
public final class Weka {
    private static final int TREES = 200, FEATURES_PER_SPLIT = 2, DEPTH = 0;

    private Weka() {}

    public static CLIJxWeka2 trainWekaModel(CLIJ2Ops ops, ClearCLBuffer features, ClearCLBuffer truth, String path) {
        return trainWekaModelWithOptions(ops, features, truth, path, TREES, FEATURES_PER_SPLIT, DEPTH);
    }

    public static CLIJxWeka2 trainWekaModelWithOptions(CLIJ2Ops ops, ClearCLBuffer features, ClearCLBuffer truth,
        String path, double trees, double featuresPerSplit, double depth) {
        Calls.run(ops, "trainWekaModel", "CLIJx_trainWekaModelWithOptions", features, truth, path, trees,
            featuresPerSplit, depth);
        return new CLIJxWeka2(ops, path);
    }

    public static CLIJxWeka2 applyWekaModel(CLIJ2Ops ops, ClearCLBuffer features, ClearCLBuffer classes, String path) {
        Calls.run(ops, "applyWekaModel", "CLIJx_applyWekaModel", features, classes, path);
        return new CLIJxWeka2(ops, path);
    }

    public static boolean applyWekaModel(
        CLIJ2Ops ops, ClearCLBuffer features, ClearCLBuffer classes, CLIJxWeka2 forest) {
        applyWekaModel(ops, features, classes, forest.getPath());
        return true;
    }

    /** Trains on the rows of a table whose class is not 0. The other columns are the features. */
    public static CLIJxWeka2 trainWekaFromTable(CLIJ2Ops ops, ResultsTable table, String truth, String path,
        double trees, double featuresPerSplit, double depth) {
        try (Stack features = new Stack(ops, table, truth);
             Stack classes = new Stack(ops, table, new String[] {truth})) {
            return trainWekaModelWithOptions(ops, features.image, classes.image, path, trees, featuresPerSplit, depth);
        }
    }

    /** Same, with the forest in a temporary file. */
    public static CLIJxWeka2 trainWekaFromTable(
        CLIJ2Ops ops, ResultsTable table, String truth, double trees, double featuresPerSplit, double depth) {
        try {
            File file = File.createTempFile("forest", ".model");
            file.deleteOnExit();
            return trainWekaFromTable(ops, table, truth, file.getPath(), trees, featuresPerSplit, depth);
        } catch (IOException e) {
            throw new DruaException("trainWekaFromTable: cannot write a temporary file: " + e.getMessage());
        }
    }

    /** Writes the class of each row to a column of the table. */
    public static CLIJxWeka2 applyWekaToTable(CLIJ2Ops ops, ResultsTable table, String prediction, String path) {
        ClearCLBuffer classes = ops.getCLIJ2().create(table.size(), 1);
        try (Stack features = new Stack(ops, table, prediction)) {
            applyWekaModel(ops, features.image, classes, path);
            float[] numbers = ops.getCLIJ().getDrua().pullNumbers(classes.image())[0];
            for (int row = 0; row < numbers.length; row++)
                table.setValue(prediction, row, numbers[row]);
        } finally {
            classes.close();
        }
        return new CLIJxWeka2(ops, path);
    }

    public static CLIJxWeka2 applyWekaToTable(CLIJ2Ops ops, ResultsTable table, String prediction, CLIJxWeka2 forest) {
        return applyWekaToTable(ops, table, prediction, forest.getPath());
    }

    /** Columns of a table as an image: a pixel for each row, a slice for each column. */
    private static final class Stack implements AutoCloseable {
        final ClearCLBuffer image;

        /** All columns except one, in the order of their headings. */
        Stack(CLIJ2Ops ops, ResultsTable table, String but) {
            this(ops, table,
                Arrays.stream(table.getHeadings())
                    .filter(heading -> table.columnExists(heading) && !heading.equals(but))
                    .sorted()
                    .toArray(String[] ::new));
        }

        Stack(CLIJ2Ops ops, ResultsTable table, String[] columns) {
            if (table.size() == 0 || columns.length == 0)
                throw new DruaException("the table has no rows or no columns of features; measure the features first");
            Object[] slices = new Object[columns.length];
            for (int z = 0; z < slices.length; z++) {
                if (!table.columnExists(columns[z]))
                    throw new DruaException("the table has no column '" + columns[z] + "'");
                slices[z] = numbers(table, table.getColumnIndex(columns[z]));
            }
            image = new ClearCLBuffer(ops.getCLIJ().getDrua(),
                ops.getCLIJ().getDrua().pushArrays("float32", slices, table.size(), 1, slices.length));
        }

        private static float[] numbers(ResultsTable table, int column) {
            float[] numbers = new float[table.size()];
            for (int row = 0; row < numbers.length; row++)
                numbers[row] = (float) table.getValueAsDouble(column, row);
            return numbers;
        }

        @Override
        public void close() {
            image.close();
        }
    }
}
