// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij2;

import drua.clij2.Arrays3D;
import drua.clij2.Kernels;
import drua.clij2.TimeTraces;
import drua.clij2.Transfer;
import ij.IJ;
import ij.ImagePlus;
import java.util.Map;
import net.haesleinhuepf.clij.CLIJ;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLImage;
import net.haesleinhuepf.clij.clearcl.ClearCLKernel;
import net.haesleinhuepf.clij.clearcl.enums.ImageChannelDataType;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.haesleinhuepf.clij.utilities.CLIJOps;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.logic.BitType;

/**
 * The entry of programs for CLIJ2: push images, run operations by their CLIJ2 names, pull results. Drua does the work.
 * A failed call throws drua.DruaException, whose message is for the user. Several threads may use one
 * instance; calls run one after the other.
 */
public class CLIJ2 implements CLIJ2Ops {
    private static CLIJ2 instance;

    public final NativeTypeEnum Float = NativeTypeEnum.Float, UnsignedShort = NativeTypeEnum.UnsignedShort,
                                UnsignedByte = NativeTypeEnum.UnsignedByte;

    private final CLIJ clij;
    private final TimeTraces traces = new TimeTraces();

    public CLIJ2(CLIJ clij) {
        this.clij = clij;
    }

    /** The instance that all programs share, on the best device if none is open. */
    public static CLIJ2 getInstance() {
        return getInstance(null);
    }

    /**
     * The shared instance on a device whose name contains `device`. If the open device has another name, it is closed
     * first.
     */
    public static synchronized CLIJ2 getInstance(String device) {
        CLIJ clij = CLIJ.getInstance(device);
        if (instance == null || instance.clij != clij)
            instance = new CLIJ2(clij);
        return instance;
    }

    @Override
    public CLIJ getCLIJ() {
        return clij;
    }

    public CLIJ getClij() {
        return clij;
    }

    @Override
    public CLIJ2 getCLIJ2() {
        return this;
    }

    /** For programs of CLIJ2's first versions: the operations also by the names that CLIJ 1 had. */
    public CLIJOps op() {
        return clij.op();
    }

    public static String clinfo() {
        return CLIJ.clinfo();
    }

    public String getGPUName() {
        return clij.getGPUName();
    }

    public double getOpenCLVersion() {
        return clij.getOpenCLVersion();
    }

    public boolean hasImageSupport() {
        return clij.hasImageSupport();
    }

    /**
     * Copies an ImagePlus to the device: its slices; if it has only one slice, its channels; if it has only one
     * channel, its frames. Also copies an ImgLib2 image with 2 or 3 dimensions. A ClearCLBuffer is returned as it is.
     */
    public ClearCLBuffer push(Object image) {
        return Transfer.push(clij.getDrua(), image);
    }

    /** Copies the slices of the current channel and frame; with a selection, only its bounding box. */
    public ClearCLBuffer pushCurrentZStack(ImagePlus image) {
        return clij.pushCurrentZStack(image);
    }

    /** Copies the displayed slice; with a selection, only its bounding box. */
    public ClearCLBuffer pushCurrentSlice(ImagePlus image) {
        return clij.pushCurrentSlice(image);
    }

    public ClearCLBuffer pushCurrentSelection(ImagePlus image) {
        return clij.pushCurrentSelection(image);
    }

    /** Copies an image from the device. The result keeps scale and colours of its source where they still fit. */
    public ImagePlus pull(Object image) {
        return Transfer.pull(clij.getDrua(), image);
    }

    /** Copies an image from the device as a mask: 255 for nonzero pixels, else 0. */
    public ImagePlus pullBinary(ClearCLBuffer image) {
        return clij.pullBinary(image);
    }

    @SuppressWarnings("rawtypes") /* programs assign the result to intervals of a type that they know */
    public RandomAccessibleInterval pullRAI(Object image) {
        return Transfer.pullInterval(clij.getDrua(), image);
    }

    public RandomAccessibleInterval<BitType> pullBinaryRAI(Object image) {
        return Transfer.pullBits(clij.getDrua(), image);
    }

    /** Copies an image from the device into an ImgLib2 image of the same size. */
    @SuppressWarnings("rawtypes")
    public void pullToRAI(Object image, RandomAccessibleInterval target) {
        Transfer.write(clij.getDrua(), image, target);
    }

    /** Copies nested arrays of numbers to the device: the indices are [y][x], or [z][y][x] for a stack. */
    public ClearCLBuffer pushMat(Object matrix) {
        return Arrays3D.push(clij.getDrua(), "pushMat", matrix, true);
    }

    /** Same as pushMat with the indices [x][y], or [x][y][z] for a stack. */
    public ClearCLBuffer pushMatXYZ(Object matrix) {
        return Arrays3D.push(clij.getDrua(), "pushMatXYZ", matrix, false);
    }

    /** Copies an image from the device to nested arrays of its type: [y][x], or [z][y][x] for a stack. */
    public Object pullMat(ClearCLBuffer image) {
        return Arrays3D.pull(image, true);
    }

    /** Same as pullMat with the indices [x][y], or [x][y][z] for a stack. */
    public Object pullMatXYZ(ClearCLBuffer image) {
        return Arrays3D.pull(image, false);
    }

    /** Shows an image; the title is that of its window. */
    public void show(Object image, String title) {
        Transfer.show(clij.getDrua(), image, title);
    }

    /** Converts between ImagePlus, ClearCLBuffer and RandomAccessibleInterval. */
    public <T> T convert(Object source, Class<T> target) {
        return Transfer.convert(clij.getDrua(), source, target);
    }

    /** Creates an image of zeros with the size and type of another one. */
    public ClearCLBuffer create(ClearCLBuffer like) {
        return clij.create(like);
    }

    public ClearCLImage create(ClearCLImage like) {
        return clij.create(like);
    }

    public ClearCLBuffer create_like(ClearCLBuffer like) {
        return clij.create(like);
    }

    public ClearCLImage create_like(ClearCLImage like) {
        return clij.create(like);
    }

    /** Creates a float32 stack of zeros. */
    public ClearCLBuffer create(long width, long height, long depth) {
        return create(new long[] {width, height, depth});
    }

    /** Creates a float32 plane of zeros. */
    public ClearCLBuffer create(long width, long height) {
        return create(new long[] {width, height});
    }

    public ClearCLBuffer create(long[] dimensions) {
        return clij.create(dimensions, NativeTypeEnum.Float);
    }

    public ClearCLBuffer create(double[] dimensions) {
        long[] whole = new long[dimensions.length];
        for (int d = 0; d < whole.length; d++)
            whole[d] = (long) dimensions[d];
        return create(whole);
    }

    public ClearCLBuffer create(long[] dimensions, NativeTypeEnum type) {
        return clij.create(dimensions, type);
    }

    public ClearCLImage create(long[] dimensions, ImageChannelDataType type) {
        return clij.create(dimensions, type);
    }

    /** Copies an image of another CLIJ2 to this device. */
    public ClearCLBuffer transfer(ClearCLBuffer source) {
        ClearCLBuffer target = create(source);
        transferTo(source, target);
        return target;
    }

    public void transferTo(ClearCLBuffer source, ClearCLBuffer target) {
        Transfer.transfer(source, target);
    }

    /** Frees an image; null is allowed. */
    public void release(ClearCLImageInterface image) {
        if (image != null)
            image.close();
    }

    /** Frees all images; the device stays open. */
    public void clear() {
        clij.getDrua().clear();
    }

    /** One line for each image on the device, and the sum of their memory. */
    public String reportMemory() {
        return clij.getDrua().reportMemory();
    }

    /** Frees the device and all its images. */
    public void close() {
        clij.close();
    }

    public CLIJ2 __enter__() {
        return this;
    }

    /** Frees all images at the end of a Jython block that begins with: with CLIJ2.getInstance(). */
    public void __exit__(Object... ignored) {
        clear();
    }

    /** Writes a warning to ImageJ's Log. */
    public void warn(String text) {
        IJ.log(text);
    }

    /** Has no effect: Drua runs calls when their results are needed, and waits for them then. */
    public void setWaitForKernelFinish(boolean wait) {}

    /** Has no effect: an image lives until it is released or the program loses it. */
    public void setKeepReferences(boolean keep) {}

    /** Always true: Drua's kernels fit images of all sizes. */
    public boolean isSizeIndependentKernelCompilation() {
        return true;
    }

    /** Has no effect: Drua's kernels fit images of all sizes. */
    public void activateSizeIndependentKernelCompilation() {}

    /**
     * Runs a kernel of a program's own OpenCL file once for each work-item.
     *
     * @param anchor      a class beside the file; otherwise the file is a path on the disk
     * @param dimensions  not used, as in CLIJ2
     * @param globalSizes the number of work-items along each axis
     * @param parameters  images and numbers by the names of the kernel's arguments
     */
    public void execute(Class<?> anchor, String file, String kernel, long[] dimensions, long[] globalSizes,
        Map<String, Object> parameters) {
        Kernels.ofFile(this, "execute", anchor, file, kernel, new Kernels.Arguments(globalSizes, parameters, null));
    }

    /** @param constants values of words in the file */
    public void execute(String file, String kernel, long[] dimensions, long[] globalSizes,
        Map<String, Object> parameters, Map<String, Object> constants) {
        Kernels.ofFile(this, "execute", null, file, kernel, new Kernels.Arguments(globalSizes, parameters, constants));
    }

    public void execute(Class<?> anchor, String file, String kernel, long[] dimensions, long[] globalSizes,
        Map<String, Object> parameters, Map<String, Object> constants) {
        Kernels.ofFile(
            this, "execute", anchor, file, kernel, new Kernels.Arguments(globalSizes, parameters, constants));
    }

    /** @param localSizes not used: each work-item runs separately */
    public void execute(Class<?> anchor, String file, String kernel, long[] dimensions, long[] globalSizes,
        long[] localSizes, Map<String, Object> parameters) {
        Kernels.ofFile(this, "execute", anchor, file, kernel, new Kernels.Arguments(globalSizes, parameters, null));
    }

    public void execute(Class<?> anchor, String file, String kernel, long[] dimensions, long[] globalSizes,
        long[] localSizes, Map<String, Object> parameters, Map<String, Object> constants) {
        Kernels.ofFile(
            this, "execute", anchor, file, kernel, new Kernels.Arguments(globalSizes, parameters, constants));
    }

    /** As execute, with the text of the file. */
    public void executeCode(
        String code, String kernel, long[] dimensions, long[] globalSizes, Map<String, Object> parameters) {
        Kernels.ofText(this, "executeCode", code, kernel, new Kernels.Arguments(globalSizes, parameters, null));
    }

    public void executeCode(String code, String kernel, long[] dimensions, long[] globalSizes,
        Map<String, Object> parameters, Map<String, Object> constants) {
        Kernels.ofText(this, "executeCode", code, kernel, new Kernels.Arguments(globalSizes, parameters, constants));
    }

    public void executeCode(String code, String kernel, long[] dimensions, long[] globalSizes, long[] localSizes,
        Map<String, Object> parameters) {
        Kernels.ofText(this, "executeCode", code, kernel, new Kernels.Arguments(globalSizes, parameters, null));
    }

    /** As executeCode. Drua keeps compiled kernels, so the last argument and the result may be null. */
    public ClearCLKernel executeCodeSubsequently(String code, String kernel, long[] dimensions, long[] globalSizes,
        Map<String, Object> parameters, ClearCLKernel last) {
        Kernels.ofText(
            this, "executeCodeSubsequently", code, kernel, new Kernels.Arguments(globalSizes, parameters, null));
        return null;
    }

    public ClearCLKernel executeCodeSubsequently(String code, String kernel, long[] dimensions, long[] globalSizes,
        Map<String, Object> parameters, Map<String, Object> constants, ClearCLKernel last) {
        Kernels.ofText(
            this, "executeCodeSubsequently", code, kernel, new Kernels.Arguments(globalSizes, parameters, constants));
        return null;
    }

    public ClearCLKernel executeCodeSubsequently(String code, String kernel, long[] dimensions, long[] globalSizes,
        long[] localSizes, Map<String, Object> parameters, Map<String, Object> constants, ClearCLKernel last) {
        Kernels.ofText(
            this, "executeCodeSubsequently", code, kernel, new Kernels.Arguments(globalSizes, parameters, constants));
        return null;
    }

    /** As execute. Drua keeps compiled kernels, so the last argument and the result may be null. */
    public ClearCLKernel executeSubsequently(Class<?> anchor, String file, String kernel, long[] dimensions,
        long[] globalSizes, Map<String, Object> parameters, ClearCLKernel last) {
        Kernels.ofFile(
            this, "executeSubsequently", anchor, file, kernel, new Kernels.Arguments(globalSizes, parameters, null));
        return null;
    }

    public ClearCLKernel executeSubsequently(Class<?> anchor, String file, String kernel, long[] dimensions,
        long[] globalSizes, Map<String, Object> parameters, Map<String, Object> constants, ClearCLKernel last) {
        Kernels.ofFile(this, "executeSubsequently", anchor, file, kernel,
            new Kernels.Arguments(globalSizes, parameters, constants));
        return null;
    }

    public ClearCLKernel executeSubsequently(Class<?> anchor, String file, String kernel, long[] dimensions,
        long[] globalSizes, long[] localSizes, Map<String, Object> parameters, Map<String, Object> constants,
        ClearCLKernel last) {
        Kernels.ofFile(this, "executeSubsequently", anchor, file, kernel,
            new Kernels.Arguments(globalSizes, parameters, constants));
        return null;
    }

    /** Has no effect: Drua compiles a kernel again whenever that is necessary. */
    public void invalidateKernelCahe() {}

    @Override
    public boolean doTimeTracing() {
        return traces.isOn();
    }

    /** Switches the measurement of calls on or off. While it is on, each call waits until its result is complete. */
    public void setDoTimeTracing(boolean on) {
        traces.set(on);
    }

    public String getTimeTraces() {
        return traces.text();
    }

    public void resetTimeTraces() {
        traces.reset();
    }

    @Override
    public void recordMethodStart(String method) {
        traces.start(method);
    }

    @Override
    public void recordMethodEnd(String method) {
        traces.end(method);
    }
}
