// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.engine.Planes;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.Watch;
import ij.ImagePlus;
import ij.process.ImageProcessor;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A device and its images for Java and Jython: push, run operations, pull.
 *
 * <pre>
 * from drua import Drua
 * drua = Drua.open("")
 * try:
 *     image = drua.push(imp)
 *     drua.pull(drua.gaussianBlur(image, 2, 2, 0), "blurred").show()
 * finally:
 *     drua.close()
 * </pre>
 *
 * Every operation is a method. It returns its image outputs, which belong to the caller. A failed call throws
 * DruaException, whose message is for the user. Several threads may use one object; calls run one after
 * the other. If the program loses an image without closing it, a later call frees it. If the program loses a Drua
 * without closing it, the next open() frees it. close() frees at once.
 */
public final class Drua extends Operations implements AutoCloseable {
    /* Drua searches for lost images when new images take 1/PART_OF_BUDGET of the memory budget and MIN_GROWTH bytes. */
    private static final long PART_OF_BUDGET = 8, MIN_GROWTH = 64 << 20;
    /* A small image counts as this many bytes, because it takes memory besides its pixels. */
    private static final long MIN_BYTES = 64 << 10;

    private static final Owned<Drua> contexts = new Owned<>(); /* guarded by this class's lock */

    private final Owned<Image> images = new Owned<>();
    private final Owned.Entry<Drua> memory;
    private long context;
    private int imageCount;

    private Drua(long context) {
        this.context = context;
        synchronized (Drua.class) {
            memory = contexts.add(this, context, 0);
        }
    }

    /**
     * Opens a device that is separate from the macros' device.
     *
     * @param wanted part of a device's name, "gpu", "cpu", or "" for the best device. If no device matches, the best
     *     one is opened
     */
    public static Drua open(String wanted) {
        synchronized (Drua.class) {
            if (!contexts.isEmpty())
                contexts.collect(Native::close);
        }
        return withDruaException(() -> {
            NativeLibrary.load();
            Keywords.teachJython();
            return new Drua(Native.open(wanted));
        });
    }

    /** Opens the best device. */
    public static Drua open() {
        return open("");
    }

    /** The names of all devices, best first. */
    public static String[] devices() {
        return withDruaException(() -> {
            NativeLibrary.load();
            return Arrays.stream(Native.devices()).map(device -> device[0]).toArray(String[] ::new);
        });
    }

    /** The device's name. */
    public synchronized String getDevice() {
        return ask(context -> Native.device(context)[0]);
    }

    /**
     * Copies an image to the device: its slices; if it has only one slice, its channels; if it has only one channel,
     * its frames. An RGB image becomes three planes for each slice.
     */
    public synchronized Image push(ImagePlus image) {
        return askWatched(
            context -> new Image(this, Images.push(context, image, Images.all(image), null, 0), image.getTitle()));
    }

    /** Copies a single slice to the device. */
    public Image push(ImageProcessor slice) {
        return push(new ImagePlus("", slice));
    }

    /**
     * Copies an image to the device: an ImagePlus, an ImageProcessor, a Dataset of ImageJ2 with its scale, unit and
     * colours, an image of ImgLib2 (RandomAccessibleInterval, Img) of 2 or 3 dimensions, or an ImgLabeling. Pixels of
     * other types than the device's become float32. An ImgLabeling becomes a label map of type uint32. Labels that are
     * all whole numbers from 1 on stay; otherwise each label becomes its place, from 1 on, in the list of labels, which
     * are sorted as texts.
     */
    public Image push(Object image) {
        if (image instanceof ImagePlus)
            return push((ImagePlus) image);
        if (image instanceof ImageProcessor)
            return push((ImageProcessor) image);
        Image pushed = OtherLibraries.push(this, image, 0, 0);
        if (pushed != null)
            return pushed;
        throw new DruaException(
            "push: image must be an ImagePlus, ImageProcessor, Dataset, ImgLabeling or image of ImgLib2, got "
            + className(image));
    }

    /**
     * Copies the slices of one channel and frame to the device.
     *
     * @param image an ImagePlus or a Dataset
     * @param channel from 1 on
     * @param frame from 1 on
     */
    public synchronized Image push(Object image, int channel, int frame) {
        if (image instanceof ImagePlus) {
            ImagePlus from = (ImagePlus) image;
            checkPart("channel", channel, from.getNChannels());
            checkPart("frame", frame, from.getNFrames());
            return askWatched(context
                -> new Image(
                    this, Images.push(context, from, Images.slices(from, channel, frame), null, 0), from.getTitle()));
        }
        Image pushed = OtherLibraries.push(this, image, channel, frame);
        if (pushed != null)
            return pushed;
        throw new DruaException(
            "push: an image with a channel and a frame must be an ImagePlus or a Dataset, got " + className(image));
    }

    private static String className(Object image) {
        return image == null ? "nothing" : image.getClass().getSimpleName();
    }

    static void checkPart(String what, int number, long count) {
        if (number < 1 || number > count)
            throw new DruaException("push: " + what + " must be 1 to " + count + ", got " + number);
    }

    /**
     * Copies an image from the device to a Dataset of ImageJ2 with its scale, unit and colours.
     *
     * @param service ImageJ2's DatasetService; scripts get it with {@code #@ DatasetService}
     * @return the Dataset, with the type Object, because this class must load without ImageJ2
     */
    public Object pullDataset(Image image, String title, Object service) {
        return OtherLibraries.need(
            "pullDataset needs ImageJ2: run it in Fiji", () -> ImageJ2.pull(this, image, title, service));
    }

    /**
     * Copies a label map from the device to an ImgLabeling of ImgLib2, whose labels are whole numbers. The result has
     * the type Object, because this class must load without ImgLib2.
     */
    public Object pullLabeling(Image labels) {
        return OtherLibraries.need("pullLabeling needs ImgLib2's labelings: run it in Fiji, or add the jars imglib2 "
                + "and imglib2-roi to the class path",
            () -> Labelings.pull(this, labels));
    }

    /**
     * An image of ImgLib2 whose cells the device computes when they are read first, such as by BigDataViewer. Cells are
     * discarded when memory is needed, and computed again later.
     *
     * @param source an image of ImgLib2 with 2 or 3 dimensions
     * @param cell the size of a cell in pixels, one number for each dimension
     * @param margin the pixels that the operation needs around a cell, at least its radius
     * @param operation makes the result from the pixels of a cell and its margin, with the same size; several threads
     *     may call it, one after the other
     * @return a LazyCellImg with the type of the results, as Object, because this class must load without ImgLib2
     */
    public Object lazyImg(Object source, int[] cell, int margin, ImageFunction operation) {
        return OtherLibraries.need("lazyImg needs ImgLib2: run it in Fiji, or add the jar imglib2 to the class path",
            () -> LazyCells.of(this, source, cell, margin, operation));
    }

    /**
     * Copies an image from the device to an ArrayImg of ImgLib2 with the same type of pixels. The result has the type
     * Object, because this class must load without ImgLib2.
     */
    public Object pullImg(Image image) {
        return OtherLibraries.need("pullImg needs ImgLib2: run it in Fiji, or add the jar imglib2 to the class path",
            () -> ImgLib2.pull(this, image));
    }

    /**
     * Copies an image from the device. The result keeps the scale, unit and colours of its source where they still fit.
     * The image is not shown.
     */
    public synchronized ImagePlus pull(Image image, String title) {
        return askWatched(context -> Images.pull(context, image.handle(this), title, true));
    }

    /** Same as {@link #pull(Image, String)} with the title "Drua". */
    public ImagePlus pull(Image image) {
        return pull(image, "Drua");
    }

    /** Copies an image from the device as a mask: 255 for nonzero pixels, else 0. The image is not shown. */
    public synchronized ImagePlus pullBinary(Image image, String title) {
        return askWatched(context -> Images.pullBinary(context, image.handle(this), title));
    }

    /** The pixels of an image slice by slice, row by row, as numbers. */
    public synchronized float[][] pullNumbers(Image image) {
        return askWatched(context -> Images.pullNumbers(context, image.handle(this)));
    }

    /** Copies numbers to the device as a float32 image: one array for each slice, row by row. */
    public synchronized Image pushNumbers(float[][] slices, int width, int height) {
        if (slices.length == 0)
            throw new DruaException("pushNumbers: slices is empty; an image has at least one slice");
        for (float[] slice : slices)
            if (slice.length != (long) width * height)
                throw new DruaException("pushNumbers: a slice of " + width + " x " + height + " pixels needs "
                    + (long) width * height + " numbers, got " + slice.length);
        return askWatched(context
            -> new Image(this,
                Images.push(context, width, height, slices.length, slices.length > 1 ? 3 : 2, Images.FLOAT32,
                    z -> slices[z], 0),
                "numbers"));
    }

    /**
     * The pixels of an image, one array for each slice, row by row: byte[] for uint8 and int8, short[] for uint16 and
     * int16, int[] for uint32 and int32, float[] for float32.
     */
    public synchronized Object[] pullArrays(Image image) {
        return askWatched(context -> Images.pullPlanes(context, image.handle(this)));
    }

    /**
     * Copies arrays to the device: one for each slice, row by row, of the kind that {@link #pullArrays} returns.
     *
     * @param type uint8, int8, uint16, int16, uint32, int32 or float32
     * @param size width and height for a plane; width, height and depth for a stack
     */
    public synchronized Image pushArrays(String type, Object[] slices, long... size) {
        int number = Image.typeNumber(type);
        if (size.length != 2 && size.length != 3)
            throw new DruaException("pushArrays: size must have 2 or 3 extents, got " + size.length);
        long depth = size.length == 2 ? 1 : size[2];
        if (Math.min(depth, Math.min(size[0], size[1])) < 1 || size[0] > Integer.MAX_VALUE / size[1])
            throw new DruaException(
                "pushArrays: width, height and depth must be at least 1, and a slice may have at most "
                + Integer.MAX_VALUE + " pixels, got " + size[0] + " x " + size[1] + " x " + depth);
        if (slices.length != depth)
            throw new DruaException("pushArrays: this size needs " + depth + " slices, got " + slices.length);
        for (Object slice : slices)
            withDruaException(() -> {
                Images.check(slice, number, size[0] * size[1]);
                return null;
            });
        return pushPlanes(type, z -> slices[z], null, "arrays", size);
    }

    /**
     * Copies planes to the device. Requests the planes in order.
     *
     * @param like   has the scale, unit and colours of the image, or null
     * @param origin the title of the image, for error messages
     * @param size   width and height, and depth for a stack; the caller has checked them
     */
    synchronized Image pushPlanes(String type, Planes source, ImagePlus like, String origin, long... size) {
        int depth = size.length == 2 ? 1 : (int) size[2];
        return askWatched(context -> {
            long pushed = Images.push(
                context, (int) size[0], (int) size[1], depth, size.length, Image.typeNumber(type), source, 0);
            Image image = new Image(this, pushed, origin);
            if (like != null)
                Images.describe(context, pushed, like, depth);
            return image;
        });
    }

    /** An ImagePlus of zeros with the size, scale, unit and colours of an image. */
    synchronized ImagePlus described(Image image) {
        return ask(context -> Images.described(context, image.handle(this)));
    }

    /**
     * Creates an image of zeros.
     *
     * @param type uint8, int8, uint16, int16, uint32, int32 or float32
     * @param size width and height, or width, height and depth
     */
    public synchronized Image create(String type, long... size) {
        int number = Image.typeNumber(type);
        if (size.length != 2 && size.length != 3)
            throw new DruaException("create: size must have 2 or 3 extents, got " + size.length);
        int bits = number == Images.UINT8 ? 8 : number == Images.UINT16 ? 16 : 32;
        if (bits < 32 || number == Images.FLOAT32)
            return (Image) (size.length == 2 ? command("Drua_create2D", null, size[0], size[1], bits)
                                             : command("Drua_create3D", null, size[0], size[1], size[2], bits))[0];
        long depth = size.length == 2 ? 1 : size[2];
        return askWatched(context
            -> new Image(this, Images.pushZeros(context, size[0], size[1], depth, size.length, number), "zeros"));
    }

    /** Creates an image of zeros with the size and type of another one. */
    public Image create(Image like) {
        return like.getDimension() == 2 ? create(like.getType(), like.getWidth(), like.getHeight())
                                        : create(like.getType(), like.getWidth(), like.getHeight(), like.getDepth());
    }

    /** Copies an image from the device and shows it in a window with that title. */
    public void show(Image image, String title) {
        pull(image, title).show();
    }

    /** Frees an image. Calling it again does nothing. */
    public void release(Image image) {
        image.close();
    }

    /** Frees all images of this object; the device stays open. */
    public synchronized void clear() {
        ask(context -> {
            images.clear();
            Native.clear(context);
            return null;
        });
    }

    /** One line for each image on the device, and the sum of their memory. */
    public synchronized String reportMemory() {
        return ask(Native::reportMemory);
    }

    /** Waits until the device has finished all calls. */
    public synchronized void sync() {
        askWatched(context -> {
            Native.sync(context);
            return null;
        });
    }

    /**
     * Runs an operation by its name, such as "gaussian_blur" or "gaussianBlur", or a macro command by its name, such as
     * "gaussianBlur3D", with the command's order of arguments.
     *
     * @param inputs all parameters except outputs, in order; omitted ones take their defaults. Destinations may be
     *     passed too, in the order of the parameters. Drua expects them if there are more images than sources, or null
     *     in the place of a destination
     * @return the output (Image, Double, String or ResultsTable), a double[] of several numbers, an Object[] of several
     *     outputs, or null without outputs
     */
    public Object op(String name, Object... inputs) {
        return op(name, Collections.emptyMap(), inputs);
    }

    /**
     * Same as {@link #op(String, Object...)} with arguments by name.
     *
     * @param named values by the name of their parameter (sigma_x, also sigmaX), or by the name of a setting in an
     *     options text, such as iterations of deconvolve
     * @param inputs the other parameters, in order
     */
    @Override
    public Object op(String name, Map<?, ?> named, Object... inputs) {
        return withDruaException(() -> NamedCall.run(this, name, named, inputs));
    }

    /** The summary and the parameters of an operation as text; for an unknown name, a message with similar names. */
    public static String help(String name) {
        return withDruaException(() -> {
            NativeLibrary.load();
            return NamedCall.help(name);
        });
    }

    /** True for a name that {@link #op} accepts. */
    public static boolean hasOperation(String name) {
        return withDruaException(() -> {
            NativeLibrary.load();
            return NamedCall.isKnown(name);
        });
    }

    /** For Groovy: accepts names in snake_case and those of CLIJ2. Omitted arguments take their defaults. */
    public Object methodMissing(String name, Object arguments) {
        Object[] inputs = arguments instanceof Object[] ? (Object[]) arguments : new Object[] {arguments};
        return inputs.length > 0 && inputs[0] instanceof Map
            ? op(name, (Map<?, ?>) inputs[0], Arrays.copyOfRange(inputs, 1, inputs.length))
            : op(name, inputs);
    }

    /**
     * Runs a macro command of any prefix, such as "CLIJ2_gaussianBlur3D", with the command's rules for arguments.
     * Commands that find images by name or in ImageJ's windows, such as CLIJ2_push, only run in macros.
     *
     * @param arguments one for each argument of the command, in order: Image, Number, Boolean, String or array of
     *     numbers; null for an output that the command makes
     * @return the outputs in order (Image, Double or String), then a ResultsTable if the command makes one
     */
    public synchronized Object[] command(String name, Object... arguments) {
        Registry.Command command = Registry.get().commands.get(name);
        if (command == null)
            throw new DruaException("Drua has no command '" + name + "'; see Plugins>Drua>Drua Help for all commands");
        if (command.needsMacro())
            throw new DruaException(name + ": only a macro can run this command; call it as Ext." + name);
        return askWatched(context -> new CommandCall(this, context, command, arguments.length).run(arguments));
    }

    @Override
    synchronized Object[] call(String name, Object... arguments) {
        Registry.Operation operation = operation(name);
        Object[] values = new Object[arguments.length];
        for (int i = 0; i < values.length; i++)
            values[i] = handles(arguments[i]);
        Object[] outputs = askWatched(context -> Invocation.run(context, operation, values));
        for (int i = 0, o = 0; i < arguments.length; i++) {
            Registry.Kind kind = operation.parameters.get(i).kind;
            if (kind == Registry.Kind.IMAGE_OUT)
                outputs[o] = arguments[i] instanceof Image ? arguments[i]
                                                           : new Image(this, (Long) outputs[o], operation.camelCase());
            if (kind.isOutput())
                o++;
        }
        return outputs;
    }

    /** Replaces images with their handles, also inside an array, a list or a map from names to images. */
    private Object handles(Object value) {
        if (value instanceof Image)
            return ((Image) value).handle(this);
        if (value instanceof Map)
            return ((Map<?, ?>) value)
                .entrySet()
                .stream()
                .flatMap(entry -> Stream.of(entry.getKey(), handles(entry.getValue())))
                .toArray();
        if (value instanceof List)
            return ((List<?>) value).stream().map(this::handles).toArray();
        return value instanceof Object[] ? Arrays.stream((Object[]) value).map(this::handles).toArray() : value;
    }

    private static Registry.Operation operation(String name) {
        Registry.Operation operation = Registry.get().operations.get(name);
        if (operation == null || operation.host)
            throw new DruaException(
                "Drua has no operation '" + name + "'; see Plugins>Drua>Drua Help for all operations");
        return operation;
    }

    /** Frees the device and all its images. Calling it again does nothing. */
    @Override
    public synchronized void close() {
        synchronized (Drua.class) {
            contexts.remove(memory);
        }
        images.clear();
        Native.close(context);
        context = 0;
    }

    /** The number of the next image. The caller holds this object's lock. */
    int countImage() {
        return ++imageCount;
    }

    /** For Jython: with Drua.open() as drua closes the device at the end of its block. */
    public Drua __enter__() {
        return this;
    }

    public void __exit__(Object... ignored) {
        close();
    }

    /** Registers an image as owned by this object. The caller holds this object's lock. */
    Owned.Entry<Image> own(Image image, long handle) {
        return ask(context -> {
            Owned.Entry<Image> entry = images.add(image, handle, Math.max(Native.info(context, handle)[5], MIN_BYTES));
            if (images.grown() > MIN_GROWTH && images.grown() > Native.budget(context) / PART_OF_BUDGET)
                images.collect(lost -> Native.release(context, lost));
            return entry;
        });
    }

    /** Frees an image unless close() has already freed it. The caller holds this object's lock. */
    void release(Owned.Entry<Image> image) {
        if (images.remove(image))
            ask(context -> {
                Native.release(context, image.number);
                return null;
            });
    }

    /** Calls the engine and converts its failures to DruaException. The caller holds this object's lock. */
    <T> T ask(LongFunction<T> question) {
        if (context == 0)
            throw new DruaException("this Drua object is closed; open a new one with Drua.open()");
        return withDruaException(() -> {
            images.freeLost(lost -> Native.release(context, lost));
            return question.apply(context);
        });
    }

    /** Same as ask() for calls that may take long: shows progress and stops on Escape. */
    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    private <T> T askWatched(LongFunction<T> question) {
        return ask(context -> {
            try (Watch watch = Watch.begin(context, "Drua")) {
                return question.apply(context);
            }
        });
    }

    private static <T> T withDruaException(Supplier<T> question) {
        try {
            return question.get();
        } catch (EngineException e) {
            throw new DruaException(e);
        }
    }
}
