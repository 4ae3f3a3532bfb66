// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.DruaException;
import drua.imagej.Selections;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.plugin.frame.RoiManager;
import java.awt.HeadlessException;
import java.util.ArrayList;
import java.util.List;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLImage;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;
import net.haesleinhuepf.clij2.CLIJ2Ops;

/** Methods of CLIJ2Ops for tables and selections of ImageJ. */
public final class Tables {
    private Tables() {}

    /* ---- images to tables */

    public static ResultsTable pullToResultsTable(CLIJ2Ops ops, ClearCLBuffer image, ResultsTable table) {
        return rows(ops, image, table);
    }

    public static ResultsTable pullToResultsTable(CLIJ2Ops ops, ClearCLImage image, ResultsTable table) {
        return rows(ops, image, table);
    }

    public static ResultsTable image2DToResultsTable(CLIJ2Ops ops, ClearCLBuffer image, ResultsTable table) {
        return rows(ops, image, table);
    }

    public static ResultsTable image2DToResultsTable(CLIJ2Ops ops, ClearCLImage image, ResultsTable table) {
        return rows(ops, image, table);
    }

    private static ResultsTable rows(CLIJ2Ops ops, DeviceImage image, ResultsTable table) {
        float[] numbers = plane(ops, "pullToResultsTable", image);
        int width = (int) image.getWidth();
        for (int y = 0; y < image.getHeight(); y++) {
            table.incrementCounter();
            for (int x = 0; x < width; x++)
                table.addValue("X" + x, numbers[y * width + x]);
        }
        return table;
    }

    public static boolean pullToResultsTableColumn(
        CLIJ2Ops ops, ClearCLBuffer image, ResultsTable table, String column, boolean append) {
        float[] numbers = plane(ops, "pullToResultsTableColumn", image);
        int missing = append ? numbers.length : Math.max(0, numbers.length - table.size());
        for (int i = 0; i < missing; i++)
            table.incrementCounter();
        int from = table.size() - numbers.length;
        for (int i = 0; i < numbers.length; i++)
            table.setValue(column, from + i, numbers[i]);
        return true;
    }

    private static float[] plane(CLIJ2Ops ops, String method, DeviceImage image) {
        if (image.getDepth() != 1)
            throw new DruaException(
                method + ": the image must have one slice, got " + image.getDepth() + "; take one by copySlice");
        return ops.getCLIJ().getDrua().pullNumbers(image.image())[0];
    }

    /* ---- tables to images */

    public static boolean pushResultsTable(CLIJ2Ops ops, ClearCLBuffer destination, ResultsTable table) {
        List<Integer> columns = new ArrayList<>();
        for (int x = 0; x <= table.getLastColumn(); x++)
            if (table.columnExists(x))
                columns.add(x);
        if (table.size() == 0 || columns.isEmpty())
            throw new DruaException("pushResultsTable: the table is empty; measure something first");
        float[] numbers = new float[columns.size() * table.size()];
        for (int x = 0; x < columns.size(); x++)
            for (int y = 0; y < table.size(); y++)
                numbers[y * columns.size() + x] = (float) table.getValueAsDouble(columns.get(x), y);
        return write(ops, destination, numbers, columns.size(), table.size());
    }

    public static boolean resultsTableToImage2D(CLIJ2Ops ops, ClearCLBuffer destination, ResultsTable table) {
        return pushResultsTable(ops, destination, table);
    }

    public static boolean pushResultsTableColumn(
        CLIJ2Ops ops, ClearCLBuffer destination, ResultsTable table, String column) {
        float[] numbers = column(table, column);
        return write(ops, destination, numbers, numbers.length, 1);
    }

    public static boolean resultsTableColumnToImage(
        CLIJ2Ops ops, ClearCLBuffer destination, ResultsTable table, String column) {
        return pushResultsTableColumn(ops, destination, table, column);
    }

    /** Replaces each label with its number in the column; the first number is that of the background. */
    public static boolean generateParametricImageFromResultsTableColumn(CLIJ2Ops ops, ClearCLImageInterface labels,
        ClearCLImageInterface destination, ResultsTable table, String column) {
        float[] numbers = column(table, column);
        ClearCLBuffer values = ByHand.pushArray(ops, numbers, numbers.length, 1, 1);
        try {
            return ops.replaceIntensities(labels, values, destination);
        } finally {
            values.close();
        }
    }

    private static boolean write(CLIJ2Ops ops, ClearCLBuffer destination, float[] numbers, int width, int height) {
        ClearCLBuffer pushed = ByHand.pushArray(ops, numbers, width, height, 1);
        try {
            return ops.copy(pushed, destination);
        } finally {
            pushed.close();
        }
    }

    private static float[] column(ResultsTable table, String column) {
        if (!table.columnExists(column))
            throw new DruaException(
                "the table has no column '" + column + "'; it has '" + String.join("', '", table.getHeadings()) + "'");
        return table.getColumn(table.getColumnIndex(column));
    }

    /* ---- selections */

    public static Roi pullAsROI(CLIJ2Ops ops, ClearCLBuffer mask) {
        return Selections.ofMask(ops.getCLIJ().pullBinary(mask).getProcessor());
    }

    private static List<Roi> labels(CLIJ2Ops ops, ClearCLBuffer labels) {
        return Selections.ofLabels(plane(ops, "pullLabelsToROIList", labels), (int) labels.getWidth());
    }

    public static ArrayList<Roi> pullLabelsToROIList(CLIJ2Ops ops, ClearCLBuffer labels) {
        return new ArrayList<>(labels(ops, labels));
    }

    public static boolean pullLabelsToROIList(CLIJ2Ops ops, ClearCLBuffer labels, List<Roi> list) {
        list.addAll(labels(ops, labels));
        return true;
    }

    public static boolean pullLabelsToROIManager(CLIJ2Ops ops, ClearCLBuffer labels, RoiManager manager) {
        for (Roi roi : labels(ops, labels))
            manager.addRoi(roi);
        return true;
    }

    public static boolean pullLabelsToROIManager(CLIJ2Ops ops, ClearCLBuffer labels) {
        RoiManager manager = RoiManager.getInstance();
        try {
            return pullLabelsToROIManager(ops, labels, manager == null ? new RoiManager() : manager);
        } catch (HeadlessException e) {
            throw new DruaException("pullLabelsToROIManager: ImageJ's ROI Manager needs a display; "
                + "use pullLabelsToROIList");
        }
    }
}
