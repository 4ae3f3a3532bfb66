// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import ij.ImagePlus;
import java.awt.Rectangle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Runs a pipeline while the user edits it. A separate thread serves the latest request, stops outdated work, and reruns
 * only the steps that depend on a change. Sources are checked for changes continuously. The run has its own context, so
 * macros and other devices do not affect it. All public methods return at once.
 */
public final class LiveRun implements AutoCloseable {
    private static final long LOOK_MS = 100;
    /**
     * If every outdated run were stopped while a slider moves, no result would ever be shown. So a run that takes less
     * than SOON_MS finishes before a newer request starts. A longer run finishes if no result was shown for a while,
     * unless the previous run took more than LONG_MS.
     */
    private static final double SOON_MS = 250, LONG_MS = 2000;
    /** Share of the device's memory; macros have a separate budget. */
    private static final String BUDGET = "40%";

    /** A request: the pipeline and the steps to show. */
    private static final class Request {
        private final Pipeline pipeline;
        private final Map<Integer, ImagePlus> images;
        private final int viewed, compared;
        private final boolean narrow;

        Request(Pipeline pipeline, Map<Integer, ImagePlus> images, int viewed, int compared, boolean narrow) {
            this.pipeline = pipeline;
            this.images = new HashMap<>(images);
            this.viewed = viewed;
            this.compared = compared;
            this.narrow = narrow;
        }
    }

    /** Held by other threads while they use the context. */
    private final Object closing = new Object();
    private final Thread worker = new Thread(this::serveRequests, "Drua workbench");
    private final Runnable changed;
    private final Sources sources = new Sources();
    private final Map<Integer, Result> whole = new ConcurrentHashMap<>(), narrowed = new ConcurrentHashMap<>();
    /* Guarded by this. */
    private Request request, done;
    private boolean isNew, closed;
    /**
     * True if the finished request was computed for a selection only. Errands wait until the whole image is computed.
     */
    private boolean isPart;
    /** Actions that run after the whole pipeline is computed. */
    private final Deque<Consumer<Request>> errands = new ArrayDeque<>();
    /* Used by the worker. */
    private volatile long context;
    private int names;
    private Pictures pictures;
    /** When the run began, when the previous result was shown, and how long that run took. */
    private volatile long runStart, lastShown;
    private volatile double previousMs;
    /** True if a step of the run was stopped, even if it is no longer needed. */
    private volatile boolean stopped;
    private volatile View view, compared;
    private volatile Activity doing;
    private volatile String trouble = "";

    /** @param changed runs on the worker's thread when there is a new result */
    public LiveRun(Runnable changed) {
        this.changed = changed;
        ImagePlus.addImageListener(sources);
        worker.setDaemon(true);
        worker.start();
    }

    /**
     * Runs this pipeline from now on.
     *
     * @param images images of the sources, by step id
     * @param viewed the step to show in {@link #view}
     * @param compare the step to show in {@link #compared}; 0 for none
     * @param narrow whether to compute only the selection of the first image
     */
    public synchronized void show(
        Pipeline pipeline, Map<Integer, ImagePlus> images, int viewed, int compare, boolean narrow) {
        request = new Request(pipeline, images, viewed, compare, narrow);
        isNew = true;
        notifyAll();
    }

    /** The last result of a step; null if it has not run. */
    public Result result(int step) {
        return whole.get(step);
    }

    /** The newest view; null before the first one. */
    public View view() {
        return view;
    }

    /** The newest view of the compared step; null before the first one. */
    public View compared() {
        return compared;
    }

    /** The current activity as a text; "" if idle. */
    public String doing() {
        synchronized (closing) {
            Activity now = doing;
            if (now == null)
                return "";
            return context != 0 && Native.isCompiling(context)
                ? "preparing: compiling kernels (first time only) ..."
                : now.text(context == 0 ? -1 : Native.progress(context), System.nanoTime());
        }
    }

    /** Why nothing can run at all; else "". */
    public String trouble() {
        return trouble;
    }

    /** True if the latest request is complete. */
    public synchronized boolean isDone() {
        return request == null || done == request && !isStale() && errands.isEmpty();
    }

    /** Number of images that this run holds on the device. */
    public int held() {
        synchronized (closing) {
            return context == 0 || Native.names(context).isEmpty() ? 0
                                                                   : Native.names(context).trim().split("\n").length;
        }
    }

    /** True if an image was closed since this run began. */
    boolean isClosed(ImagePlus image) {
        return sources.closed(image);
    }

    /** Ends the work and frees the device shortly afterwards. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        ImagePlus.removeImageListener(sources);
    }

    /** Waits until the device has been freed. */
    public void join() throws InterruptedException {
        worker.join();
    }

    private synchronized boolean isStale() {
        return isNew || closed || request != null && sources.moved(request.images.values());
    }

    /** True if the running work is outdated and need not be finished and shown. */
    private boolean isObsolete() {
        boolean isWaitedFor = previousMs < LONG_MS && (runStart - lastShown) / 1e6 >= previousMs - SOON_MS
            && millisecondsSince(runStart) < 2 * previousMs + SOON_MS;
        return isStale() && !isWaitedFor;
    }

    private boolean isToStop() {
        stopped |= isObsolete();
        return stopped;
    }

    private synchronized void requestAgain() {
        isNew = true;
    }

    private void serveRequests() {
        for (;;) {
            Request now = awaitRequest();
            if (now == null)
                break;
            try {
                sources.record(now.images.values());
                prepare();
                runSteps(now);
            } catch (RuntimeException e) {
                trouble = isStale() ? trouble : EngineException.sentence(e);
                giveUp();
            } catch (OutOfMemoryError e) {
                trouble =
                    "ImageJ is out of memory; close images, or raise its limit with Edit>Options>Memory & Threads";
                giveUp();
            }
            doing = null;
            synchronized (this) {
                done = now;
            }
            changed.run();
        }
        long open = context;
        synchronized (closing) {
            context = 0;
        }
        if (open != 0)
            Native.close(open);
    }

    /**
     * Discards the errands after a failure, because they fetch results. A newer request keeps them and runs them later.
     */
    private synchronized void giveUp() {
        if (!isStale())
            errands.clear();
    }

    private synchronized Request awaitRequest() {
        while (isIdle()) {
            try {
                wait(LOOK_MS);
            } catch (InterruptedException e) {
                closed = true;
            }
        }
        isNew = false;
        done = null;
        return closed ? null : request;
    }

    /** Opens the device, or reopens it if it no longer responds. */
    private void prepare() {
        if (context == 0) {
            context = Native.open("");
            if (System.getenv("DRUA_MEMORY") == null)
                Native.setMemory(context, BUDGET);
            pictures = new Pictures(context);
        } else if (Native.isLost(context)) {
            whole.clear();
            narrowed.clear();
            Native.restart(context);
        }
        trouble = "";
    }

    private void runSteps(Request now) {
        ImagePlus first = now.pipeline.steps(Step.Role.SOURCE)
                              .stream()
                              .map(s -> now.images.get(s.id))
                              .filter(Objects::nonNull)
                              .findFirst()
                              .orElse(null);
        Rectangle part = now.narrow && first != null ? Sources.selection(first) : null;
        Map<Integer, Result> results = part == null ? whole : narrowed;
        synchronized (this) {
            isPart = part != null;
        }
        if (part == null)
            releaseMissingSteps(narrowed, Collections.emptyList());
        List<Step> steps = now.pipeline.seen();
        releaseMissingSteps(results, steps);
        runStart = System.nanoTime();
        stopped = false;
        for (Step step : steps) {
            if (isObsolete())
                return;
            if (!runOne(now, step, results, part))
                return;
            if (step.id == now.compared)
                compared = viewOf(now, step, results.get(step.id), part, compared);
            if (step.id == now.viewed)
                view = viewOf(now, step, results.get(step.id), part, view);
            if (step.id == now.viewed || step.id == now.compared)
                changed.run();
        }
        previousMs = millisecondsSince(runStart);
        lastShown = System.nanoTime();
        for (Step step : part == null ? steps : Collections.<Step>emptyList()) {
            Result result = results.get(step.id);
            if (isStale())
                return;
            if (result.picture() == null && result.info != null) {
                result.picture(pictures.small(result, slice(now, result)));
                changed.run();
            }
        }
        if (part == null)
            runErrands(now);
    }

    private int slice(Request now, Result result) {
        return sources.slice(now.pipeline, now.images, (int) result.info[2]);
    }

    private View viewOf(Request now, Step step, Result result, Rectangle part, View before) {
        doing = null;
        Result pictured = result.info != null || !result.failure.isEmpty()
            ? result
            : input(now, step, part == null ? whole : narrowed);
        if (pictured.info == null)
            return new View(now.pipeline, step.id, pictured, 0, null, 1, View.Look.GREY, result.failure, part);
        int slice = slice(now, pictured);
        boolean isThere = before != null && before.result == pictured && before.slice == slice && before.pixels != null;
        return isThere ? new View(
                   now.pipeline, step.id, pictured, slice, before.pixels, before.reduced, before.look, "", before.part)
                       : pictures.view(now.pipeline, step.id, pictured, slice, part);
    }

    /** The result to show for a step without output image: the labels that it measures, else its first input image. */
    private static Result input(Request now, Step step, Map<Integer, Result> results) {
        String best = null;
        for (int i = 0; i < step.values.size(); i++) {
            boolean isImage = step.command.arguments.get(i).kind == Registry.Kind.IMAGE_IN && step.parameter(i) != null;
            if (isImage && (best == null || Kinds.wanted(step.parameter(i)) == Kinds.Kind.LABELS))
                best = (String) step.values.get(i);
        }
        return results.get(now.pipeline.maker(best).id);
    }

    /** Runs a step if its inputs have changed. Returns false if a newer request stopped it. */
    private boolean runOne(Request now, Step step, Map<Integer, Result> results, Rectangle part) {
        List<Object> key = new ArrayList<>(Arrays.asList(step.command.name, step.on));
        Map<String, Result> inputs = new LinkedHashMap<>();
        for (String image : step.inputs()) {
            Step maker = now.pipeline.maker(image);
            inputs.put(image, maker == null ? null : results.get(maker.id));
        }
        key.addAll(inputs.values());
        key.addAll(step.values);
        if (step.role() == Step.Role.SOURCE)
            key.add(sources.seen(step, now.images.get(step.id)) + " " + part);
        Result old = results.get(step.id);
        if (old != null && old.key.equals(key))
            return true;
        doing = new Activity(step.name(), System.nanoTime());
        Result made;
        try {
            made = computeResult(now, step, key, inputs, part);
        } catch (RuntimeException e) {
            if (Native.isLost(context))
                throw new EngineException(EngineException.sentence(e) + "; Drua reopens the device at the next change");
            if (stopped || isStale()) {
                requestAgain();
                return false;
            }
            made = Result.failed(key, EngineException.sentence(e));
        } catch (OutOfMemoryError e) {
            made = Result.failed(key,
                step.command.operation.title() + ": ImageJ is out of memory; close images, or raise its limit with "
                    + "Edit>Options>Memory & Threads");
        }
        results.put(step.id, made);
        release(old);
        changed.run();
        return true;
    }

    private Result computeResult(Request now, Step step, List<Object> key, Map<String, Result> inputs, Rectangle part) {
        if (step.role() == Step.Role.SOURCE)
            return sourceResult(now, step, key, part);
        for (Map.Entry<String, Result> input : inputs.entrySet()) {
            Result from = input.getValue();
            if (from == null || !from.names.containsKey(input.getKey()))
                return Result.failed(key,
                    "waiting for " + input.getKey() + (from == null || from.failure.isEmpty() ? "" : ", which failed"));
        }
        if (!step.on)
            return step.passed() == null
                ? Result.failed(key, "switched off")
                : Result.passed(key, step.images().get(0), inputs.get(step.passed()), step.passed());
        return ImageJCommand.is(step) ? imageJ(now, step, key, inputs) : call(step, key, inputs);
    }

    private Result imageJ(Request now, Step step, List<Object> key, Map<String, Result> inputs) {
        String source = (String) step.values.get(ImageJCommand.SOURCE), name = "w" + ++names;
        long begun = System.nanoTime();
        long made = ImageJCommand.run(context, Native.find(context, inputs.get(source).names.get(source)), step,
            !now.pipeline.isCompatible(), image -> Images.push(context, image, Images.all(image), null, 0));
        Native.bind(context, name, made);
        return Result.made(key, Collections.singletonMap(step.images().get(0), name), Native.info(context, made),
            millisecondsSince(begun), null, Collections.emptyMap());
    }

    private Result sourceResult(Request now, Step step, List<Object> key, Rectangle part) {
        ImagePlus image = now.images.get(step.id);
        String missing = null;
        if (image == null && step.title == null)
            missing = "no image is selected; open one and select it here";
        else if (image == null)
            missing = "no open image has the title '" + step.title + "'; open it, or select another one here";
        else if (sources.closed(image))
            missing = "the image '" + image.getTitle() + "' was closed; open it again, or select another one here";
        if (missing != null)
            return Result.failed(key, missing);
        String name = "w" + ++names;
        long begun = System.nanoTime();
        long pushed = sources.send(context, step, image, part);
        Native.bind(context, name, pushed);
        return Result.made(key, Collections.singletonMap(step.images().get(0), name), Native.info(context, pushed),
            millisecondsSince(begun), null, Collections.emptyMap());
    }

    private static double millisecondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e6;
    }

    private Result call(Step step, List<Object> key, Map<String, Result> inputs) {
        long begun = System.nanoTime();
        StepCall made = new StepCall(context, step, step.command.operation.title(),
            image -> inputs.get(image).names.get(image), () -> "w" + ++names, this::isToStop);
        return Result.made(key, made.images, made.info, millisecondsSince(begun), made.table, made.found);
    }

    private void release(Result result) {
        if (result != null && result.owns)
            result.names.values().forEach(name -> StepCall.release(context, name));
    }

    /** Frees the results of steps that no longer exist. */
    private void releaseMissingSteps(Map<Integer, Result> results, List<Step> steps) {
        for (Integer id : new ArrayList<>(results.keySet())) {
            if (steps.stream().noneMatch(step -> step.id == id))
                release(results.remove(id));
        }
    }

    /**
     * Fetches the whole image of a step, as a macro's pull does, after all steps are computed. `receiver` runs on the
     * worker's thread.
     */
    public void fetch(int step, String title, Consumer<ImagePlus> receiver) {
        queueErrand(now -> {
            Result result = whole.get(step);
            if (result != null && result.info != null)
                receiver.accept(pictures.whole(result, title, !now.pipeline.isCompatible()));
        });
    }

    /**
     * Fetches a part of images after all steps are computed. `receiver` runs on the worker's thread and gets the parts
     * by variable, without images that are missing or do not contain the part.
     *
     * @param box first column, row and slice, then width, height and depth
     */
    void fetch(Collection<String> images, long[] box, Consumer<Map<String, ImagePart>> receiver) {
        queueErrand(now -> {
            Map<String, ImagePart> parts = new HashMap<>();
            try {
                for (String image : images) {
                    Step maker = now.pipeline.maker(image);
                    Result result = maker == null ? null : whole.get(maker.id);
                    ImagePlus part = result == null || !result.names.containsKey(image)
                        ? null
                        : pictures.part(result.names.get(image), box);
                    if (part != null)
                        parts.put(image, new ImagePart(result, maker.id, part));
                }
            } finally {
                receiver.accept(parts);
            }
        });
    }

    /**
     * Fetches one pixel of each step after all steps are computed: of the displayed slice, and only from images with as
     * many columns and rows as the selected step's. `receiver` runs on the worker's thread and gets values by step id.
     */
    public void probe(int x, int y, Consumer<Map<Integer, Float>> receiver) {
        queueErrand(now -> {
            Map<Integer, Float> values = new HashMap<>();
            try {
                Step selected = now.pipeline.step(now.viewed);
                Result like = selected == null ? null : whole.get(selected.id);
                if (like != null && like.info == null && like.failure.isEmpty())
                    like = input(now, selected, whole);
                for (Step step : now.pipeline.seen()) {
                    Result result = whole.get(step.id);
                    if (result == null || result.info == null || like == null || like.info == null
                        || result.info[0] != like.info[0] || result.info[1] != like.info[1])
                        continue;
                    ImagePlus pixel = pictures.part(
                        result.names.values().iterator().next(), new long[] {x, y, slice(now, result), 1, 1, 1});
                    if (pixel != null)
                        values.put(step.id, pixel.getProcessor().getf(0));
                }
            } finally {
                receiver.accept(values);
            }
        });
    }

    /** Queues an errand without stopping any work. */
    private synchronized void queueErrand(Consumer<Request> errand) {
        if (request == null)
            return;
        errands.add(errand);
        notifyAll();
    }

    private void runErrands(Request now) {
        for (Consumer<Request> errand = nextErrand(); errand != null && !isStale(); errand = nextErrand()) {
            errand.accept(now);
            synchronized (this) {
                errands.remove(errand);
            }
        }
    }

    private synchronized Consumer<Request> nextErrand() {
        return errands.peek();
    }

    private synchronized boolean isIdle() {
        return !isStale() && (errands.isEmpty() || done == request && isPart);
    }
}
