// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.pipeline.Edits;
import drua.pipeline.Pipeline;
import drua.pipeline.Result;
import drua.pipeline.Session;
import drua.pipeline.Step;
import drua.pipeline.View;
import ij.ImagePlus;
import ij.ImageStack;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from a changed value to the pixels of the last step in the workbench: {@code WorkbenchBench
 * [WIDTHxHEIGHT[xDEPTH]...]}. The pipeline has eight steps, from a blur with a changing radius to the statistics of
 * labels; their table arrives before the pixels. "resting": each value is set after the pixels of the previous one
 * arrived. "turning": a new value is set every 10 ms, and the newest wins. Other load on the machine affects all
 * numbers except processor_ms, the CPU time for each displayed picture.
 */
final class WorkbenchBench {
    private static final String[] IMAGES = {"700x520", "2048x2048", "512x512x512"};
    private static final String[] STEPS = {"gaussian_blur", "top_hat_box", "automatic_threshold", "opening_box",
        "binary_fill_holes", "connected_components_box", "exclude_labels_on_edges", "statistics_of_labelled_pixels"};
    /** The radius changes by this step, so that no value repeats. */
    private static final double STRIDE = 0.0618034;
    private static final int WARM_UP = 5, MAX_RUNS = 200, MIN_RUNS = 20, EVERY_MS = 10;
    private static final long SECONDS = 20, PATIENCE_S = 600;

    private final Object seen = new Object();
    private final Session session;
    private final Step blur;
    private int moves;

    private WorkbenchBench(ImagePlus image) throws InterruptedException {
        session = new Session(image, this::notifyWaiters);
        for (String step : STEPS)
            session.add(Registry.get().operations.get(step), false);
        blur = session.now().seen().get(1);
        await(session.now());
        session.change(p -> Edits.value(p, p.seen().get(2), 2, 10.0));
        session.change(p -> Edits.value(p, p.seen().get(2), 3, 10.0));
        await(session.now());
    }

    public static void main(String[] args) throws InterruptedException {
        NativeLibrary.load();
        long context = Native.open("");
        System.out.println("# device: " + Native.device(context)[0] + ", Drua " + Native.version());
        Native.close(context);
        System.out.println("# method: ./dev bench workbench; " + String.join(", ", STEPS)
            + "; load of the machine at the beginning "
            + String.format(Locale.ROOT, "%.1f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage())
            + " on " + Runtime.getRuntime().availableProcessors() + " cores");
        System.out.println("image\tvalues\tset\tseen\tmedian_ms\tp95_ms\tlongest_ms\tprocessor_ms");
        for (String size : args.length > 0 ? args : IMAGES) {
            int[] extents = Arrays.stream(size.split("x")).mapToInt(Integer::parseInt).toArray();
            WorkbenchBench bench =
                new WorkbenchBench(blobs(extents[0], extents[1], extents.length > 2 ? extents[2] : 1));
            bench.resting(size);
            bench.turning(size);
            bench.session.close();
            bench.session.live().join();
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Spots of several sizes and brightnesses with noise, 16-bit. */
    private static ImagePlus blobs(int width, int height, int depth) {
        ImageStack stack = new ImageStack(width, height);
        int noise = 1;
        for (int z = 0; z < depth; z++) {
            short[] plane = new short[width * height];
            for (int i = 0; i < plane.length; i++) {
                noise = noise * 1664525 + 1013904223;
                double wave =
                    Math.sin(i % width / 9.0) * Math.cos(i / width / 11.0) * (depth > 1 ? Math.cos(z / 10.0) : 1);
                plane[i] =
                    (short) (400 + 2500 * Math.max(0, wave) * (1 + 0.3 * Math.sin(i % width / 97.0)) + (noise >>> 24));
            }
            stack.addSlice("", plane);
        }
        ImagePlus image = new ImagePlus("spots", stack);
        image.setDimensions(1, depth, 1);
        return image;
    }

    private void notifyWaiters() {
        synchronized (seen) {
            seen.notifyAll();
        }
    }

    private boolean isSeen(Pipeline pipeline) {
        View view = session.live().view();
        return view != null && view.pipeline == pipeline && view.step == session.viewed().id;
    }

    /** Waits for the pixels of a pipeline; a failed step ends the program. */
    private void await(Pipeline pipeline) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        synchronized (seen) {
            while (!isSeen(pipeline) && System.nanoTime() < end)
                seen.wait(1000);
        }
        for (Step step : pipeline.seen()) {
            Result result = session.live().result(step.id);
            if (result == null || !result.failure.isEmpty())
                throw new IllegalStateException(
                    step.command.name + ": " + (result == null ? session.live().trouble() : result.failure));
        }
    }

    private Pipeline turn() {
        session.turn(blur, 2, 1 + moves++ * STRIDE % 3, true);
        return session.now();
    }

    private void resting(String size) throws InterruptedException {
        List<Double> times = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS), used = processorTime();
        for (int i = -WARM_UP; i < MAX_RUNS && (i < MIN_RUNS || System.nanoTime() < end); i++) {
            long begun = System.nanoTime();
            await(turn());
            used = i < 0 ? processorTime() : used;
            if (i >= 0)
                times.add((System.nanoTime() - begun) / 1e6);
        }
        row(size, "resting", times.size(), times, processorTime() - used);
    }

    private void turning(String size) throws InterruptedException {
        Map<Pipeline, Long> set = new IdentityHashMap<>();
        List<Double> ages = new ArrayList<>();
        View last = session.live().view();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS), next = System.nanoTime(),
             used = processorTime();
        while (System.nanoTime() < end) {
            if (System.nanoTime() >= next) {
                long now = System.nanoTime();
                set.put(turn(), now);
                next += TimeUnit.MILLISECONDS.toNanos(EVERY_MS);
            }
            synchronized (seen) {
                seen.wait(1);
            }
            View view = session.live().view();
            if (view != last && view.step == session.viewed().id && set.containsKey(view.pipeline))
                ages.add((System.nanoTime() - set.get(view.pipeline)) / 1e6);
            last = view;
        }
        await(session.now());
        row(size, "turning", set.size(), ages, processorTime() - used);
    }

    /** Processor time of all threads in nanoseconds. */
    private static long processorTime() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime();
    }

    private static void row(String size, String what, int count, List<Double> times, long used) {
        Collections.sort(times);
        String numbers = times.isEmpty()
            ? "\t-\t-\t-\t-"
            : String.format(Locale.ROOT, "\t%.1f\t%.1f\t%.1f\t%.1f", times.get(times.size() / 2),
                times.get((int) Math.ceil(0.95 * times.size()) - 1), times.get(times.size() - 1),
                used / 1e6 / times.size());
        System.out.println(size + "\t" + what + "\t" + count + "\t" + times.size() + numbers);
    }
}
