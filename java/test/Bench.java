// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.Engine;
import drua.engine.Native;
import drua.headless.MacroRun;
import drua.imagej.Images;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures the overhead of Java on top of {@code drua-bench engine}: {@code Bench [SLICES]}. It measures transfers of a
 * stack of SLICES (512) planes of 1024x512 16-bit pixels, calls from a macro on a small image, and a macro's loop over
 * frames compared with its transfers alone. All times are medians of seven.
 */
final class Bench {
    private static final int WIDTH = 1024, HEIGHT = 512, TIMES = 7, WARM_UP = 2;

    private Bench() {}

    private interface Work {
        void run();
    }

    private static double median(Work work) {
        double[] seconds = new double[TIMES];
        for (int i = -WARM_UP; i < TIMES; i++) {
            long start = System.nanoTime();
            work.run();
            if (i >= 0)
                seconds[i] = 1e-9 * (System.nanoTime() - start);
        }
        Arrays.sort(seconds);
        return seconds[TIMES / 2];
    }

    private static void row(String what, double seconds, double bytes) {
        System.out.printf(Locale.ROOT, "%s\t%.4f\t%s%n", what, 1e3 * seconds,
            bytes > 0 ? String.format(Locale.ROOT, "%.2f", bytes / seconds / 1e9) : "");
    }

    private static Object[] stack(int slices) {
        Object[] planes = new Object[slices];
        for (int z = 0; z < slices; z++) {
            short[] plane = new short[WIDTH * HEIGHT];
            for (int i = 0; i < plane.length; i++)
                plane[i] = (short) (i * 7 + z);
            planes[z] = plane;
        }
        return planes;
    }

    private static Object[] makePlanes(int slices) {
        Object[] planes = new Object[slices];
        for (int z = 0; z < slices; z++)
            planes[z] = new short[WIDTH * HEIGHT];
        return planes;
    }

    private static void transfers(long context, int slices) {
        double bytes = 2.0 * WIDTH * HEIGHT * slices;
        String name = String.format(Locale.ROOT, "%.1f MB, Java stack of %d planes", bytes / 1e6, slices);
        Object[] from = stack(slices), to = makePlanes(slices);
        long image = Native.push(context, 0, WIDTH, HEIGHT, slices, 3, Images.UINT16, z -> from[z]);
        row("push " + name, median(() -> {
            Native.push(context, image, WIDTH, HEIGHT, slices, 3, Images.UINT16, z -> from[z]);
            Native.sync(context);
        }),
            bytes);
        row("pull " + name, median(() -> Native.pull(context, image, to)), bytes);
        for (int z = 0; z < slices; z += slices / 4 + 1)
            if (!Arrays.equals((short[]) from[z], (short[]) to[z]))
                throw new IllegalStateException("plane " + z + " differs after push and pull");
        row("pull " + name + ", made for it", median(() -> Native.pull(context, image, makePlanes(slices))), bytes);
        Native.release(context, image);
    }

    /** Runs a macro that prints the row of its last repetition. */
    private static void macro(String what, int count, String prepare, String body) {
        String text = "run('Drua Macro Extensions', 'cl_device=');\nsetBatchMode(true);\nExt.Drua_clear();\n" + prepare
            + "\n"
            + "for (repetition = 0; repetition < 3; repetition++) {\nstart = now();\nfor (i = 0; i < " + count
            + "; i++) {\n" + body + "\n}\n"
            + "milliseconds = (now() - start) / " + count + ";\n}\nprint('" + what
            + "\\t' + d2s(milliseconds, 4) + '\\t');\n"
            + "function now() { return parseFloat(call('java.lang.System.nanoTime')) / 1e6; }\n";
        MacroRun run = new MacroRun(text.replace('\'', '"'), "", null, null, false);
        run.run();
        if (!run.succeeded())
            throw new IllegalStateException("the macro of '" + what + "' failed");
    }

    private static void macros() {
        macro("gaussianBlur2D of 64x64: a call of a macro", 5000,
            "newImage('a', '16-bit ramp', 64, 64, 1);\nExt.CLIJ2_push('a');\nb = 'b';",
            "Ext.CLIJ2_gaussianBlur2D('a', b, 1, 1);");
        String frame = "newImage('frame', '16-bit ramp', 2048, 2048, 1);\nblurred = 'blurred';\nmask = 'mask';";
        macro("a frame (2048x2048 uint16, of 100) in a macro: push, pull", 100, frame,
            "selectWindow('frame');\nExt.CLIJ2_push('frame');\nExt.CLIJ2_copy('frame', mask);\n"
                + "Ext.CLIJ2_pull(mask);\nclose();");
        macro("a frame (2048x2048 uint16, of 100) in a macro: push, blur, threshold, pull", 100, frame,
            "selectWindow('frame');\nExt.CLIJ2_push('frame');\nExt.CLIJ2_gaussianBlur2D('frame', blurred, 2, 2);\n"
                + "Ext.CLIJ2_thresholdOtsu(blurred, mask);\nExt.CLIJ2_pull(mask);\nclose();");
    }

    public static void main(String[] args) {
        long context = Engine.context();
        System.out.println("# device: " + Native.device(context)[0] + ", Drua " + Native.version());
        System.out.println("what\tms\tGB/s");
        transfers(context, args.length > 0 ? Integer.parseInt(args[0]) : 512);
        macros();
        System.exit(0);
    }
}
