// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.DruaException;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.io.File;
import java.util.function.Consumer;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.haesleinhuepf.clij2.CLIJ2Ops;

/** Methods of CLIJxOps that GenerateClij2 cannot derive from a macro command. */
public final class OfClijx {
    private static long watch;

    private OfClijx() {}

    /** Writes the text and the time since the previous call to the Log. */
    public static synchronized boolean stopWatch(CLIJ2Ops ops, String text) {
        ops.getCLIJ().getDrua().sync();
        long now = System.nanoTime();
        IJ.log(text + (watch == 0 ? "" : " " + (now - watch) / 1000000 + " ms"));
        watch = now;
        return true;
    }

    /**
     * Moves an image so that the middle of its bright pixels, those above the Default threshold, moves to a place. An
     * image without bright pixels is not moved.
     */
    public static boolean translationRegistration(
        CLIJ2Ops ops, ClearCLBuffer source, ClearCLBuffer destination, double[] center) {
        ClearCLBuffer mask = ops.getCLIJ().create(source.getDimensions(), NativeTypeEnum.UnsignedByte);
        try {
            ops.automaticThreshold(source, mask, "Default");
            double[] own = ops.centerOfMass(mask), by = new double[3];
            for (int axis = 0; axis < Math.min(center.length, own.length); axis++)
                by[axis] = Double.isNaN(own[axis] - center[axis]) ? 0 : own[axis] - center[axis];
            ops.translate3D(source, destination, by[0], by[1], by[2]);
        } finally {
            mask.close();
        }
        return true;
    }

    /** Fuses stacks: each pixel comes mostly from the sharpest stack. `sigmas` are those along x, y and z. */
    public static boolean tenengradFusion(
        CLIJ2Ops ops, ClearCLBuffer destination, float[] sigmas, float exponent, ClearCLBuffer[] stacks) {
        if (sigmas.length < 3 || stacks.length == 0)
            throw new DruaException("tenengradFusion: pass sigmas along x, y and z and at least one stack, got "
                + sigmas.length + " sigmas and " + stacks.length + " stacks");
        ClearCLBuffer first = stacks[0];
        long depth = first.getDepth();
        ClearCLBuffer plane =
            ops.getCLIJ().create(new long[] {first.getWidth(), first.getHeight()}, first.getNativeType());
        ClearCLBuffer all = ops.getCLIJ().create(
            new long[] {first.getWidth(), first.getHeight(), depth * stacks.length}, first.getNativeType());
        try {
            for (int z = 0; z < depth; z++)
                for (int i = 0; i < stacks.length; i++) {
                    ops.copySlice(stacks[i], plane, z);
                    ops.copySlice(plane, all, z * stacks.length + i);
                }
            Calls.run(ops, "tenengradFusion", "CLIJx_tenengradFusion", all, destination, stacks.length, sigmas[0],
                sigmas[1], sigmas[2], exponent);
        } finally {
            plane.close();
            all.close();
        }
        return true;
    }

    /** Shows an image in the window with this title. */
    public static ImagePlus showGrey(CLIJ2Ops ops, ClearCLBuffer image, String title) {
        Calls.run(ops, "showGrey", "CLIJx_showGrey", image, title);
        ImagePlus shown = WindowManager.getImage(title);
        return shown != null ? shown : ops.getCLIJ().pull(image);
    }

    public static ClearCLBuffer readImageFromDisc(CLIJ2Ops ops, String path) {
        ImagePlus image = new File(path).isFile() ? IJ.openImage(path) : null;
        if (image == null)
            throw new DruaException("readImageFromDisc: there is no image at " + path + "; check the path");
        return ops.getCLIJ().push(image);
    }

    public static boolean readRawImageFromDisc(CLIJ2Ops ops, ClearCLBuffer destination, String path) {
        Calls.run(ops, "readRawImageFromDisc", "CLIJx_readRawImageFromDisc", destination, path, destination.getWidth(),
            destination.getHeight(), destination.getDepth(), destination.getPixelSizeInBytes() * 8);
        return true;
    }

    public static ClearCLBuffer readRawImageFromDisc(
        CLIJ2Ops ops, String path, double width, double height, double depth, double bits) {
        NativeTypeEnum type = bits == 8 ? NativeTypeEnum.UnsignedByte
            : bits == 16                ? NativeTypeEnum.UnsignedShort
                                        : NativeTypeEnum.Float;
        return newImageFilledBy(ops.getCLIJ().create(new long[] {(long) width, (long) height, (long) depth}, type),
            image
            -> Calls.run(
                ops, "readRawImageFromDisc", "CLIJx_readRawImageFromDisc", image, path, width, height, depth, bits));
    }

    /** Returns a new image that a call fills. If the call fails, the image is closed. */
    private static ClearCLBuffer newImageFilledBy(ClearCLBuffer image, Consumer<ClearCLBuffer> call) {
        try {
            call.accept(image);
            return image;
        } catch (RuntimeException e) {
            image.close();
            throw e;
        }
    }

    /** Reads a file, which an earlier call may have read ahead, and starts to read the next one. */
    public static ClearCLBuffer preloadFromDisc(
        CLIJ2Ops ops, ClearCLBuffer destination, String path, String next, String loader) {
        Calls.run(ops, "preloadFromDisc", "CLIJx_preloadFromDisc", destination, path, next, loader);
        return destination;
    }

    /** 255 for pixels that are not 0, else 0. */
    public static boolean convertToImageJBinary(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination) {
        ClearCLBuffer mask = ops.getCLIJ().create(source.getDimensions(), NativeTypeEnum.UnsignedByte);
        try {
            Calls.run(ops, "convertToImageJBinary", "CLIJ2_notEqualConstant", source, mask, 0);
            return ops.multiplyImageAndScalar(mask, destination, 255);
        } finally {
            mask.close();
        }
    }

    public static boolean detectOptima(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, double radius, boolean maxima) {
        return maxima ? ops.detectMaximaBox(source, destination, radius)
                      : ops.detectMinimaBox(source, destination, radius);
    }

    public static boolean detectOptimaSliceBySlice(
        CLIJ2Ops ops, ClearCLImageInterface source, ClearCLImageInterface destination, double radius, boolean maxima) {
        Calls.run(ops, "detectOptimaSliceBySlice",
            maxima ? "CLIJ_detectMaximaSliceBySliceBox" : "CLIJ_detectMinimaSliceBySliceBox", source, destination,
            radius);
        return true;
    }

    /** An image with a row for each label and a column for each feature. */
    public static ClearCLBuffer generateLabelFeatureImage(
        CLIJ2Ops ops, ClearCLBuffer image, ClearCLBuffer labels, String features) {
        long columns = features.trim().split("\\s+").length, rows = (long) ops.maximumOfAllPixels(labels);
        return newImageFilledBy(ops.getCLIJ().create(new long[] {columns, Math.max(1, rows)}, NativeTypeEnum.Float),
            table
            -> Calls.run(
                ops, "generateLabelFeatureImage", "CLIJx_generateLabelFeatureImage", image, labels, table, features));
    }
}
