// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Registry;
import drua.imagej.Images;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A pipeline that the user edits: its history, the open images of its sources, the selected step, and the live run.
 * Used by one thread, which is the event thread if there are windows.
 */
public final class Session implements AutoCloseable {
    /** The images by a source's id and title, so that undo also restores the chosen image. */
    private final Map<List<Object>, ImagePlus> chosen = new HashMap<>();
    private final LiveRun live;
    private History history;
    private String saved;
    private int viewed, compared;
    private boolean turning;
    /** True if the steps were read from a macro, which also says which planes its sources take. */
    private boolean isOpened;

    /**
     * @param image   the first source, or null
     * @param changed see {@link LiveRun}
     */
    public Session(ImagePlus image, Runnable changed) {
        live = new LiveRun(changed);
        begin(image);
    }

    /** Starts a new pipeline with this image as its source; null for no image. */
    public void begin(ImagePlus image) {
        isOpened = false;
        start(Pipeline.start(Registry.get(), "CLIJ2", Take.isFlat(image)), image);
    }

    private void start(Pipeline pipeline, ImagePlus image) {
        history = new History(pipeline);
        saved = pipeline.macro();
        chosen.clear();
        for (Step source : pipeline.steps(Step.Role.SOURCE)) {
            if (source.title == null && image != null)
                chosen.put(key(source), image);
        }
        List<Step> seen = pipeline.seen();
        viewed = seen.isEmpty() ? 0 : seen.get(seen.size() - 1).id;
        refresh();
    }

    private static List<Object> key(Step source) {
        return Arrays.asList(source.id, source.title);
    }

    /** Starts a new pipeline with the steps of a macro; sources without a title use that image. */
    public void open(String macro, ImagePlus image) {
        isOpened = true;
        start(MacroReader.read(Registry.get(), macro), image);
        now().steps(Step.Role.SOURCE).forEach(this::logChannelsAsSlices);
    }

    /** Starts a new pipeline with the steps of a preset; fails if the preset does not fit the image. */
    public void open(Preset preset, ImagePlus image) {
        String refusal = preset.refusal(image);
        if (!refusal.isEmpty())
            throw new EngineException(preset.name + ": " + refusal);
        Pipeline pipeline = MacroReader.read(Registry.get(), preset.macro());
        Step source = pipeline.steps(Step.Role.SOURCE).get(0);
        if (preset.takesShown() && Take.isFlat(image))
            pipeline = TakenPlanes.take(Take.SHOWN, Registry.get(), pipeline, source);
        isOpened = !preset.takesShown();
        start(Edits.frames(pipeline, image.getStackSize()), image);
    }

    /** Writes to the Log if a source uses channels as slices, because CLIJ2's push does so. */
    private void logChannelsAsSlices(Step source) {
        ImagePlus image = image(source);
        if (image != null && TakenPlanes.of(now(), source, image) == Take.SLICES && !Images.notice(image).isEmpty())
            IJ.log(source.command.name + ": " + Images.notice(image));
    }

    public Pipeline now() {
        return history.now();
    }

    public LiveRun live() {
        return live;
    }

    public boolean isSaved() {
        return saved.equals(now().macro());
    }

    public void saved() {
        saved = now().macro();
    }

    /** The selected step, or null. */
    public Step viewed() {
        return now().step(viewed);
    }

    public void view(Step step) {
        if (viewed == step.id)
            return;
        viewed = step.id;
        history.rest();
        refresh();
    }

    /** The step that is compared with the selected one, or null. */
    public Step compared() {
        return now().step(compared);
    }

    /** @param step null to end the comparison */
    public void compare(Step step) {
        compared = step == null ? 0 : step.id;
        refresh();
    }

    /** Changes the pipeline; a failure leaves it unchanged. */
    public void change(UnaryOperator<Pipeline> edit) {
        history.change(edit.apply(now()));
        refresh();
    }

    /**
     * Sets an argument. isTurned: more values will follow soon and are undone together; until then only the selection
     * is computed.
     */
    public void turn(Step step, int argument, Object value, boolean isTurned) {
        turning = isTurned;
        Step here = now().step(step.id);
        if (here != null)
            history.change(Edits.value(now(), here, argument, value), step.id + " " + argument);
        if (!isTurned)
            history.rest();
        refresh();
    }

    /** Adds a step after the selected one and selects the new step. */
    public void add(Registry.Operation operation, boolean between) {
        add(operation, Catalogue.get().command(operation, now().prefix()), between);
    }

    /** Same as above with a given command of the operation. */
    public void add(Registry.Operation operation, Registry.Command command, boolean between) {
        Step previous = viewed();
        if (previous == null)
            throw new EngineException(operation.title() + ": the pipeline has no image yet; add an image first");
        if (command == null)
            throw new EngineException(operation.title()
                + " cannot be a step, because it changes images in place, or needs files or ImageJ's windows");
        add(previous, Edits.made(now(), previous, command), between);
    }

    /** Adds an ImageJ command after the selected step, with options as the macro recorder writes them. */
    public void addImageJCommand(String name, String options) {
        Step previous = viewed();
        if (previous == null)
            throw new EngineException("ImageJ: " + name + ": the pipeline has no image yet; add an image first");
        Step made = Edits.made(now(), previous, ImageJCommand.of(now().prefix()));
        add(previous, made.with(ImageJCommand.NAME, name).with(ImageJCommand.OPTIONS, options), false);
    }

    /** Adds a step that keeps the labels inside a gate, after the step that measured them. */
    public void add(Gate gate, Step measuring) {
        add(measuring, gate.after(now(), measuring), false);
    }

    private void add(Step previous, Step made, boolean between) {
        history.change(Edits.add(now(), previous, made, between));
        viewed = made.id;
        refresh();
    }

    public void replace(Registry.Operation operation, Registry.Command command) {
        Step step = viewed();
        if (step == null || command == null)
            throw new EngineException(operation.title() + " cannot be a step; choose another operation");
        change(p -> Edits.replace(p, step, command));
    }

    /** Adds another source image. */
    public void addSource(ImagePlus image) {
        history.change(Edits.addSource(Registry.get(), now(), image.getTitle()));
        List<Step> sources = now().steps(Step.Role.SOURCE);
        Step source = sources.get(sources.size() - 1);
        chosen.put(key(source), image);
        viewed = source.id;
        if (Take.isFlat(image))
            history.amend(TakenPlanes.take(Take.SHOWN, Registry.get(), now(), source));
        refresh();
    }

    /** The channels and frames that a source takes of its image. */
    public Take take(Step source) {
        return TakenPlanes.of(now(), source, image(source));
    }

    public void take(Step source, Take take) {
        change(p -> TakenPlanes.take(take, Registry.get(), p, p.step(source.id)));
    }

    /** Changes a source to another open image. */
    public void choose(Step source, ImagePlus image) {
        boolean isFlat = Take.isFlat(image(source));
        if (source.title != null)
            history.change(Edits.title(now(), source, image.getTitle()));
        chosen.put(key(now().step(source.id)), image);
        if (isOpened)
            logChannelsAsSlices(now().step(source.id));
        else if (take(now().step(source.id)) == Take.SLICES && !isFlat)
            history.change(TakenPlanes.take(Take.SHOWN, Registry.get(), now(), now().step(source.id)));
        refresh();
    }

    /** The open image of a source. If the macro gives a title, the image has it; null if no open image does. */
    public ImagePlus image(Step source) {
        ImagePlus image = chosen.get(key(source));
        return source.title == null || image != null && source.title.equals(image.getTitle())
            ? image
            : WindowManager.getImage(source.title);
    }

    /** The open image of the first source; null if it is missing or closed. */
    public ImagePlus firstImage() {
        List<Step> sources = now().steps(Step.Role.SOURCE);
        ImagePlus image = sources.isEmpty() ? null : image(sources.get(0));
        return image == null || live.isClosed(image) ? null : image;
    }

    public boolean canUndo() {
        return history.canUndo();
    }

    public boolean canRedo() {
        return history.canRedo();
    }

    public void undo() {
        history.undo();
        refresh();
    }

    public void redo() {
        history.redo();
        refresh();
    }

    /** Runs the changed steps, and selects an existing step if the selected one was deleted. */
    private void refresh() {
        List<Step> seen = now().seen();
        if (viewed() == null && !seen.isEmpty())
            viewed = seen.get(seen.size() - 1).id;
        Map<Integer, ImagePlus> images = new HashMap<>();
        for (Step source : now().steps(Step.Role.SOURCE)) {
            if (image(source) != null)
                images.put(source.id, image(source));
        }
        live.show(now(), images, viewed, compared, turning);
    }

    /** Call when an image was opened: sources that wait for its title take it. */
    public void opened(ImagePlus image) {
        List<Step> waiting = new ArrayList<>(now().steps(Step.Role.SOURCE));
        waiting.removeIf(
            source -> source.title == null || !source.title.equals(image.getTitle()) || isOpen(image(source), image));
        for (Step source : waiting)
            chosen.put(key(source), image);
        if (!waiting.isEmpty())
            refresh();
    }

    private boolean isOpen(ImagePlus source, ImagePlus opened) {
        return source != null && source != opened && !live.isClosed(source);
    }

    @Override
    public void close() {
        live.close();
    }
}
