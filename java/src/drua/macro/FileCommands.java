// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.WholeFile;
import drua.imagej.Images;
import drua.imagej.LargeFile;
import ij.IJ;
import ij.ImagePlus;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Reads and writes image files and text files of points; see {@link HostCommands}. */
final class FileCommands {
    /** The file that each loader reads in advance; guarded by the engine's lock. */
    private static final Map<String, CompletableFuture<ImagePlus>> AHEAD = new HashMap<>();
    private static final Map<String, String> PATHS = new HashMap<>();

    /** largest array in Java */
    private static final int MAX_BYTES_OF_PLANE = Integer.MAX_VALUE - 8;

    private FileCommands() {}

    /* ---- images ---- */

    public static void saveAsTif(Call call) {
        ImagePlus image = Images.pull(call.context(), call.image("source"), call.text("source"), !call.compatible());
        String path = call.path("path");
        File file = call.newFile(path.matches("(?is).*\\.tiff?") ? path : path + ".tif");
        write(call, file, part -> Images.saveAsTiff(image, part));
    }

    public static void readImageFromDisc(Call call) {
        push(call, IJ.openImage(path(call)));
    }

    public static void preloadFromDisc(Call call) {
        String loader = call.text("loader"), next = call.text("next_path");
        CompletableFuture<ImagePlus> ahead = path(call).equals(PATHS.remove(loader)) ? AHEAD.get(loader) : null;
        AHEAD.remove(loader);
        ImagePlus image = ahead != null ? ahead.join() : IJ.openImage(path(call));
        if (!next.isEmpty()) {
            String path = new File(next).getAbsolutePath();
            PATHS.put(loader, path);
            AHEAD.put(loader, CompletableFuture.supplyAsync(() -> new File(path).isFile() ? IJ.openImage(path) : null));
        }
        push(call, image);
    }

    public static void processFile(Call call) {
        try {
            LargeFile.process(
                call.name(), call.text("pipeline"), call.file("input"), call.file("output"), call.text("settings"));
        } catch (EngineException e) {
            throw call.error(e.getMessage());
        }
    }

    private static String path(Call call) {
        File file = new File(call.path("path")).getAbsoluteFile();
        if (!file.isFile())
            throw call.error("path", "there is no file " + file + "; check the path");
        return file.getPath();
    }

    private static void push(Call call, ImagePlus image) {
        if (image == null)
            throw call.error("path",
                "'" + call.text("path") + "' is not an image that ImageJ can open"
                    + "; convert it to TIFF");
        call.put(
            call.destination("destination"), old -> Images.push(call.context(), image, Images.all(image), null, old));
    }

    public static void readRawImageFromDisc(Call call) {
        int width = (int) call.integer("width"), height = (int) call.integer("height"),
            depth = (int) call.integer("depth");
        int bits = (int) call.integer("bits_per_pixel");
        if (bits != 8 && bits != 16 && bits != 32)
            throw call.error("bits_per_pixel", "must be 8, 16 or 32, got " + bits);
        int type = bits == 8 ? Images.UINT8 : bits == 16 ? Images.UINT16 : Images.FLOAT32;
        if ((long) width * height > MAX_BYTES_OF_PLANE / (bits / 8))
            throw call.error("height",
                "a plane may have at most " + MAX_BYTES_OF_PLANE + " bytes, but " + width + " x " + height
                    + " pixels of " + bits + " bits are too many; read the file in parts");
        long plane = (long) width * height * bits / 8, bytes = plane * depth;
        try (RandomAccessFile file = new RandomAccessFile(path(call), "r")) {
            if (file.length() < bytes)
                throw call.error("path",
                    "'" + call.text("path") + "' holds " + file.length() + " bytes, but " + width + " x " + height
                        + " x " + depth + " pixels of " + bits + " bits take " + bytes
                        + "; correct the size or bits_per_pixel");
            call.put(call.destination("destination"),
                old
                -> Images.push(call.context(), width, height, depth, 3, type,
                    z -> plane(file, z * plane, (int) plane, type), old));
        } catch (IOException | UncheckedIOException e) {
            throw call.error("path",
                "'" + call.text("path") + "' could not be read (" + e.getMessage()
                    + "); check its permissions and its disk");
        }
    }

    private static Object plane(RandomAccessFile file, long at, int bytes, int type) {
        byte[] plane = new byte[bytes];
        try {
            file.seek(at);
            file.readFully(plane);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (type == Images.UINT8)
            return plane;
        ByteBuffer buffer = ByteBuffer.wrap(plane).order(ByteOrder.LITTLE_ENDIAN);
        if (type == Images.UINT16) {
            short[] numbers = new short[bytes / 2];
            buffer.asShortBuffer().get(numbers);
            return numbers;
        }
        float[] numbers = new float[bytes / 4];
        buffer.asFloatBuffer().get(numbers);
        return numbers;
    }

    /* ---- points: each column of the list is a point; without a row for z, z is 0 ---- */

    public static void writeXyzPointListToDisc(Call call) {
        float[][] points = points(call);
        StringBuilder text = new StringBuilder(points.length + "\n\n");
        for (int i = 0; i < points.length; i++)
            text.append(i).append(' ').append(words(points[i])).append('\n');
        writeText(call, text);
    }

    public static void writeVtkLineListToDisc(Call call) {
        float[][] points = points(call);
        long matrix = call.image("touch_matrix");
        int width = (int) Native.info(call.context(), matrix)[0], count = 0;
        float[] touches = Images.pullNumbers(call.context(), matrix)[0];
        StringBuilder lines = new StringBuilder(), lengths = new StringBuilder();
        for (int i = 0; i < touches.length; i++) {
            int from = i % width - 1, to = i / width - 1;
            if (touches[i] == 0 || from < 0 || to < 0)
                continue;
            if (Math.max(from, to) >= points.length)
                throw call.error("touch_matrix",
                    "points " + (from + 1) + " and " + (to + 1) + " touch in it, but there are only " + points.length
                        + " points; make both from the same label map");
            lines.append("2 ").append(from).append(' ').append(to).append('\n');
            lengths.append((float) distance(points[from], points[to])).append('\n');
            count++;
        }
        StringBuilder text = new StringBuilder(
            "# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\nPOINTS " + points.length + " float\n");
        for (float[] point : points)
            text.append(words(point)).append('\n');
        text.append("LINES ").append(count).append(' ').append(3 * count).append('\n').append(lines);
        text.append("CELL_DATA ")
            .append(count)
            .append("\nSCALARS distance float 1\nLOOKUP_TABLE default\n")
            .append(lengths);
        writeText(call, text);
    }

    private static float[][] points(Call call) {
        long image = call.image("points");
        int count = (int) Native.info(call.context(), image)[0];
        float[] numbers = Images.pullNumbers(call.context(), image)[0];
        float[][] points = new float[count][3];
        for (int i = 0; i < Math.min(numbers.length, 3 * count); i++)
            points[i % count][i / count] = numbers[i];
        return points;
    }

    private static String words(float[] point) {
        return point[0] + " " + point[1] + " " + point[2];
    }

    private static double distance(float[] a, float[] b) {
        double sum = 0;
        for (int axis = 0; axis < 3; axis++)
            sum += ((double) a[axis] - b[axis]) * ((double) a[axis] - b[axis]);
        return Math.sqrt(sum);
    }

    private static void writeText(Call call, CharSequence text) {
        write(call, call.newTextFile("path"),
            part -> Files.write(part.toPath(), text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static void write(Call call, File file, WholeFile.Writer writer) {
        try {
            WholeFile.write(file, writer);
        } catch (IOException e) {
            throw call.error("path",
                "'" + file + "' could not be written (" + e.getMessage()
                    + "); check the disk space and the permissions of its folder");
        }
    }
}
