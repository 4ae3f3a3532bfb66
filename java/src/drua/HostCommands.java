// SPDX-License-Identifier: BSD-3-Clause
package drua;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.gui.ImageWindow;
import ij.gui.Roi;
import ij.io.FileSaver;
import ij.measure.Calibration;
import ij.measure.ResultsTable;
import ij.plugin.frame.RoiManager;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;
import java.awt.Dimension;
import java.awt.Rectangle;
import java.io.File;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands that need ImageJ: windows, tables, selections. Each public method is the body of the operation of that name
 * (push_current_slice: pushCurrentSlice), found by reflection; names, parameters and pages are declared with the operation.
 */
final class HostCommands {
    /** Remembered by pushMetaData; guarded by the engine's lock. */
    private static final Deque<Calibration> SCALES = new ArrayDeque<>();

    /* Words of a deconvolution's options. */
    private static final Pattern KEEP_PARTIAL = Pattern.compile("(^|\\s)keep_partial(=(true|1))?(\\s|$)", Pattern.CASE_INSENSITIVE);
    private static final Pattern BACKGROUND = Pattern.compile("(?:^|\\s)background=([0-9.eE+]+)", Pattern.CASE_INSENSITIVE);

    private static long watch;

    private HostCommands() {}

    /* ---- images ---- */

    public static void push(Call call) {
        ImagePlus image = window(call, "image");
        push(call, image, Images.all(image), null);
    }

    public static void pushAs(Call call) {
        ImagePlus image = window(call, "image");
        push(call, call.text("new_name"), image, Images.all(image), null);
    }

    public static void pushTile(Call call) {
        ImagePlus image = window(call, "image");
        Tile tile = new Tile(call, image);
        push(call, image, tile.slices, tile.part);
    }

    public static void pushCurrentSlice(Call call) {
        ImagePlus image = window(call, "image");
        push(call, image, new int[] {image.getCurrentSlice()}, selection(image));
    }

    public static void pushCurrentSliceSelection(Call call) {
        pushCurrentSlice(call);
    }

    public static void pushCurrentZStack(Call call) {
        ImagePlus image = window(call, "image");
        push(call, image, Images.currentSlices(image), selection(image));
    }

    public static void pushCurrentSelection(Call call) {
        ImagePlus image = window(call, "image");
        push(call, image, Images.all(image), selection(image));
    }

    private static void push(Call call, ImagePlus image, int[] slices, Rectangle part) {
        push(call, call.text("image"), image, slices, part);
    }

    private static void push(Call call, String name, ImagePlus image, int[] slices, Rectangle part) {
        long old = Native.exists(call.context(), name) ? Native.find(call.context(), name) : 0;
        bind(call, name, Images.push(call.context(), image, slices, part, old), old);
        image.changes = false;
    }

    private static void bind(Call call, String name, long image, long old) {
        if (image != old)
            Native.bind(call.context(), name, image);
    }

    /** The open image of a title or ID; the current one if several have the title. */
    private static ImagePlus window(Call call, String parameter) {
        String title = call.text(parameter);
        ImagePlus current = WindowManager.getCurrentImage();
        if (current != null && current.getTitle().equals(title))
            return current;
        ImagePlus image = WindowManager.getImage(title);
        if (image == null && title.matches("-\\d{1,9}"))
            image = WindowManager.getImage(Integer.parseInt(title));
        if (image == null)
            throw call.error(parameter, "no open image has the title '" + title + "'; " + titles());
        return image;
    }

    private static String titles() {
        int[] ids = WindowManager.getIDList();
        if (ids == null)
            return "no image is open";
        List<String> titles = new ArrayList<>();
        for (int id : ids)
            titles.add("'" + WindowManager.getImage(id).getTitle() + "'");
        return "open are " + String.join(", ", titles);
    }

    /** The bounding box of an area selection, inside the image; null if there is none. */
    static Rectangle selection(ImagePlus image) {
        Roi roi = image.getRoi();
        if (roi == null || !roi.isArea())
            return null;
        Rectangle inside = roi.getBounds().intersection(new Rectangle(image.getWidth(), image.getHeight()));
        return inside.isEmpty() ? null : inside;
    }

    public static void pull(Call call) {
        Images.pull(call.context(), call.image("image"), call.text("image"), !call.compatible()).show();
    }

    public static void pullBinary(Call call) {
        Images.pullBinary(call.context(), call.image("image"), call.text("image")).show();
    }

    public static void pullAsRoi(Call call) {
        ImagePlus target = current(call);
        Roi roi = Selections.ofMask(mask(call));
        if (roi == null)
            target.deleteRoi();
        else
            target.setRoi(roi);
    }

    public static void pullToRoiManager(Call call) {
        Roi roi = Selections.ofMask(mask(call));
        if (roi == null)
            throw call.error("source", "all pixels of '" + call.text("source") + "' are zero, so there is nothing to select");
        Selections.manager(call).addRoi(roi);
    }

    public static void pullLabelsToRoiManager(Call call) {
        RoiManager manager = Selections.manager(call);
        for (Roi roi : labels(call))
            manager.addRoi(roi);
    }

    public static void pullLabelsToRoiList(Call call) {
        for (Roi roi : labels(call))
            IJ.log(roi.getName() + ": " + roi);
    }

    private static ImageProcessor mask(Call call) {
        return Images.pullBinary(call.context(), plane(call, "source"), "").getProcessor();
    }

    private static List<Roi> labels(Call call) {
        long image = plane(call, "source");
        return Selections.ofLabels(Images.pullNumbers(call.context(), image)[0], (int) Native.info(call.context(), image)[0]);
    }

    public static void pullToCurrentSlice(Call call) {
        write(call, 0, 0, null);
    }

    public static void pullToCurrentSliceSelection(Call call) {
        Rectangle selection = selection(window(call, "target_image_stack"));
        if (selection == null)
            write(call, 0, 0, null);
        else
            write(call, selection.x, selection.y, selection.getSize());
    }

    /** @param most how much is written at most; null: all */
    private static void write(Call call, int x, int y, Dimension most) {
        ImagePlus target = greyWindow(call, "target_image_stack");
        long image = plane(call, "input_slice");
        long[] info = Native.info(call.context(), image);
        Rectangle part = new Rectangle(most != null ? most : new Dimension((int) info[0], (int) info[1]));
        Images.write(Images.pullNumbers(call.context(), image)[0], (int) info[0], part, target.getProcessor(), x, y);
        target.updateAndDraw();
    }

    public static void pullTile(Call call) {
        ImagePlus target = greyWindow(call, "image");
        Tile tile = new Tile(call, target);
        long image = call.image("image");
        float[][] planes = Images.pullNumbers(call.context(), image);
        Rectangle part = new Rectangle(tile.core);
        part.translate(-tile.part.x, -tile.part.y);
        for (int z = tile.skip; z < Math.min(tile.skip + tile.count, planes.length); z++)
            Images.write(planes[z], (int) Native.info(call.context(), image)[0], part, target.getStack().getProcessor(tile.slices[z]),
                tile.core.x, tile.core.y);
        target.updateAndDraw();
    }

    public static void pushGridTile(Call call) {
        ImagePlus image = window(call, "image");
        GridTile tile = new GridTile(call, image);
        push(call, image, tile.slices, tile.part);
    }

    public static void pullGridTileToImage(Call call) {
        ImagePlus target = greyWindow(call, "image");
        new GridTile(call, target).write(Images.pullNumbers(call.context(), call.image("source")), Native.info(call.context(), call.image("source")),
            target, (int) call.integer("fusion_mode"));
        target.resetDisplayRange();
        target.updateAndDraw();
    }

    public static void organiseWindows(Call call) {
        int[] ids = WindowManager.getIDList();
        long rows = call.integer("tiles_y"), columns = call.integer("tiles_x");
        int width = (int) call.integer("tile_width"), height = (int) call.integer("tile_height");
        int x = (int) call.integer("start_x"), y = (int) call.integer("start_y");
        for (int i = 0; ids != null && i < Math.min(ids.length, rows * columns); i++) {
            ImageWindow window = WindowManager.getImage(ids[i]).getWindow();
            if (window != null)
                window.setLocationAndSize(x + (int) (i / rows) * width, y + (int) (i % rows) * height, width, height);
        }
    }

    private static ImagePlus greyWindow(Call call, String parameter) {
        ImagePlus target = window(call, parameter);
        if (target.getType() == ImagePlus.COLOR_RGB)
            throw call.error(parameter, "'" + target.getTitle() + "' is an RGB image, which single planes cannot be written to; "
                + "convert it to 8, 16 or 32 bits");
        return target;
    }

    public static void showGrey(Call call) {
        showIn(Images.pull(call.context(), call.image("source"), call.text("title"), !call.compatible()));
    }

    public static void showRgb(Call call) {
        ByteProcessor[] channels = new ByteProcessor[3];
        for (int i = 0; i < 3; i++) {
            String name = Arrays.asList("red", "green", "blue").get(i);
            ImageProcessor ip = Images.pull(call.context(), plane(call, name), "", false).getProcessor();
            channels[i] = ip instanceof ByteProcessor ? (ByteProcessor) ip : ip.convertToByteProcessor(true);
            if (ip.getWidth() != channels[0].getWidth() || ip.getHeight() != channels[0].getHeight())
                throw call.error(name, "'" + call.text(name) + "' is " + ip.getWidth() + "x" + ip.getHeight() + " pixels, but red is "
                    + channels[0].getWidth() + "x" + channels[0].getHeight() + "; they must be equal");
        }
        ColorProcessor rgb = new ColorProcessor(channels[0].getWidth(), channels[0].getHeight());
        for (int i = 0; i < 3; i++)
            rgb.setChannel(i + 1, channels[i]);
        showIn(new ImagePlus(call.text("title"), rgb));
    }

    /** Puts the pixels into the window of the image's title, or opens one. */
    private static void showIn(ImagePlus image) {
        ImagePlus open = WindowManager.getImage(image.getTitle());
        if (open == null) {
            image.show();
            return;
        }
        open.setStack(image.getStack());
        open.setDisplayRange(image.getDisplayRangeMin(), image.getDisplayRangeMax());
        open.updateAndDraw();
    }

    public static void pushMetaData(Call call) {
        SCALES.push(current(call).getCalibration().copy());
    }

    public static void popMetaData(Call call) {
        ImagePlus target = current(call);
        if (SCALES.isEmpty())
            throw call.error("no scale was remembered; pushMetaData does that");
        target.setCalibration(SCALES.pop());
    }

    public static void resetMetaData(Call call) {
        SCALES.clear();
    }

    private static ImagePlus current(Call call) {
        ImagePlus image = WindowManager.getCurrentImage();
        if (image == null)
            throw call.error("it needs the current window, but no image is open");
        return image;
    }

    private static long plane(Call call, String parameter) {
        long image = call.image(parameter);
        long depth = Native.info(call.context(), image)[2];
        if (depth > 1)
            throw call.error(parameter, "'" + call.text(parameter) + "' has " + depth + " slices, but one is needed; take it with copySlice");
        return image;
    }

    public static void saveAsTif(Call call) {
        ImagePlus image = Images.pull(call.context(), call.image("source"), call.text("source"), !call.compatible());
        String path = call.text("path");
        File file = new File(path.matches("(?is).*\\.tiff?") ? path : path + ".tif").getAbsoluteFile();
        File folder = file.getParentFile();
        if (!folder.isDirectory() && !folder.mkdirs())
            throw call.error("path", "the folder " + folder + " cannot be made; give a path in a folder that you may write to");
        FileSaver saver = new FileSaver(image);
        if (!(image.getStackSize() > 1 ? saver.saveAsTiffStack(file.getPath()) : saver.saveAsTiff(file.getPath())))
            throw call.error("path", "'" + file + "' could not be written");
    }

    public static void read(Call call) {
        readPart(call, 0, 0);
    }

    public static void readPart(Call call) {
        readPart(call, call.integer("channel"), call.integer("frame"));
    }

    private static void readPart(Call call, long channel, long frame) {
        String path = new File(call.text("path")).getAbsolutePath();
        try {
            long image = Native.readTiff(call.context(), path, channel, frame);
            Native.bind(call.context(), call.destination("image"), image);
        } catch (DruaException e) {
            throw call.error(e.getMessage());
        }
    }

    public static void write(Call call) {
        File file = new File(call.text("path")).getAbsoluteFile();
        File folder = file.getParentFile();
        if (!folder.isDirectory() && !folder.mkdirs())
            throw call.error("path", "the folder " + folder + " cannot be made; give a path in a folder that you may write to");
        long image = call.image("image");
        try {
            Native.writeTiff(call.context(), image, file.getPath(), null);
        } catch (DruaException e) {
            throw call.error(e.getMessage());
        }
    }

    public static void readImageFromDisc(Call call) {
        Files.read(call);
    }

    public static void preloadFromDisc(Call call) {
        Files.readAhead(call);
    }

    public static void readRawImageFromDisc(Call call) {
        Files.readRaw(call);
    }

    public static void writeXyzPointListToDisc(Call call) {
        Files.writePoints(call);
    }

    public static void writeVtkLineListToDisc(Call call) {
        Files.writeLines(call);
    }

    /* ---- deconvolution ---- */

    public static void deconvolveHyperstack(Call call) {
        ImagePlus image = window(call, "image"), psf = window(call, "psf");
        int channels = image.getNChannels();
        int all = channels * image.getNFrames(), done = 0;
        boolean keeps = KEEP_PARTIAL.matcher(call.text("options")).find(), stopped = false;
        ImageStack stack = new ImageStack(image.getWidth(), image.getHeight(), image.getStackSize());
        long[] kernels = new long[psf.getNChannels() >= channels ? channels : 1];
        try {
            pushPointSpreads(call, image, psf, kernels);
            for (int c = 1; c <= channels; c++) {
                for (int t = 1; t <= image.getNFrames(); t++) {
                    int[] slices = Images.slices(image, c, t);
                    stopped = stopped || keeps && done > 0 && mustStop();
                    if (!stopped)
                        stopped = !deconvolve(call, image, slices, kernels[Math.min(c, kernels.length) - 1], stack, keeps && done > 0);
                    if (stopped)
                        copyWithoutBackground(image, slices, call.text("options"), stack);
                    else
                        done++;
                }
            }
        } catch (DruaException e) {
            throw call.error(e.getMessage());
        } finally {
            for (long kernel : kernels)
                if (kernel != 0)
                    Native.release(call.context(), kernel);
        }
        if (keeps && mustStop())
            IJ.log("deconvolveHyperstack was stopped: of " + all + " channels and frames " + done + (done == 1 ? " is" : " are") + " done, the last one as far as it went"
                + (done < all ? "; the others are the image without its background" : ""));
        Images.show(call.text("title"), stack, image);
    }

    private static boolean mustStop() {
        return IJ.escapePressed() || Thread.currentThread().isInterrupted();
    }

    private static void copyWithoutBackground(ImagePlus image, int[] slices, String options, ImageStack target) {
        Matcher given = BACKGROUND.matcher(options);
        float background = given.find() ? Float.parseFloat(given.group(1)) : 0;
        for (int slice : slices) {
            float[] pixels = (float[]) image.getStack().getProcessor(slice).convertToFloatProcessor().getPixelsCopy();
            for (int i = 0; i < pixels.length; i++)
                pixels[i] = Math.max(pixels[i] - background, 0);
            target.setPixels(pixels, slice);
        }
    }

    /** Of each channel, or the one that is shown; says once what is doubtful, and of which. */
    private static void pushPointSpreads(Call call, ImagePlus image, ImagePlus psf, long[] kernels) {
        Map<String, List<String>> told = new LinkedHashMap<>();
        PointSpread.check(image);
        long source = Images.push(call.context(), image, Images.slices(image, 1, 1), null, 0);
        try {
            for (int i = 0; i < kernels.length; i++) {
                List<String> doubts = new ArrayList<>();
                int[] slices = Images.slices(psf, kernels.length > 1 ? i + 1 : psf.getChannel(), psf.getFrame());
                kernels[i] = PointSpread.push(call.context(), image, source, psf, slices, doubts);
                for (String doubt : doubts)
                    told.computeIfAbsent(doubt, d -> new ArrayList<>()).add(String.valueOf(i + 1));
            }
        } finally {
            Native.release(call.context(), source);
        }
        told.forEach((doubt, channels) -> IJ.log(channels.size() == kernels.length ? doubt : "channel " + String.join(", ", channels) + ": " + doubt));
    }

    /** False if it was stopped before there was anything, and that is to be told from a fault. */
    private static boolean deconvolve(Call call, ImagePlus image, int[] slices, long kernel, ImageStack target, boolean mayStop) {
        Registry.Operation operation = Registry.get().operations.get("deconvolve");
        long source = Images.push(call.context(), image, slices, null, 0), result = 0;
        try {
            Object[] arguments = new Object[operation.parameters.size()];
            arguments[0] = source;
            arguments[1] = kernel;
            arguments[3] = call.text("options");
            result = (Long) Invocation.run(call.context(), operation, arguments)[0];
            Watch.hold(true);
            Object[] planes = Images.pullPlanes(call.context(), result);
            for (int z = 0; z < slices.length; z++)
                target.setPixels(planes[z], slices[z]);
            return true;
        } catch (DruaException e) {
            if (mayStop && mustStop())
                return false;
            throw e;
        } finally {
            Watch.hold(false);
            Native.release(call.context(), source);
            if (result != 0)
                Native.release(call.context(), result);
        }
    }

    /* ---- memory ---- */

    public static void release(Call call) {
        String name = call.text("image");
        if (call.compatible() && !Native.exists(call.context(), name))
            IJ.log("Drua went on, as CLIJ2 does: there is no image '" + name + "' to release");
        else
            Native.releaseName(call.context(), name);
    }

    public static void clear(Call call) {
        Native.clear(call.context());
    }

    public static void reportMemory(Call call) {
        IJ.log(Native.reportMemory(call.context()));
    }

    public static void explain(Call call) {
        IJ.log(Native.explain(call.context()));
    }

    public static void startTimeTracing(Call call) {
        Native.trace(call.context(), true);
    }

    public static void stopTimeTracing(Call call) {
        Native.trace(call.context(), false);
    }

    public static void getTimeTracing(Call call) {
        call.set("time_traces", Native.traceText(call.context()));
    }

    /* ---- the Log ---- */

    public static void print(Call call) {
        long image = call.image("source");
        int width = (int) Native.info(call.context(), image)[0];
        StringBuilder text = new StringBuilder();
        for (float[] plane : Images.pullNumbers(call.context(), image)) {
            text.append(text.length() > 0 ? "\n" : "");
            for (int i = 0; i < plane.length; i++)
                text.append(plane[i]).append((i + 1) % width == 0 ? '\n' : ' ');
        }
        IJ.log(text.toString());
    }

    public static void help(Call call) {
        String keyword = call.text("keyword").toLowerCase(Locale.ROOT);
        List<Registry.Command> found = new ArrayList<>();
        for (Registry.Command command : Registry.get().commands.values()) {
            if (command.name.toLowerCase(Locale.ROOT).contains(keyword))
                found.add(command);
        }
        IJ.log("Found " + found.size() + " commands containing \"" + call.text("keyword") + "\":");
        for (Registry.Command command : found)
            IJ.log(command.signature() + "\n    " + command.operation.summary);
    }

    /* ---- the Results table ---- */

    public static void listAvailableGpus(Call call) {
        ResultsTable table = ResultsTable.getResultsTable();
        for (String[] device : Native.devices()) {
            table.incrementCounter();
            table.addValue("GPUName", device[0]);
            table.addValue("Max_memory_in_bytes", Double.parseDouble(device[7]));
            table.addValue("OpenCL_version", Double.parseDouble(device[4]));
            table.addValue("Clock_frequency", Double.parseDouble(device[10]));
            table.addValue("Number_of_compute_units", Double.parseDouble(device[9]));
            table.addValue("Global_memory_in_bytes", Double.parseDouble(device[6]));
            table.addValue("Local_memory_in_bytes", Double.parseDouble(device[8]));
            table.addValue("Max_workgroup_size", Double.parseDouble(device[11]));
            table.addValue("Extensions", device[12]);
            table.addValue("Info", String.join(", ", device[1], device[3], device[2]));
        }
        table.show("Results");
    }

    public static void gpuProperties(Call call) {
        String[] device = Native.device(call.context());
        ResultsTable table = ResultsTable.getResultsTable();
        table.incrementCounter();
        table.addValue("GPUName", device[0]);
        table.addValue("Global_memory_in_bytes", Double.parseDouble(device[6]));
        table.addValue("OpenCL_version", Double.parseDouble(device[4]));
        table.show("Results");
    }

    public static void clInfo(Call call) {
        String[] names = {"Name", "Platform", "Driver", "Version", "OpenCL", "Kind", "Memory in bytes", "Largest image in bytes",
            "Local memory in bytes", "Compute units", "Clock frequency in MHz", "Largest work-group", "Extensions"};
        for (String[] device : Native.devices()) {
            for (int i = 0; i < names.length; i++)
                IJ.log((i > 0 ? "    " : "") + names[i] + ": " + device[i]);
        }
    }

    public static void invalidateKernelCache(Call call) {
        Native.sync(call.context());
    }

    public static void stopWatch(Call call) {
        Native.sync(call.context());
        long now = System.nanoTime();
        IJ.log(call.text("text") + (watch == 0 ? "" : " " + (now - watch) / 1000000 + " ms"));
        watch = now;
    }

    public static void pushResultsTable(Call call) {
        ResultsTable table = filledTable(call);
        List<String> columns = new ArrayList<>();
        for (String heading : table.getHeadings()) {
            if (table.columnExists(heading))
                columns.add(heading);
        }
        if (columns.isEmpty())
            throw call.error("the Results table has no columns with numbers");
        float[] pixels = new float[columns.size() * table.size()];
        for (int y = 0; y < table.size(); y++) {
            for (int x = 0; x < columns.size(); x++)
                pixels[y * columns.size() + x] = (float) table.getValue(columns.get(x), y);
        }
        pushNumbers(call, columns.size(), table.size(), 2, pixels);
    }

    public static void pushResultsTableColumn(Call call) {
        float[] pixels = column(call);
        pushNumbers(call, pixels.length, 1, 3, pixels);
    }

    public static void parametricImageOfResultsTableColumn(Call call) {
        float[] pixels = column(call);
        long context = call.context(), labels = call.image("source");
        long values = Images.push(context, pixels.length, 1, 1, 3, Images.FLOAT32, z -> pixels, 0);
        String name = call.destination("destination");
        long old = Native.exists(context, name) ? Native.find(context, name) : 0;
        Map<String, Registry.Operation> operations = Registry.get().operations;
        Object numbers = Invocation.run(context, operations.get("convert_float"), new Object[] {labels, null})[0];
        Object painted = Invocation.run(context, operations.get("replace_intensities"), new Object[] {numbers, values, old == 0 ? null : (Object) old})[0];
        bind(call, name, (Long) painted, old);
        Native.release(context, values);
        Native.release(context, (Long) numbers);
    }

    private static float[] column(Call call) {
        ResultsTable table = filledTable(call);
        String column = call.text("column_name");
        if (!table.columnExists(column))
            throw call.error("column_name", "the Results table has no column '" + column + "'; it has '"
                + String.join("', '", table.getHeadings()) + "'");
        float[] pixels = new float[table.size()];
        for (int y = 0; y < pixels.length; y++)
            pixels[y] = (float) table.getValue(column, y);
        return pixels;
    }

    private static ResultsTable filledTable(Call call) {
        ResultsTable table = ResultsTable.getResultsTable();
        if (table.size() == 0)
            throw call.error("the Results table is empty; measure something first");
        return table;
    }

    private static void pushNumbers(Call call, int width, int height, int dimension, float[] pixels) {
        String name = call.destination("destination");
        long old = Native.exists(call.context(), name) ? Native.find(call.context(), name) : 0;
        bind(call, name, Images.push(call.context(), width, height, 1, dimension, Images.FLOAT32, z -> pixels, old), old);
    }

    public static void pullToResultsTable(Call call) {
        long image = plane(call, "source");
        int width = (int) Native.info(call.context(), image)[0];
        float[] pixels = Images.pullNumbers(call.context(), image)[0];
        ResultsTable table = ResultsTable.getResultsTable();
        for (int y = 0; y < pixels.length / width; y++) {
            table.incrementCounter();
            for (int x = 0; x < width; x++)
                table.addValue("X" + x, pixels[y * width + x]);
        }
        table.show("Results");
    }

    public static void pullToResultsTableColumn(Call call) {
        float[] pixels = Images.pullNumbers(call.context(), plane(call, "source"))[0];
        String column = call.text("column_name");
        ResultsTable table = ResultsTable.getResultsTable();
        int missing = call.flag("append_new_rows") ? pixels.length : Math.max(0, pixels.length - table.size());
        for (int i = 0; i < missing; i++)
            table.incrementCounter();
        for (int i = 0; i < pixels.length; i++)
            table.setValue(column, table.size() - pixels.length + i, pixels[i]);
        table.show("Results");
    }
}
