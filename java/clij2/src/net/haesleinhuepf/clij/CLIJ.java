// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij;

import drua.Drua;
import drua.DruaException;
import drua.clij2.Devices;
import drua.clij2.Kernels;
import drua.clij2.OnlyJar;
import drua.clij2.Transfer;
import ij.ImagePlus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLImage;
import net.haesleinhuepf.clij.clearcl.enums.ImageChannelDataType;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.haesleinhuepf.clij.utilities.CLIJOps;
import net.haesleinhuepf.clijx.CLIJx;
import net.imglib2.RandomAccessibleInterval;

/** A device with its images, as programs for CLIJ use it. Drua does the work. */
public class CLIJ {
    private static CLIJ instance;

    private final String asked;
    private final Drua drua;
    private boolean closed;

    /** Opens the device whose name contains the text; the best device for null or "". */
    public CLIJ(String device) {
        OnlyJar.check();
        asked = device == null ? "" : device;
        drua = Drua.open(asked);
    }

    /** Opens the device at that place in {@link #getAvailableDeviceNames}, which counts from 0. */
    public CLIJ(int device) {
        this(Devices.name(device));
    }

    /** The instance that all programs share, on the best device if none is open. */
    public static CLIJ getInstance() {
        return getInstance(null);
    }

    /**
     * The shared instance on a device whose name contains `device`. If the open device has another name, it is closed
     * first.
     */
    public static synchronized CLIJ getInstance(String device) {
        OnlyJar.check();
        if (instance != null && !instance.closed && !instance.isOnDevice(device)) {
            instance.close();
            instance = null;
        }
        if (instance == null || instance.closed)
            instance = new CLIJ(device);
        return instance;
    }

    private boolean isOnDevice(String device) {
        return device == null || device.isEmpty() || device.equals(asked) || Devices.contains(getGPUName(), device);
    }

    /** The device in Drua's own Java API. */
    public Drua getDrua() {
        return drua;
    }

    /** The operations by the names that CLIJ 1 had, and those of CLIJx. */
    public CLIJOps op() {
        return new Operations(this);
    }

    private static final class Operations extends CLIJx implements CLIJOps {
        Operations(CLIJ clij) {
            super(clij);
        }
    }

    public String getGPUName() {
        return drua.getDevice();
    }

    public double getOpenCLVersion() {
        return Devices.openCl(getGPUName());
    }

    public long getGPUMemoryInBytes() {
        return Devices.memory(getGPUName());
    }

    public static String clinfo() {
        return Devices.describe();
    }

    public static ArrayList<String> getAvailableDeviceNames() {
        return new ArrayList<>(Arrays.asList(Drua.devices()));
    }

    /** Always true: Drua treats a ClearCLImage as a ClearCLBuffer. */
    public boolean hasImageSupport() {
        return true;
    }

    public ClearCLBuffer create(long[] dimensions, NativeTypeEnum type) {
        return new ClearCLBuffer(drua, Transfer.zeros(drua, dimensions, type));
    }

    public ClearCLBuffer createCLBuffer(long[] dimensions, NativeTypeEnum type) {
        return create(dimensions, type);
    }

    public ClearCLBuffer create(ClearCLBuffer like) {
        return create(like.getDimensions(), like.getNativeType());
    }

    public ClearCLBuffer createCLBuffer(ClearCLBuffer like) {
        return create(like);
    }

    public ClearCLImage create(long[] dimensions, ImageChannelDataType type) {
        return new ClearCLImage(drua, Transfer.zeros(drua, dimensions, type.getNativeType()));
    }

    public ClearCLImage createCLImage(long[] dimensions, ImageChannelDataType type) {
        return create(dimensions, type);
    }

    public ClearCLImage create(ClearCLImage like) {
        return new ClearCLImage(drua, Transfer.zeros(drua, like.getDimensions(), like.getNativeType()));
    }

    public ClearCLImage createCLImage(ClearCLImage like) {
        return create(like);
    }

    public ClearCLBuffer push(ImagePlus image) {
        return Transfer.push(drua, image);
    }

    public ClearCLBuffer push(RandomAccessibleInterval<?> image) {
        return Transfer.push(drua, image);
    }

    public ClearCLBuffer pushCurrentSlice(ImagePlus image) {
        return Transfer.pushCurrentSlice(drua, image);
    }

    public ClearCLBuffer pushCurrentSliceSelection(ImagePlus image) {
        return pushCurrentSlice(image);
    }

    public ClearCLBuffer pushCurrentSelection(ImagePlus image) {
        return Transfer.pushSelection(drua, image);
    }

    public ClearCLBuffer pushCurrentZStack(ImagePlus image) {
        return Transfer.pushCurrentZStack(drua, image);
    }

    public ImagePlus pull(ClearCLBuffer image) {
        return Transfer.pull(drua, image);
    }

    public ImagePlus pullBinary(ClearCLBuffer image) {
        return drua.pullBinary(image.image(), image.getName());
    }

    public RandomAccessibleInterval<?> pullRAI(ClearCLBuffer image) {
        return Transfer.pullInterval(drua, image);
    }

    public RandomAccessibleInterval<?> pullBinaryRAI(ClearCLBuffer image) {
        return Transfer.pullBits(drua, image);
    }

    /** Converts between ImagePlus, ClearCLBuffer and RandomAccessibleInterval. */
    public <S, T> T convert(S source, Class<T> target) {
        return Transfer.convert(drua, source, target);
    }

    /** Shows an image; the title is that of its window. */
    public void show(Object image, String title) {
        Transfer.show(drua, image, title);
    }

    /** Frees the device and all its images. Calling it again does nothing. */
    public boolean close() {
        closed = true;
        drua.close();
        return true;
    }

    public void dispose() {
        close();
    }

    public boolean isClosed() {
        return closed;
    }

    /** Drua's messages are readable as they are. */
    public String humanReadableErrorMessage(String message) {
        return message;
    }

    /**
     * Runs a kernel of a program's own OpenCL file. The arguments are those of CLIJ's methods of this name: a class
     * beside the file (may be left out), the file, the kernel, the global sizes (may be left out) and a Map of images
     * and numbers.
     */
    public boolean execute(Object... arguments) {
        Class<?> anchor = null;
        long[] sizes = null;
        List<String> texts = new ArrayList<>();
        List<Map<?, ?>> maps = new ArrayList<>();
        for (Object argument : arguments) {
            if (argument instanceof Class)
                anchor = (Class<?>) argument;
            else if (argument instanceof long[])
                sizes = (long[]) argument;
            else if (argument instanceof String)
                texts.add((String) argument);
            else if (argument instanceof Map)
                maps.add((Map<?, ?>) argument);
        }
        if (texts.size() < 2 || maps.isEmpty())
            throw new DruaException("execute: pass a file, the name of a kernel and a Map of its parameters");
        Kernels.ofFile(op(), "execute", anchor, texts.get(0), texts.get(1),
            new Kernels.Arguments(sizes, maps.get(0), maps.size() > 1 ? maps.get(1) : null));
        return true;
    }
}
