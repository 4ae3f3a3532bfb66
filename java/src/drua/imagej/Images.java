// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Planes;
import ij.CompositeImage;
import ij.ImagePlus;
import ij.ImageStack;
import ij.Macro;
import ij.io.FileSaver;
import ij.plugin.ContrastEnhancer;
import ij.process.ImageProcessor;
import ij.process.ImageStatistics;
import ij.process.LUT;
import java.awt.Rectangle;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Array;

/**
 * Transfers pixels between ImageJ and a context. 8-, 16- and 32-bit images keep their type. ImageJ stores signed 16-bit
 * data as unsigned numbers with a calibration function; both are transferred. An RGB image becomes three 8-bit planes
 * per slice: red, green, blue. Slices are read one by one, also from virtual stacks, and the displayed image does not
 * change.
 */
public final class Images {
    /** The engine's element types (drua_type). */
    public static final int UINT8 = 1, INT8 = 2, UINT16 = 3, INT16 = 4, UINT32 = 5, INT32 = 6, FLOAT32 = 7;

    private static final double SATURATED_PERCENT = 0.35;
    private static final int MAX_PIXELS_OF_PLANE = Integer.MAX_VALUE - 8; /* largest array in Java */

    private Images() {}

    /**
     * The stack indices that CLIJ pushes: the slices of the current channel and frame. If there is one slice, the
     * channels; if there is also one channel, the frames.
     */
    public static int[] all(ImagePlus image) {
        if (image.getNSlices() > 1 || image.getNChannels() * image.getNFrames() == 1)
            return currentSlices(image);
        boolean channels = image.getNChannels() > 1;
        int[] indices = new int[channels ? image.getNChannels() : image.getNFrames()];
        for (int i = 0; i < indices.length; i++)
            indices[i] = channels ? image.getStackIndex(i + 1, 1, image.getFrame()) : image.getStackIndex(1, 1, i + 1);
        return indices;
    }

    /** A note for the Log if {@link #all} takes channels as slices; else "". */
    public static String notice(ImagePlus image) {
        if (image.getNSlices() > 1 || image.getNChannels() == 1)
            return "";
        return "'" + image.getTitle() + "' has " + image.getNChannels() + " channels and one slice; as in CLIJ2, push "
            + "takes the channels as the slices of a volume. For the displayed channel alone, use pushCurrentZStack";
    }

    /** The stack indices of all slices of the current channel and frame. */
    public static int[] currentSlices(ImagePlus image) {
        return slices(image, image.getChannel(), image.getFrame());
    }

    /** The stack indices of all slices of a channel and frame. */
    public static int[] slices(ImagePlus image, int channel, int frame) {
        int[] indices = new int[image.getNSlices()];
        for (int z = 0; z < indices.length; z++)
            indices[z] = image.getStackIndex(channel, z + 1, frame);
        return indices;
    }

    /**
     * Sends slices of an ImageJ image to the device.
     *
     * @param slices stack indices, counted from 1
     * @param part   the part to send, in pixels; null for all
     * @param old    an image that is overwritten if it has the same size and type, or 0
     * @return the image: `old`, or a new one that belongs to the caller
     */
    public static long push(long context, ImagePlus image, int[] slices, Rectangle part, long old) {
        boolean rgb = image.getType() == ImagePlus.COLOR_RGB;
        int planes = rgb ? 3 * slices.length : slices.length;
        int type = rgb || image.getBitDepth() == 8 ? UINT8 : image.getBitDepth() == 16 ? UINT16 : FLOAT32;
        int width = part == null ? image.getWidth() : part.width,
            height = part == null ? image.getHeight() : part.height;
        ImageStack stack = DisplayedSlice.stack(image);
        Planes source = rgb ? z
            -> channel((int[]) pixels(stack, slices[z / 3], part), z % 3)
            : z -> pixels(stack, slices[z], part);
        long pushed = push(context, width, height, planes, planes > 1 ? 3 : 2, type, source, old);
        if (part == null)
            Native.setMetadata(context, pushed, Metadata.of(image, planes).text());
        return pushed;
    }

    /** Same as {@link Native#push}, but overwrites `old` if it has the same size and type. */
    public static long push(
        long context, int width, int height, int depth, int dimension, int type, Planes source, long old) {
        long[] i = old == 0 ? null : Native.info(context, old);
        boolean same =
            i != null && i[0] == width && i[1] == height && i[2] == depth && i[3] == dimension && i[4] == type;
        return Native.push(context, same ? old : 0, width, height, depth, dimension, type, source);
    }

    /** Sends a new image of zeros, which belongs to the caller. */
    public static long pushZeros(long context, long width, long height, long depth, int dimension, int type) {
        if (width < 1 || height < 1 || depth < 1 || width > MAX_PIXELS_OF_PLANE / height)
            throw new EngineException("create: an image of type int8, int16, int32 or uint32 may have at most "
                + MAX_PIXELS_OF_PLANE + " pixels in a plane and at least 1 pixel along each axis, got " + width + " x "
                + height + " x " + depth + "; choose another size, or type float32");
        Object zeros = newPlane(type, (int) (width * height));
        return Native.push(context, 0, width, height, depth, dimension, type, z -> zeros);
    }

    /** Gives an image on the device the scale, unit and colours of an ImageJ image. */
    public static void describe(long context, long image, ImagePlus like, int planes) {
        Native.setMetadata(context, image, Metadata.of(like, planes).text());
    }

    /** An ImageJ image of one plane of zeros with the size, scale, unit and colours of an image on the device. */
    public static ImagePlus described(long context, long image) {
        long[] info = Native.info(context, image);
        ImagePlus like = blank((int) info[0], (int) info[1], (int) info[4]);
        Metadata.parse(Native.metadata(context, image)).applyTo(like);
        return like;
    }

    /** An ImageJ image of one plane of zeros for pixels of a type of the device. */
    public static ImagePlus blank(int width, int height, int type) {
        ImageStack stack = new ImageStack(width, height);
        stack.addSlice("", asImageJ(newPlane(type, width * height), type));
        return new ImagePlus("", stack);
    }

    private static Object pixels(ImageStack stack, int index, Rectangle part) {
        if (part == null)
            return stack.getPixels(index);
        ImageProcessor ip = stack.getProcessor(index).duplicate();
        ip.setRoi(part);
        return ip.crop().getPixels();
    }

    private static byte[] channel(int[] rgb, int channel) {
        byte[] plane = new byte[rgb.length];
        for (int i = 0; i < rgb.length; i++)
            plane[i] = (byte) (rgb[i] >> (16 - 8 * channel));
        return plane;
    }

    /**
     * Copies an image from the device; waits for its pixels. Types that ImageJ does not have (int8, int16, int32,
     * uint32) become 32-bit, where whole numbers beyond 16777216 lose their last digits.
     *
     * @param metadata whether to keep scale, unit and colours of the source where they still fit, and to colour label
     *     maps
     * @return the image, not shown; contrast is set as in CLIJ, and a stack shows its middle slice
     */
    public static ImagePlus pull(long context, long image, String title, boolean metadata) {
        long[] info = Native.info(context, image);
        int width = (int) info[0], height = (int) info[1], depth = (int) info[2];
        Object[] planes = pullPlanes(context, image);
        Metadata known = Metadata.parse(Native.metadata(context, image));
        ImageStack stack = new ImageStack(width, height);
        if (info[4] == UINT8 && known.isRgb(width, height, depth)) {
            for (int z = 0; z < depth; z += 3)
                stack.addSlice("", mergeChannels((byte[]) planes[z], (byte[]) planes[z + 1], (byte[]) planes[z + 2]));
        } else {
            for (int z = 0; z < depth; z++)
                stack.addSlice("", asImageJ(planes[z], (int) info[4]));
        }
        ImagePlus result = new ImagePlus(title, stack);
        result.setDimensions(1, stack.getSize(), 1);
        if (metadata)
            known.applyTo(result);
        result.setSlice(Math.max(1, stack.getSize() / 2));
        if (metadata && info[6] == 1)
            LabelColors.applyTo(result);
        else if (result.getType() != ImagePlus.COLOR_RGB)
            setContrast(result);
        return result;
    }

    /** The pixels as 8-bit planes: 255 for nonzero pixels, else 0. The image is not shown. */
    public static ImagePlus pullBinary(long context, long image, String title) {
        long[] info = Native.info(context, image);
        ImageStack stack = new ImageStack((int) info[0], (int) info[1]);
        for (Object plane : pullPlanes(context, image)) {
            float[] values = floats(plane, (int) info[4]);
            byte[] mask = new byte[values.length];
            for (int i = 0; i < values.length; i++)
                mask[i] = (byte) (values[i] != 0 ? 255 : 0);
            stack.addSlice("", mask);
        }
        ImagePlus result = new ImagePlus(title, stack);
        result.setDimensions(1, stack.getSize(), 1);
        result.setSlice(Math.max(1, stack.getSize() / 2));
        return result;
    }

    /** The pixels of all planes as floats; waits for them. */
    public static float[][] pullNumbers(long context, long image) {
        int type = (int) Native.info(context, image)[4];
        Object[] planes = pullPlanes(context, image);
        float[][] numbers = new float[planes.length][];
        for (int z = 0; z < planes.length; z++)
            numbers[z] = floats(planes[z], type);
        return numbers;
    }

    /**
     * Writes part of a plane to an ImageJ image; pixels outside the plane or outside the image are left out.
     *
     * @param width width of the plane
     * @param part  the part, in pixels of the plane
     * @param x0    x of the part's upper left corner in `to`
     */
    public static void write(float[] plane, int width, Rectangle part, ImageProcessor to, int x0, int y0) {
        Rectangle inside = part.intersection(new Rectangle(width, plane.length / width));
        int largest = to.getBitDepth() == 32 ? 0 : (1 << to.getBitDepth()) - 1;
        for (int y = inside.y; y < inside.y + inside.height; y++) {
            for (int x = inside.x; x < inside.x + inside.width; x++) {
                int toX = x0 + x - part.x, toY = y0 + y - part.y;
                float value = plane[y * width + x];
                if (toX >= 0 && toY >= 0 && toX < to.getWidth() && toY < to.getHeight())
                    to.setf(toX, toY, largest == 0 ? value : Math.max(0, Math.min(largest, (int) value)));
            }
        }
    }

    /** Shows a stack with the channels, slices, frames, scale and colours of another image. */
    public static void show(String title, ImageStack stack, ImagePlus like) {
        ImagePlus result = new ImagePlus(title, stack);
        result.setDimensions(like.getNChannels(), like.getNSlices(), like.getNFrames());
        result.setOpenAsHyperStack(stack.getSize() > 1);
        result.copyScale(like);
        if (like instanceof CompositeImage && like.getNChannels() > 1)
            result = composite(result, (CompositeImage) like);
        result.setPosition(1, Math.max(1, like.getNSlices() / 2), 1);
        setContrast(result);
        result.show();
    }

    /** Gives the image the colours of `like`, and each channel the contrast of its middle slice. */
    private static ImagePlus composite(ImagePlus image, CompositeImage like) {
        CompositeImage composite = new CompositeImage(image, like.getMode());
        LUT[] luts = new LUT[like.getNChannels()];
        for (int c = 0; c < luts.length; c++) {
            ImagePlus middle = new ImagePlus(
                "", image.getStack().getProcessor(image.getStackIndex(c + 1, Math.max(1, image.getNSlices() / 2), 1)));
            setContrast(middle);
            luts[c] = (LUT) like.getLuts()[c].clone();
            luts[c].min = middle.getDisplayRangeMin();
            luts[c].max = middle.getDisplayRangeMax();
        }
        composite.setLuts(luts);
        return composite;
    }

    /** The pixels of all planes in arrays of their type; waits for them. */
    public static Object[] pullPlanes(long context, long image) {
        long[] info = Native.info(context, image);
        if (info[0] * info[1] > MAX_PIXELS_OF_PLANE)
            throw new EngineException("a plane in ImageJ may have at most " + MAX_PIXELS_OF_PLANE + " pixels, but "
                + info[0] + " x " + info[1] + " are too many; crop the image, or write it to a file");
        int pixels = (int) (info[0] * info[1]), type = (int) info[4];
        Object[] planes = new Object[(int) info[2]];
        for (int z = 0; z < planes.length; z++)
            planes[z] = newPlane(type, pixels);
        Native.pull(context, image, planes);
        return planes;
    }

    /** Throws an EngineException unless the plane is an array of that element type with that many elements. */
    public static void check(Object plane, int type, long pixels) {
        Class<?> needed = newPlane(type, 0).getClass();
        if (!needed.isInstance(plane))
            throw new EngineException("pushArrays: each slice of this type must be " + needed.getSimpleName() + ", got "
                + (plane == null ? "nothing" : plane.getClass().getSimpleName()));
        if (Array.getLength(plane) != pixels)
            throw new EngineException(
                "pushArrays: each slice needs " + pixels + " numbers, got " + Array.getLength(plane));
    }

    private static Object newPlane(int type, int pixels) {
        if (type == FLOAT32)
            return new float[pixels];
        if (type <= INT8)
            return new byte[pixels];
        if (type <= INT16)
            return new short[pixels];
        return new int[pixels];
    }

    private static int[] mergeChannels(byte[] red, byte[] green, byte[] blue) {
        int[] rgb = new int[red.length];
        for (int i = 0; i < rgb.length; i++)
            rgb[i] = 0xff000000 | (red[i] & 255) << 16 | (green[i] & 255) << 8 | blue[i] & 255;
        return rgb;
    }

    private static Object asImageJ(Object plane, int type) {
        return type == UINT8 || type == UINT16 ? plane : floats(plane, type);
    }

    private static float[] floats(Object plane, int type) {
        if (plane instanceof float[])
            return (float[]) plane;
        int length = Array.getLength(plane);
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            switch (type) {
            case UINT8:
                values[i] = ((byte[]) plane)[i] & 0xff;
                break;
            case INT8:
                values[i] = ((byte[]) plane)[i];
                break;
            case UINT16:
                values[i] = ((short[]) plane)[i] & 0xffff;
                break;
            case INT16:
                values[i] = ((short[]) plane)[i];
                break;
            case UINT32:
                values[i] = ((int[]) plane)[i] & 0xffffffffL;
                break;
            default:
                values[i] = ((int[]) plane)[i];
            }
        }
        return values;
    }

    /**
     * Sets the display range from the current slice. If ImageJ's automatic range would hide all pixels, as in a slice
     * of few labels, all grey values are displayed. For a single grey value, the range includes zero.
     */
    private static void setContrast(ImagePlus image) {
        new ContrastEnhancer().stretchHistogram(image, SATURATED_PERCENT);
        ImageProcessor ip = image.getProcessor();
        ImageStatistics range = ip.getStats();
        boolean hidesAll = range.max > range.min && (ip.getMin() >= ip.getMax() || ip.getMin() >= range.max);
        if (hidesAll)
            image.setDisplayRange(range.min, range.max);
        else if (range.max == range.min)
            image.setDisplayRange(Math.min(0, range.min), range.max != 0 ? Math.max(0, range.max) : 1);
        else
            image.setDisplayRange(ip.getMin(), ip.getMax());
    }

    /** Saves a plane or a stack as ImageJ does. */
    public static void saveAsTiff(ImagePlus image, File file) throws IOException {
        FileSaver saver = new FileSaver(image);
        boolean saved = false;
        try {
            saved = image.getStackSize() > 1 ? saver.saveAsTiffStack(file.getPath()) : saver.saveAsTiff(file.getPath());
        } catch (RuntimeException e) {
            if (!Macro.MACRO_CANCELED.equals(e.getMessage())) /* ImageJ has shown the error and cancels the macro */
                throw e;
        }
        if (!saved)
            throw new IOException("ImageJ could not write the image");
    }
}
