// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Registry;
import ij.ImagePlus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which planes of its source's image a pipeline takes. SHOWN takes the slices of the displayed channel and frame.
 * SLICES is CLIJ2's push: for an image with one slice, the channels of the displayed frame become the slices of a
 * volume, or the frames if there is only one channel. The others run the steps once for each channel or frame of the
 * first source; the macro then has a loop around its steps.
 */
public enum Take {
    SHOWN("displayed channel and frame", "", ""),
    CHANNELS("each channel", "frame = first_frame; ", "for (channel = 1; channel <= channels; channel++) "),
    FRAMES("each frame", "channel = first_channel; ", "for (frame = 1; frame <= frames; frame++) "),
    BOTH("each channel and frame", "",
        "for (frame = 1; frame <= frames; frame++) for (channel = 1; channel <= channels; channel++) "),
    SLICES("all as slices of a volume", "", "");

    private static final String DESELECT = "run(\"Select None\");\n";
    private static final String BEFORE =
        "looped = getImageID();\nStack.getPosition(first_channel, slice, first_frame);\n"
        + "Stack.getDimensions(loop_width, loop_height, channels, slices, frames);\n";
    private static final String BEGIN = "selectImage(looped);\nStack.setPosition(channel, slice, frame);\n"
        + "windows_before = nImages;\nloop_rows = nResults;\n";
    private static final String END = "for (loop_i = windows_before + 1; loop_i <= nImages; loop_i++) {\n"
        + "    selectImage(loop_i);\n    rename(getTitle() + \" channel \" + channel + \" frame \" + frame);\n}\n"
        + "for (loop_i = loop_rows; loop_i < nResults; loop_i++) {\n    setResult(\"Channel\", loop_i, channel);\n"
        + "    setResult(\"Frame\", loop_i, frame);\n}\n";
    private static final String AFTER = "selectImage(looped);\nStack.setPosition(first_channel, slice, first_frame);\n";

    /** The lines that begin and end a loop; {@link Statements} reads each of them as a separate piece. */
    static final Pattern LINE =
        Pattern.compile(Arrays.stream(values())
                            .filter(Take::isLoop)
                            .map(take -> Pattern.quote(take.loopStart()) + "|" + Pattern.quote(take.loopEnd()))
                            .collect(Collectors.joining("|")));

    /** The name that users see. */
    public final String label;
    private final String first, loops;

    Take(String label, String first, String loops) {
        this.label = label;
        this.first = first;
        this.loops = loops;
    }

    /** The line that begins the loop. */
    private String loopStart() {
        return first + loops + "{ // " + label + "\n";
    }

    /** The line that ends the loop. */
    private String loopEnd() {
        return "} // " + label + "\n";
    }

    private String linesBefore() {
        return BEFORE + loopStart() + BEGIN;
    }

    private String loopEndText() {
        return END + loopEnd() + AFTER;
    }

    private boolean isLoop() {
        return !loops.isEmpty();
    }

    /** True if `push` would take the channels or frames of an image as slices. */
    static boolean isFlat(ImagePlus image) {
        return image != null && image.getNSlices() == 1 && image.getNChannels() * image.getNFrames() > 1;
    }

    /** The planes that a source takes of an image. */
    static Take of(Pipeline pipeline, Step source, ImagePlus image) {
        String text = pipeline.macro();
        for (Take take : values()) {
            if (take.isLoop() && text.contains(take.linesBefore()) && isFirst(pipeline, source))
                return take;
        }
        return source.takesShown() || !isFlat(image) ? SHOWN : SLICES;
    }

    /** True if the steps run more than once. */
    static boolean loops(Pipeline pipeline) {
        return LINE.matcher(pipeline.macro()).find();
    }

    /** The choices for a source with that image. */
    public static List<Take> choices(Pipeline pipeline, Step source, ImagePlus image) {
        List<Take> choices = new ArrayList<>();
        boolean channels = image != null && image.getNChannels() > 1, frames = image != null && image.getNFrames() > 1;
        choices.add(SHOWN);
        if (channels && isFirst(pipeline, source))
            choices.add(CHANNELS);
        if (frames && isFirst(pipeline, source))
            choices.add(FRAMES);
        if (channels && frames && isFirst(pipeline, source))
            choices.add(BOTH);
        if (isFlat(image))
            choices.add(SLICES);
        Take now = of(pipeline, source, image);
        if (!choices.contains(now))
            choices.add(now);
        return choices;
    }

    private static boolean isFirst(Pipeline pipeline, Step source) {
        return pipeline.steps(Step.Role.SOURCE).get(0).id == source.id;
    }

    /** The pipeline, changed so that `source` takes the planes that this constant stands for. */
    Pipeline in(Registry registry, Pipeline pipeline, Step source) {
        List<Statement> statements = new ArrayList<>();
        for (Statement statement : pipeline.statements())
            statements.add(isFirst(pipeline, source) ? withoutLoop(statement) : statement);
        statements.removeIf(statement -> statement instanceof Statement.Text && statement.source().isEmpty());
        int at = Pipeline.indexOf(statements, source);
        String name = source.prefix() + (this == SLICES ? "_push" : "_pushCurrentZStack");
        if (!source.takesShown() && this != SLICES)
            statements.add(at++, new Statement.Text(before(source)));
        else if (source.takesShown() && this == SLICES && at > 0)
            statements.set(at - 1, removeLines(statements.get(at - 1), before(source)));
        statements.set(at, source.with(registry.commands.get(name), source.values));
        if (isLoop()) {
            statements.add(at, new Statement.Text(linesBefore()));
            statements.add(new Statement.Text(loopEndText()));
        }
        return Pipeline.of(statements);
    }

    /**
     * The lines before a source that takes the displayed planes. They select its image, if it has a title, and remove
     * the selection, to which the planes would otherwise be cropped.
     */
    static String before(Step source) {
        return select(source) + DESELECT;
    }

    private static String select(Step source) {
        return source.title == null ? "" : "selectImage(" + source.images().get(0) + ");\n";
    }

    /**
     * True if text ends with the line that removes the selection, or contains it and ends with the first lines of a
     * loop.
     */
    static boolean deselects(String text) {
        return text.trim().endsWith(DESELECT.trim()) || text.trim().endsWith(BEGIN.trim()) && text.contains(DESELECT);
    }

    private static Statement withoutLoop(Statement statement) {
        Statement other = statement;
        for (Take take : values()) {
            if (take.isLoop())
                other = removeLines(removeLines(other, take.linesBefore()), take.loopEndText());
        }
        return other;
    }

    private static Statement removeLines(Statement statement, String lines) {
        int at = statement instanceof Statement.Text ? statement.source().lastIndexOf(lines) : -1;
        return at < 0 ? statement
                      : new Statement.Text(
                          statement.source().substring(0, at) + statement.source().substring(at + lines.length()));
    }

    /** Text without the lines that this class writes. */
    public static String withoutLines(String text) {
        Statement rest = withoutLoop(new Statement.Text(text));
        return rest.source().replaceAll("(?m)^(selectImage\\(\\w+\\);\n)?run\\(\"Select None\"\\);\\s*$", "");
    }
}
