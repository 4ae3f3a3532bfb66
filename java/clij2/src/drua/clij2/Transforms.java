// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.DruaException;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLImage;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;
import net.haesleinhuepf.clij2.CLIJ2Ops;
import net.imglib2.realtransform.AffineTransform2D;
import net.imglib2.realtransform.AffineTransform3D;

/** Methods of CLIJ2Ops that take a matrix, which maps positions in the destination to positions in the source. */
public final class Transforms {
    private Transforms() {}

    public static boolean affineTransform2D(
        CLIJ2Ops ops, ClearCLBuffer source, ClearCLImageInterface destination, AffineTransform2D transform) {
        return applyMatrix(ops, source, destination, transform.getRowPackedCopy());
    }

    public static boolean affineTransform2D(
        CLIJ2Ops ops, ClearCLImage source, ClearCLImageInterface destination, AffineTransform2D transform) {
        return applyMatrix(ops, source, destination, transform.getRowPackedCopy());
    }

    public static boolean affineTransform3D(
        CLIJ2Ops ops, ClearCLBuffer source, ClearCLImageInterface destination, AffineTransform3D transform) {
        return applyMatrix(ops, source, destination, transform.getRowPackedCopy());
    }

    public static boolean affineTransform3D(
        CLIJ2Ops ops, ClearCLImage source, ClearCLImageInterface destination, AffineTransform3D transform) {
        return applyMatrix(ops, source, destination, transform.getRowPackedCopy());
    }

    public static boolean affineTransform2D(
        CLIJ2Ops ops, ClearCLBuffer source, ClearCLImageInterface destination, float[] matrix) {
        return applyMatrix(ops, source, destination, doubles(matrix, 6));
    }

    public static boolean affineTransform2D(
        CLIJ2Ops ops, ClearCLImage source, ClearCLImageInterface destination, float[] matrix) {
        return applyMatrix(ops, source, destination, doubles(matrix, 6));
    }

    public static boolean affineTransform3D(
        CLIJ2Ops ops, ClearCLBuffer source, ClearCLImageInterface destination, float[] matrix) {
        return applyMatrix(ops, source, destination, doubles(matrix, 12));
    }

    public static boolean affineTransform3D(
        CLIJ2Ops ops, ClearCLImage source, ClearCLImageInterface destination, float[] matrix) {
        return applyMatrix(ops, source, destination, doubles(matrix, 12));
    }

    public static boolean affineTransform(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, AffineTransform3D transform) {
        return applyMatrix(ops, source, destination, transform.getRowPackedCopy());
    }

    public static boolean affineTransform(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, float[] matrix) {
        return applyMatrix(ops, source, destination, doubles(matrix, 12));
    }

    private static double[] doubles(float[] matrix, int count) {
        if (matrix == null || matrix.length < count)
            throw new DruaException("affineTransform: the matrix must have at least " + count
                + " numbers, row by row, got " + (matrix == null ? 0 : matrix.length));
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++)
            numbers[i] = matrix[i];
        return numbers;
    }

    private static boolean applyMatrix(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, double[] matrix) {
        StringBuilder text = new StringBuilder("matrix=");
        for (int i = 0; i < matrix.length; i++)
            text.append(i == 0 ? "" : ",").append(matrix[i]);
        Calls.run(ops, "affineTransform", "Drua_affineTransform", source, destination, text.toString(), false);
        return true;
    }
}
