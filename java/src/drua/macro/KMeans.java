// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.WholeFile;
import ij.measure.ResultsTable;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Groups labels with similar measurements: k-means (Lloyd 1982) with start centres chosen far apart (Arthur and
 * Vassilvitskii 2007). The same measurements give the same groups, which are numbered by the first measurement of their
 * centres.
 */
final class KMeans {
    private static final long SEED = 1;
    private static final int MAX_ROUNDS = 1000;

    private KMeans() {}

    /** The group of each label, from 1. Centres are read from the command's file, or written to it for train = true. */
    static float[] classify(Call call, float[][] features) {
        boolean trains = call.flag("train");
        File file = trains ? call.newTextFile("path") : new File(call.text("path")).getAbsoluteFile();
        if (!trains && !file.isFile())
            throw call.error("path", "there is no file " + file + "; find the groups first, with train = true");
        int count = (int) call.integer("number_of_classes");
        double[][] rows = rows(features), centers = trains ? trainCenters(call, rows, count) : read(call, file);
        if (centers.length != count || centers[0].length != features.length)
            throw call.error("path",
                "'" + file + "' has " + centers.length + " classes of " + centers[0].length
                    + " features, but the command asks for " + count + " of " + features.length
                    + "; train it again, or use the numbers of the file");
        if (trains)
            write(call, centers, file);
        float[] classes = new float[rows.length];
        for (int i = 0; i < rows.length; i++)
            classes[i] = nearestCenter(centers, centers.length, rows[i]) + 1;
        return call.integer("neighbor_radius") > 0 ? LabelFeatures.modeOfNeighbours(call, classes) : classes;
    }

    private static double[][] rows(float[][] features) {
        double[][] rows = new double[features[0].length][features.length];
        for (int i = 0; i < rows.length; i++) {
            for (int f = 0; f < features.length; f++)
                rows[i][f] = features[f][i];
        }
        return rows;
    }

    private static double[][] trainCenters(Call call, double[][] all, int count) {
        double[][] rows =
            Arrays.stream(all).filter(row -> !Double.isNaN(Arrays.stream(row).sum())).toArray(double[][] ::new);
        if (rows.length < count)
            throw call.error("number_of_classes",
                "there are " + rows.length + " labels, too few for " + count + " classes; choose fewer classes");
        double[][] centers = chooseFirstCenters(rows, count);
        int[] last = new int[rows.length];
        Arrays.fill(last, -1);
        for (int round = 0; round < MAX_ROUNDS; round++) {
            int[] now = new int[rows.length];
            for (int i = 0; i < rows.length; i++)
                now[i] = nearestCenter(centers, count, rows[i]);
            if (Arrays.equals(now, last))
                break;
            for (int c = 0; c < count; c++)
                move(centers[c], rows, now, c);
            last = now;
        }
        Arrays.sort(centers, Comparator.comparingDouble(center -> center[0]));
        return centers;
    }

    /**
     * Each centre is a row drawn with a probability proportional to its squared distance from the nearest earlier
     * centre.
     */
    private static double[][] chooseFirstCenters(double[][] rows, int count) {
        Random random = new Random(SEED);
        double[][] centers = new double[count][];
        centers[0] = rows[random.nextInt(rows.length)].clone();
        for (int c = 1; c < count; c++) {
            double[] sums = new double[rows.length];
            for (int i = 0; i < rows.length; i++)
                sums[i] = (i > 0 ? sums[i - 1] : 0) + distance(centers[nearestCenter(centers, c, rows[i])], rows[i]);
            double at = random.nextDouble() * sums[rows.length - 1];
            int chosen = 0;
            while (chosen < rows.length - 1 && sums[chosen] <= at)
                chosen++;
            centers[c] = rows[chosen].clone();
        }
        return centers;
    }

    private static void move(double[] center, double[][] rows, int[] classes, int wanted) {
        double[] sum = new double[center.length];
        int number = 0;
        for (int i = 0; i < rows.length; i++) {
            if (classes[i] != wanted)
                continue;
            number++;
            for (int f = 0; f < sum.length; f++)
                sum[f] += rows[i][f];
        }
        for (int f = 0; number > 0 && f < sum.length; f++)
            center[f] = sum[f] / number;
    }

    /** -1 for a row with NaN, as for a label without pixels. */
    private static int nearestCenter(double[][] centers, int count, double[] row) {
        int best = -1;
        double min = Double.MAX_VALUE;
        for (int c = 0; c < count; c++) {
            double distance = distance(centers[c], row);
            if (distance < min) {
                min = distance;
                best = c;
            }
        }
        return best;
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++)
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        return sum;
    }

    /* ---- the table of centres, one row each, in CLIJx's format ---- */

    /** Refuses a table that is cut, and cells without a number. ImageJ reads a missing cell as 0. */
    private static void checkCells(Call call, File file) throws IOException {
        String text = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
        String[] lines = text.split("\\R");
        if (!text.isEmpty() && !text.endsWith("\n"))
            throw call.error("path",
                "'" + file + "' ends in the middle of line " + lines.length + "; add a line end if the file is whole, "
                    + "else copy it again, or find the centres again, with train = true");
        String[] headings = lines[0].split("[,\t]", -1);
        for (int i = 1; i < lines.length; i++) {
            if (!isRow(headings, lines[i].split("[,\t]", -1)))
                throw call.error("path",
                    "line " + (i + 1) + " of '" + file + "' does not have " + headings.length
                        + " numbers; copy the file again, "
                        + "or find the centres again, with train = true");
        }
    }

    /** ImageJ writes row numbers below an empty heading, and text below Label. */
    private static boolean isRow(String[] headings, String[] cells) {
        return cells.length == headings.length
            && IntStream.range(0, cells.length)
                   .allMatch(i -> headings[i].trim().matches("|Label") || isNumber(cells[i]));
    }

    private static boolean isNumber(String cell) {
        try {
            return Math.abs(Double.parseDouble(cell)) <= Double.MAX_VALUE;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static double[][] read(Call call, File file) {
        try {
            checkCells(call, file);
            ResultsTable table = ResultsTable.open(file.getPath());
            String[] headings = Arrays.stream(table.getHeadings()).filter(table::columnExists).toArray(String[] ::new);
            double[][] centers = new double[table.size()][];
            for (int i = 0; i < centers.length; i++) {
                int row = i;
                centers[i] = Arrays.stream(headings).mapToDouble(heading -> table.getValue(heading, row)).toArray();
            }
            if (centers.length == 0 || headings.length == 0)
                throw call.error("path",
                    "'" + file + "' contains no class centres"
                        + "; find them again, with train = true");
            return centers;
        } catch (IOException | IllegalArgumentException e) {
            throw call.error("path",
                "'" + file + "' is not a table of class centres (" + e.getMessage()
                    + "); find the centres again, with train = true");
        }
    }

    private static void write(Call call, double[][] centers, File file) {
        ResultsTable table = new ResultsTable();
        for (double[] center : centers) {
            table.incrementCounter();
            for (int f = 0; f < center.length; f++)
                table.addValue("C" + (f + 1), Double.toString(center[f])); /* as text, which keeps all digits */
        }
        try {
            WholeFile.write(file, part -> table.saveAs(part.getPath()));
        } catch (IOException e) {
            throw call.error("path",
                "'" + file + "' could not be written (" + e.getMessage()
                    + "); check the disk space and the permissions of its folder");
        }
    }
}
