// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import ij.ImagePlus;
import ij.process.ImageProcessor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes small preview pictures of operations from a tile of the current images. A thread with its own context makes
 * them while the live run is idle and pauses when the live run works. Only the latest request counts. All public
 * methods return at once.
 */
public final class Suggestions implements AutoCloseable {
    private static final int TILE = 96, SLICES = 9, SAMPLE = 4, KEPT = 300;
    private static final long LOOK_MS = 50;
    private static final String BUDGET = "10%";

    /** A request for suggestions. */
    private static final class Request {
        private final Pipeline pipeline;
        private final Step previous;
        private final List<Registry.Command> commands;
        private final Result result;
        private final int slice;

        Request(Pipeline pipeline, Step previous, List<Registry.Command> commands, View view) {
            this.pipeline = pipeline;
            this.previous = previous;
            this.commands = commands;
            result = view.result;
            slice = view.slice;
        }

        boolean is(Request other) {
            return other != null && isOf(other.pipeline, other.previous) && result == other.result
                && slice == other.slice && commands.equals(other.commands);
        }

        boolean isOf(Pipeline of, Step step) {
            return pipeline == of && previous.id == step.id;
        }
    }

    /** Data for a request: the steps and their input images. */
    private static final class Ready {
        private final Request request;
        private final Map<Registry.Command, Step> steps = new LinkedHashMap<>();
        private final Map<Registry.Command, Suggestion> impossible = new HashMap<>();
        private Map<String, ImagePart> parts = Collections.emptyMap();
        /** Index of the displayed slice within the parts. */
        private int slice;

        Ready(Request request) {
            this.request = request;
            for (Registry.Command command : request.commands) {
                try {
                    steps.put(command, Edits.made(request.pipeline, request.previous, command));
                } catch (EngineException e) {
                    impossible.put(command, new Suggestion(null, "no preview: " + e.getMessage()));
                }
            }
        }

        Set<String> images() {
            Set<String> images = new LinkedHashSet<>();
            steps.values().forEach(step -> images.addAll(step.inputs()));
            return images;
        }

        /** Two steps with equal keys have equal pictures. */
        List<Object> key(Step step) {
            List<Object> key = new ArrayList<>();
            key.add(step.command.name);
            key.add(request.result);
            key.add(request.slice);
            for (int i = 0; i < step.values.size(); i++) {
                ImagePart part = parts.get(step.values.get(i));
                if (!step.command.arguments.get(i).kind.isOutput())
                    key.add(part != null ? part.of : step.values.get(i));
            }
            return key;
        }
    }

    private final LiveRun live;
    private final Runnable changed;
    private final Thread worker = new Thread(this::serveRequests, "Drua suggestions");
    private final Map<List<Object>, Suggestion> made =
        Collections.synchronizedMap(new LinkedHashMap<List<Object>, Suggestion>(KEPT, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<List<Object>, Suggestion> eldest) {
                return size() > KEPT;
            }
        });
    /* Guarded by this. */
    private Request request;
    private boolean closed;
    private volatile Ready ready;
    /* Used by the worker. */
    private final Map<ImagePart, String> sent = new HashMap<>();
    private long context;
    private int names;

    /** @param changed runs on a separate thread when there is a new picture */
    public Suggestions(LiveRun live, Runnable changed) {
        this.live = live;
        this.changed = changed;
        worker.setDaemon(true);
        worker.setPriority(Thread.MIN_PRIORITY);
        worker.start();
    }

    /** Requests pictures of the results of these commands after step `previous`, in that order. */
    public synchronized void want(Pipeline pipeline, Step previous, List<Registry.Command> commands) {
        View view = live.view();
        if (view == null || view.step != previous.id || view.part != null)
            return;
        Request now = new Request(pipeline, previous, commands, view);
        if (now.is(request))
            return;
        request = now;
        notifyAll();
    }

    /** The preview of a command after step `previous`; null until it is known. */
    public Suggestion get(Pipeline pipeline, Step previous, Registry.Command command) {
        Ready now = ready;
        if (now == null || !now.request.isOf(pipeline, previous)
            || now.parts.values().stream().anyMatch(part -> live.result(part.step) != part.of))
            return null;
        Step step = now.steps.get(command);
        return step == null ? now.impossible.get(command) : made.get(now.key(step));
    }

    /** Ends the work and frees the device shortly afterwards. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits until the device has been freed. */
    public void join() throws InterruptedException {
        worker.join();
    }

    private synchronized boolean isStale(Request now) {
        return closed || request != now;
    }

    private synchronized Request awaitRequest(Request done) {
        while (request == done && !closed)
            awaitChange(0);
        return closed ? null : request;
    }

    private synchronized void awaitChange(long milliseconds) {
        try {
            wait(milliseconds);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void serveRequests() {
        for (Request now = awaitRequest(null); now != null; now = awaitRequest(now)) {
            try {
                makePictures(now);
            } catch (RuntimeException | OutOfMemoryError e) {
                closeContext(); /* no pictures; the live run reports the same failure */
            }
        }
        closeContext();
    }

    /** Frees the device. */
    private void closeContext() {
        sent.clear();
        if (context != 0)
            Native.close(context);
        context = 0;
    }

    private void makePictures(Request now) {
        Ready next = new Ready(now);
        if (!awaitRest(now) || !fetch(next) || isStale(now))
            return;
        ready = next;
        changed.run();
        send(next.parts.values());
        for (Step step : next.steps.values()) {
            List<Object> key = next.key(step);
            for (Suggestion it = made.get(key); it == null && awaitRest(now); it = made.get(key)) {
                Suggestion suggestion = suggestion(now, next, step);
                if (suggestion != null)
                    made.put(key, suggestion);
                changed.run();
            }
            if (isStale(now))
                return;
        }
    }

    /** Waits until the live run is idle. Returns false if there is a newer request. */
    private boolean awaitRest(Request now) {
        while (!live.isDone() && !isStale(now))
            awaitChange(LOOK_MS);
        return !isStale(now);
    }

    /** Returns false if another result is already displayed; a new request will follow for it. */
    private boolean fetch(Ready next) {
        View view = live.view();
        if (view.result != next.request.result)
            return false;
        if (view.pixels == null)
            return true;
        CompletableFuture<Map<String, ImagePart>> parts = new CompletableFuture<>();
        long[] box = box(view);
        live.fetch(next.images(), box, parts::complete);
        while (!parts.isDone() && !isStale(next.request))
            awaitChange(LOOK_MS);
        next.parts = parts.getNow(Collections.emptyMap());
        next.slice = view.slice - (int) box[2];
        return true;
    }

    /** The tile of the slice with the most content, including neighbouring slices. */
    private static long[] box(View view) {
        ImageProcessor pixels = view.pixels;
        int width = Math.min(TILE, pixels.getWidth()), height = Math.min(TILE, pixels.getHeight()),
            depth = (int) Math.min(SLICES, view.result.info[2]);
        long[] best = {
            0, 0, Math.max(0, Math.min(view.slice - depth / 2, view.result.info[2] - depth)), width, height, depth};
        double max = -1;
        for (int y = 0; y + height <= pixels.getHeight(); y += Math.max(1, height / 2)) {
            for (int x = 0; x + width <= pixels.getWidth(); x += Math.max(1, width / 2)) {
                double variance = variance(pixels, x, y, width, height);
                if (variance > max) {
                    max = variance;
                    best[0] = x;
                    best[1] = y;
                }
            }
        }
        return best;
    }

    private static double variance(ImageProcessor pixels, int left, int top, int width, int height) {
        double sum = 0, squares = 0;
        int count = 0;
        for (int y = top; y < top + height; y += SAMPLE) {
            for (int x = left; x < left + width; x += SAMPLE, count++) {
                double value = pixels.getf(x, y);
                sum += value;
                squares += value * value;
            }
        }
        return squares / count - sum / count * sum / count;
    }

    private void send(Iterable<ImagePart> parts) {
        if (context == 0) {
            context = Native.open("");
            if (System.getenv("DRUA_MEMORY") == null)
                Native.setMemory(context, BUDGET);
        }
        sent.values().forEach(name -> StepCall.release(context, name));
        sent.clear();
        for (ImagePart part : parts) {
            String name = "s" + ++names;
            ImagePlus image = part.pixels;
            Native.bind(context, name, Images.push(context, image, Images.all(image), null, 0));
            sent.put(part, name);
        }
    }

    /** Returns null if the work was stopped. */
    private Suggestion suggestion(Request now, Ready of, Step step) {
        for (String image : step.inputs()) {
            if (!of.parts.containsKey(image))
                return new Suggestion(null,
                    "no preview: "
                        + (of.parts.isEmpty() ? "this step makes no image" : "its input images do not match"));
        }
        AtomicBoolean stopped = new AtomicBoolean();
        try {
            StepCall call = new StepCall(context, step, "",
                image -> sent.get(of.parts.get(image)), () -> "s" + ++names, () -> isToStop(now, stopped));
            try {
                return suggestion(call, of);
            } finally {
                call.images.values().forEach(name -> StepCall.release(context, name));
            }
        } catch (EngineException e) {
            if (Native.isLost(context))
                throw e;
            return stopped.get() ? null : new Suggestion(null, "no preview: " + e.getMessage());
        }
    }

    private boolean isToStop(Request now, AtomicBoolean stopped) {
        if (isStale(now) || !live.isDone())
            stopped.set(true);
        return stopped.get();
    }

    private Suggestion suggestion(StepCall call, Ready of) {
        if (call.info == null)
            return new Suggestion(null,
                call.table == null ? "the result is numbers, not an image"
                                   : "the result is a table of " + call.table.size() + " rows");
        Result result = Result.made(Collections.emptyList(), call.images, call.info, 0, null, Collections.emptyMap());
        int depth = (int) call.info[2],
            slice =
                of.parts.values().stream().anyMatch(part -> part.pixels.getStackSize() == depth) ? of.slice : depth / 2;
        return new Suggestion(new Pictures(context).small(result, slice), "");
    }
}
