// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.Drua;
import drua.DruaException;
import drua.Image;
import ij.ImagePlus;
import ij.plugin.Duplicator;
import ij.process.ImageProcessor;
import java.util.Arrays;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.logic.BitType;

/** Moves images between Java and the device for CLIJ2's methods. */
public final class Transfer {
    private static final String IMGLIB2 = "net.imglib2.RandomAccessibleInterval";

    private Transfer() {}

    public static Image zeros(Drua drua, long[] dimensions, NativeTypeEnum type) {
        if (type.druaType() == null)
            throw new DruaException("create: Drua has no images of the type " + type + "; use Float");
        return drua.create(type.druaType(), dimensions);
    }

    /** Copies an ImagePlus, ImageProcessor or RandomAccessibleInterval to the device; returns a ClearCLBuffer as is. */
    public static ClearCLBuffer push(Drua drua, Object image) {
        if (image instanceof ClearCLBuffer)
            return (ClearCLBuffer) image;
        if (image instanceof DeviceImage)
            return new ClearCLBuffer(drua, (Image) drua.command("CLIJ2_copy", ((DeviceImage) image).image(), null)[0]);
        if (image instanceof ImageProcessor)
            return push(drua, new ImagePlus("", (ImageProcessor) image));
        if (image instanceof ImagePlus) {
            ClearCLBuffer pushed = new ClearCLBuffer(drua, drua.push((ImagePlus) image));
            pushed.setName(((ImagePlus) image).getTitle());
            return pushed;
        }
        if (isInterval(image))
            return new ClearCLBuffer(drua, drua.push(image));
        throw new DruaException("push: the image must be an ImagePlus, a ClearCLBuffer or an ImgLib2 image, got "
            + (image == null ? "nothing" : image.getClass().getSimpleName()));
    }

    /** False also where ImgLib2 is not installed. */
    private static boolean isInterval(Object image) {
        try {
            return image != null && Intervals.isInterval(image);
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }

    public static ClearCLBuffer pushCurrentSlice(Drua drua, ImagePlus image) {
        int z = image.getSlice();
        return push(drua, duplicateSlices(image, z, z));
    }

    public static ClearCLBuffer pushCurrentZStack(Drua drua, ImagePlus image) {
        return push(drua, duplicateSlices(image, 1, image.getNSlices()));
    }

    /** Pushes the selected part of the current channel and frame. */
    public static ClearCLBuffer pushSelection(Drua drua, ImagePlus image) {
        return pushCurrentZStack(drua, image);
    }

    private static ImagePlus duplicateSlices(ImagePlus image, int first, int last) {
        int c = image.getChannel(), t = image.getFrame();
        return new Duplicator().run(image, c, c, first, last, t, t);
    }

    /** Copies an image from the device; returns an ImagePlus as is. */
    public static ImagePlus pull(Drua drua, Object image) {
        if (image instanceof ImagePlus)
            return (ImagePlus) image;
        DeviceImage source = onDevice(drua, "pull", image);
        return drua.pull(source.image(), source.getName());
    }

    private static DeviceImage onDevice(Drua drua, String method, Object image) {
        if (image instanceof DeviceImage)
            return (DeviceImage) image;
        if (isInterval(image))
            return push(drua, image);
        throw new DruaException(method + ": the image must be a ClearCLBuffer, got "
            + (image == null ? "nothing" : image.getClass().getSimpleName()));
    }

    /** Copies an image from the device to ImgLib2; returns an ImgLib2 image as is. */
    public static RandomAccessibleInterval<?> pullInterval(Drua drua, Object image) {
        if (isInterval(image))
            return Intervals.as(image);
        DeviceImage source = image instanceof ImagePlus ? push(drua, image) : onDevice(drua, "pullRAI", image);
        return (RandomAccessibleInterval<?>) drua.pullImg(source.image());
    }

    public static RandomAccessibleInterval<BitType> pullBits(Drua drua, Object image) {
        return Intervals.pullBits(drua, push(drua, image).image());
    }

    public static <T> T convert(Drua drua, Object source, Class<T> target) {
        Object result;
        if (target == ImagePlus.class)
            result = pull(drua, source);
        else if (target == ClearCLBuffer.class)
            result = push(drua, source);
        else if (target.getName().equals(IMGLIB2))
            result = pullInterval(drua, source);
        else
            throw new DruaException("convert: the target must be ImagePlus, ClearCLBuffer or RandomAccessibleInterval, "
                + "got " + target.getName());
        return target.cast(result);
    }

    public static void show(Drua drua, Object image, String title) {
        ImagePlus pulled = pull(drua, image);
        if (title != null)
            pulled.setTitle(title);
        pulled.show();
    }

    public static void write(Drua drua, Object image, RandomAccessibleInterval<?> target) {
        Intervals.write(drua, onDevice(drua, "pullToRAI", image).image(), target);
    }

    /** Copies the pixels to an image of the same size and type on the same or another device. */
    public static void transfer(DeviceImage source, DeviceImage target) {
        if (!Arrays.equals(source.getDimensions(), target.getDimensions())
            || source.getNativeType() != target.getNativeType())
            throw new DruaException(
                "transferTo: the target must have the size and type of the source, " + source + ", got " + target);
        target.read(source.slices());
    }
}
