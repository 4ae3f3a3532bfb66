// SPDX-License-Identifier: BSD-3-Clause
package drua;

import ij.IJ;
import ij.ImagePlus;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Files that go to the device past windows, and text files of points. */
final class Files {
    /** By loader, the file that it reads ahead; guarded by the engine's lock. */
    private static final Map<String, CompletableFuture<ImagePlus>> AHEAD = new HashMap<>();
    private static final Map<String, String> PATHS = new HashMap<>();

    private Files() {}

    /* ---- images ---- */

    static void read(Call call) {
        push(call, IJ.openImage(path(call)));
    }

    static void readAhead(Call call) {
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

    private static String path(Call call) {
        File file = new File(call.text("path")).getAbsoluteFile();
        if (!file.isFile())
            throw call.error("path", "there is no file " + file);
        return file.getPath();
    }

    private static void push(Call call, ImagePlus image) {
        if (image == null)
            throw call.error("path", "'" + call.text("path") + "' is no image that ImageJ can open");
        bind(call, old -> Images.push(call.context(), image, Images.all(image), null, old));
    }

    private interface Push {
        long to(long old);
    }

    private static void bind(Call call, Push push) {
        String name = call.destination("destination");
        long old = Native.exists(call.context(), name) ? Native.find(call.context(), name) : 0, image = push.to(old);
        if (image != old)
            Native.bind(call.context(), name, image);
    }

    static void readRaw(Call call) {
        int width = (int) call.integer("width"), height = (int) call.integer("height"), depth = (int) call.integer("depth");
        int bits = (int) call.integer("bits_per_pixel");
        if (bits != 8 && bits != 16 && bits != 32)
            throw call.error("bits_per_pixel", "must be 8, 16 or 32, got " + bits);
        int type = bits == 8 ? Images.UINT8 : bits == 16 ? Images.UINT16 : Images.FLOAT32;
        long plane = (long) width * height * bits / 8, bytes = plane * depth;
        try (RandomAccessFile file = new RandomAccessFile(path(call), "r")) {
            if (file.length() < bytes)
                throw call.error("path", "'" + call.text("path") + "' holds " + file.length() + " bytes, but " + width + " x " + height + " x " + depth
                    + " pixels of " + bits + " bits take " + bytes);
            bind(call, old -> Images.push(call.context(), width, height, depth, 3, type, z -> plane(file, z * plane, (int) plane, type), old));
        } catch (IOException | UncheckedIOException e) {
            throw call.error("path", "'" + call.text("path") + "' could not be read: " + e.getMessage());
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

    /* ---- points: a column of the list each; where it has no row for z, that is 0 ---- */

    static void writePoints(Call call) {
        float[][] points = points(call);
        StringBuilder text = new StringBuilder(points.length + "\n\n");
        for (int i = 0; i < points.length; i++)
            text.append(i).append(' ').append(words(points[i])).append('\n');
        write(call, text);
    }

    static void writeLines(Call call) {
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
                throw call.error("touch_matrix", "it has a touch of points " + (from + 1) + " and " + (to + 1) + ", but there are " + points.length);
            lines.append("2 ").append(from).append(' ').append(to).append('\n');
            lengths.append((float) distance(points[from], points[to])).append('\n');
            count++;
        }
        StringBuilder text = new StringBuilder("# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\nPOINTS " + points.length + " float\n");
        for (float[] point : points)
            text.append(words(point)).append('\n');
        text.append("LINES ").append(count).append(' ').append(3 * count).append('\n').append(lines);
        text.append("CELL_DATA ").append(count).append("\nSCALARS distance float 1\nLOOKUP_TABLE default\n").append(lengths);
        write(call, text);
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

    private static void write(Call call, CharSequence text) {
        File file = new File(call.text("path")).getAbsoluteFile();
        if (!file.getParentFile().isDirectory() && !file.getParentFile().mkdirs())
            throw call.error("path", "the folder " + file.getParentFile() + " cannot be made; give a path in a folder that you may write to");
        try (PrintWriter writer = new PrintWriter(file, StandardCharsets.UTF_8.name())) {
            writer.append(text);
        } catch (IOException e) {
            throw call.error("path", "'" + file + "' could not be written: " + e.getMessage());
        }
    }
}
