// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.DruaException;
import drua.imagej.Images;
import ij.ImagePlus;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.haesleinhuepf.clij.CLIJ;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLKernel;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.haesleinhuepf.clij2.CLIJ2Ops;

/**
 * Methods of CLIJ2Ops that GenerateClij2 cannot derive from a macro command. Their names and arguments are those of
 * CLIJ2Ops.
 */
public final class ByHand {
    private static final int DEFAULT_BINS = 256;

    private ByHand() {}

    private static CLIJ clij(CLIJ2Ops ops) {
        return ops.getCLIJ();
    }

    private static ClearCLBuffer temporary(CLIJ2Ops ops, ClearCLImageInterface like) {
        return clij(ops).create(like.getDimensions(), NativeTypeEnum.Float);
    }

    /* ---- filters that set a flag if they changed a pixel */

    public static boolean flagged(CLIJ2Ops ops, String name, ClearCLImageInterface source, ClearCLImageInterface flag,
        ClearCLImageInterface destination) {
        Calls.run(ops, name, "CLIJ2_" + name, source, destination);
        ClearCLBuffer changed = temporary(ops, source);
        try {
            Calls.run(ops, name, "CLIJ2_notEqual", source, destination, changed);
            if (Calls.number(name, Calls.run(ops, name, "CLIJ2_getMaximumOfAllPixels", changed, null)) != 0)
                Calls.run(ops, name, "CLIJ2_set", flag, 1);
        } finally {
            changed.close();
        }
        return true;
    }

    public static ClearCLKernel flagged(CLIJ2Ops ops, String name, ClearCLImageInterface source,
        ClearCLImageInterface flag, ClearCLImageInterface destination, ClearCLKernel kernel) {
        flagged(ops, name, source, flag, destination);
        return kernel;
    }

    /* ---- filters over the 8 (box) or 4 (diamond) neighbours; 26 or 6 in stacks */

    private static ClearCLKernel neighbours(
        CLIJ2Ops ops, String filter, String shape, ClearCLImageInterface source, ClearCLImageInterface destination) {
        if (source.getDimension() == 3)
            Calls.run(ops, filter + shape, "CLIJ2_" + filter + "3D" + shape, source, destination, 1, 1, 1);
        else
            Calls.run(ops, filter + shape, "CLIJ2_" + filter + "2D" + shape, source, destination, 1, 1);
        return null;
    }

    public static ClearCLKernel minimumBox(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, ClearCLKernel kernel) {
        return neighbours(ops, "minimum", "Box", source, destination);
    }

    public static ClearCLKernel maximumBox(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, ClearCLKernel kernel) {
        return neighbours(ops, "maximum", "Box", source, destination);
    }

    public static ClearCLKernel minimumDiamond(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, ClearCLKernel kernel) {
        return neighbours(ops, "minimum", "Sphere", source, destination);
    }

    public static ClearCLKernel maximumDiamond(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, ClearCLKernel kernel) {
        return neighbours(ops, "maximum", "Sphere", source, destination);
    }

    /* ---- arguments that are taken from the size of the destination */

    private static boolean cropTo(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, double x, double y, double z) {
        Calls.run(ops, "crop", "CLIJ2_crop3D", source, destination, x, y, z, destination.getWidth(),
            destination.getHeight(), destination.getDepth());
        return true;
    }

    public static boolean crop(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, double x, double y) {
        return cropTo(ops, source, destination, x, y, 0);
    }

    public static boolean crop2D(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, double x, double y) {
        return cropTo(ops, source, destination, x, y, 0);
    }

    public static boolean crop(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, double x, double y, double z) {
        return cropTo(ops, source, destination, x, y, z);
    }

    public static boolean crop3D(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, double x, double y, double z) {
        return cropTo(ops, source, destination, x, y, z);
    }

    public static boolean radialProjection(CLIJ2Ops ops, ClearCLBuffer source, ClearCLBuffer destination, double step) {
        return resliceRadial(ops, source, destination, step);
    }

    public static boolean resliceRadial(CLIJ2Ops ops, ClearCLBuffer source, ClearCLBuffer destination, double step) {
        return resliceRadial(ops, source, destination, step, source.getWidth() / 2.0, source.getHeight() / 2.0);
    }

    public static boolean resliceRadial(
        CLIJ2Ops ops, ClearCLBuffer source, ClearCLBuffer destination, double step, double centerX, double centerY) {
        return resliceRadial(ops, source, destination, step, 0, centerX, centerY, 1, 1);
    }

    public static boolean resliceRadial(CLIJ2Ops ops, ClearCLBuffer source, ClearCLBuffer destination, double step,
        double start, double centerX, double centerY, double scaleX, double scaleY) {
        Calls.run(ops, "resliceRadial", "CLIJ2_resliceRadial", source, destination, destination.getDepth(), step, start,
            centerX, centerY, scaleX, scaleY);
        return true;
    }

    public static boolean nClosestPoints(CLIJ2Ops ops, ClearCLBuffer distances, ClearCLBuffer indices) {
        Calls.run(ops, "nClosestPoints", "CLIJ2_nClosestPoints", distances, indices, indices.getHeight());
        return true;
    }

    public static boolean nClosestPoints(
        CLIJ2Ops ops, ClearCLBuffer distances, ClearCLBuffer indices, boolean ignoreBackground, boolean ignoreSelf) {
        if (!ignoreBackground && !ignoreSelf)
            return nClosestPoints(ops, distances, indices);
        int skipped = ignoreBackground ? 1 : 0;
        long[] size = {distances.getWidth() - skipped, distances.getHeight() - skipped};
        ClearCLBuffer part = clij(ops).create(size, NativeTypeEnum.Float), found = temporary(ops, indices);
        try {
            ops.crop(distances, part, skipped, skipped);
            if (ignoreSelf)
                ops.setWhereXequalsY(part, Float.MAX_VALUE);
            nClosestPoints(ops, part, found);
            ops.addImageAndScalar(found, indices, skipped);
        } finally {
            part.close();
            found.close();
        }
        return true;
    }

    public static boolean nClosestDistances(
        CLIJ2Ops ops, ClearCLBuffer distances, ClearCLBuffer destination, ClearCLBuffer indices) {
        Calls.run(ops, "nClosestDistances", "CLIJ2_nClosestDistances", distances, destination, indices,
            destination.getHeight());
        return true;
    }

    public static boolean fillHistogram(
        CLIJ2Ops ops, ClearCLBuffer source, ClearCLBuffer histogram, double min, double max) {
        return ops.histogram(source, histogram, histogram.getWidth(), min, max, false);
    }

    public static boolean histogram(CLIJ2Ops ops, ClearCLBuffer source, ClearCLBuffer histogram) {
        return ops.histogram(source, histogram, DEFAULT_BINS, 0, 0, true);
    }

    public static ClearCLBuffer histogram(CLIJ2Ops ops, ClearCLBuffer source) {
        ClearCLBuffer histogram = clij(ops).create(new long[] {DEFAULT_BINS, 1, 1}, NativeTypeEnum.Float);
        histogram(ops, source, histogram);
        return histogram;
    }

    public static float[] histogram(CLIJ2Ops ops, ClearCLBuffer source, double min, double max, double bins) {
        ClearCLBuffer histogram = clij(ops).create(new long[] {(long) bins, 1, 1}, NativeTypeEnum.Float);
        try {
            ops.histogram(source, histogram, bins, min, max, false);
            return numbers(ops, histogram)[0];
        } finally {
            histogram.close();
        }
    }

    /* ---- numbers */

    private static float[][] numbers(CLIJ2Ops ops, ClearCLImageInterface image) {
        return clij(ops).getDrua().pullNumbers(((DeviceImage) image).image());
    }

    public static long[] getSize(CLIJ2Ops ops, ClearCLBuffer source) {
        return source.getDimensions();
    }

    public static long[] getDimensions(CLIJ2Ops ops, ClearCLBuffer source) {
        return source.getDimensions();
    }

    public static double[] sumImageSliceBySlice(CLIJ2Ops ops, ClearCLImageInterface source) {
        ClearCLBuffer sums = clij(ops).create(new long[] {source.getDepth(), 1, 1}, NativeTypeEnum.Float);
        try {
            ops.sumImageSliceBySlice(source, sums);
            float[] numbers = numbers(ops, sums)[0];
            double[] result = new double[numbers.length];
            for (int z = 0; z < result.length; z++)
                result[z] = numbers[z];
            return result;
        } finally {
            sums.close();
        }
    }

    public static double[] sumPixelsSliceByslice(CLIJ2Ops ops, ClearCLImageInterface source) {
        return sumImageSliceBySlice(ops, source);
    }

    public static double[] sumPixelsSliceBySlice(CLIJ2Ops ops, ClearCLImageInterface source) {
        return sumImageSliceBySlice(ops, source);
    }

    public static boolean matrixEqual(CLIJ2Ops ops, ClearCLBuffer matrix1, ClearCLBuffer matrix2, double tolerance) {
        return Calls.number(
                   "matrixEqual", Calls.run(ops, "matrixEqual", "CLIJ2_matrixEqual", matrix1, matrix2, tolerance))
            != 0;
    }

    public static double[] statisticsOfLabelledPixels(
        CLIJ2Ops ops, ClearCLBuffer image, ClearCLBuffer labels, double label) {
        return statisticsOfLabelledPixels(ops, image, labels, label, label)[0];
    }

    /** The rows of the labels from `first` to `last`; label 0 is the background. */
    public static double[][] statisticsOfLabelledPixels(
        CLIJ2Ops ops, ClearCLBuffer image, ClearCLBuffer labels, double first, double last) {
        double[][] all = ops.statisticsOfBackgroundAndLabelledPixels(image, labels);
        if (!(first >= 0) || first > last || last >= all.length)
            throw new DruaException("statisticsOfLabelledPixels: labels must lie between 0 and the largest label, "
                + (all.length - 1) + ", got " + (long) first + " to " + (long) last);
        return java.util.Arrays.copyOfRange(all, (int) first, (int) last + 1);
    }

    public static double[][] statisticsOfLabelledPixels_single_threaded(
        CLIJ2Ops ops, ClearCLBuffer image, ClearCLBuffer labels, double first, double last) {
        return statisticsOfLabelledPixels(ops, image, labels, first, last);
    }

    /* ---- arrays and texts */

    public static boolean pushArray(CLIJ2Ops ops, ClearCLBuffer destination, Object array) {
        float[] numbers = Arrays3D.flat("pushArray", array);
        if (numbers.length != destination.getVolume())
            throw new DruaException("pushArray: the destination has " + destination.getVolume()
                + " pixels, but the array has " + numbers.length + " numbers");
        long[] size = destination.getDimensions();
        ClearCLBuffer pushed = pushArray(ops, numbers, size[0], size[1], destination.getDepth());
        try {
            return ops.copy(pushed, destination);
        } finally {
            pushed.close();
        }
    }

    public static ClearCLBuffer pushArray(CLIJ2Ops ops, float[] numbers, double width, double height, double depth) {
        int plane = (int) (width * height), slices = (int) depth;
        if (plane < 1 || slices < 1 || numbers.length != (long) plane * slices)
            throw new DruaException("pushArray: an image of " + (long) width + " x " + (long) height + " x "
                + (long) depth + " pixels needs as many numbers, got " + numbers.length);
        Object[] parts = new Object[slices];
        for (int z = 0; z < slices; z++)
            parts[z] = java.util.Arrays.copyOfRange(numbers, z * plane, (z + 1) * plane);
        return new ClearCLBuffer(
            clij(ops).getDrua(), clij(ops).getDrua().pushArrays("float32", parts, (long) width, (long) height, slices));
    }

    public static ClearCLBuffer pushString(CLIJ2Ops ops, String text) {
        return Calls.image(ops, Calls.run(ops, "pushString", "CLIJx_pushString", null, text));
    }

    public static boolean multiplyImageStackWithScalars(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, ClearCLBuffer scalars) {
        return ops.multiplyImageStackWithScalars(source, destination, Arrays3D.flat("", numbers(ops, scalars)));
    }

    /** @param images variable names in the code, each mapped to its image */
    public static boolean customOperation(CLIJ2Ops ops, String code, String globalCode, HashMap<?, ?> images) {
        List<Object> named = new ArrayList<>();
        for (Map.Entry<?, ?> entry : images.entrySet()) {
            if (!(entry.getValue() instanceof DeviceImage))
                throw new DruaException(
                    "customOperation: " + entry.getKey() + " must be a ClearCLBuffer, got " + entry.getValue());
            named.add(String.valueOf(entry.getKey()));
            named.add(((DeviceImage) entry.getValue()).image());
        }
        Calls.run(ops, "customOperation", "CLIJ2_customOperation", code, globalCode, named.toArray());
        return true;
    }

    public static boolean print(CLIJ2Ops ops, ClearCLImageInterface image) {
        System.out.println(ops.pullString(image));
        return true;
    }

    public static boolean saveAsTIF(CLIJ2Ops ops, ClearCLBuffer image, String path) {
        ImagePlus pulled = clij(ops).pull(image);
        try {
            Images.saveAsTiff(pulled, new File(path));
        } catch (IOException e) {
            throw new DruaException("saveAsTIF: cannot write " + path + ": " + e.getMessage());
        }
        return true;
    }

    /* ---- other additions to a command */

    public static boolean setRandom(CLIJ2Ops ops, ClearCLBuffer image, double min, double max) {
        return ops.setRandom(image, min, max, System.currentTimeMillis() & 0xffff);
    }

    public static boolean touchMatrixToAdjacencyMatrix(
        CLIJ2Ops ops, ClearCLBuffer touching, ClearCLBuffer adjacency, boolean oneOnDiagonal) {
        ops.touchMatrixToAdjacencyMatrix(touching, adjacency);
        return !oneOnDiagonal || ops.setWhereXequalsY(adjacency, 1);
    }

    /** The median of the pixels of each column whose mask is not 0; 0 for a column without such pixels. */
    public static boolean medianZProjectionMasked(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface mask, ClearCLImageInterface destination) {
        /* the command leaves out pixels that are 0, so the values are moved above 0 and back */
        double moved = Math.max(0, 1 - ops.minimumOfAllPixels(source));
        ClearCLBuffer values = temporary(ops, source), masked = temporary(ops, source);
        ClearCLBuffer median = temporary(ops, destination), any = temporary(ops, destination);
        try {
            ops.addImageAndScalar(source, values, moved);
            ops.mask(values, mask, masked);
            Calls.run(ops, "medianZProjectionMasked", "CLIJ2_medianZProjectionMasked", masked, median);
            ops.greaterConstant(median, any, 0);
            ops.addImageAndScalar(median, median, -moved);
            return ops.mask(median, any, destination);
        } finally {
            values.close();
            masked.close();
            median.close();
            any.close();
        }
    }
}
