// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Registry;
import ij.ImagePlus;
import java.util.ArrayList;
import java.util.List;

/** Finds and changes which planes the source of a pipeline takes. */
public final class TakenPlanes {
    private TakenPlanes() {}

    /** The planes that a source takes of an image. */
    static Take of(Pipeline pipeline, Step source, ImagePlus image) {
        String text = pipeline.macro();
        for (Take take : Take.values()) {
            if (take.isLoop() && text.contains(take.linesBefore()) && isFirst(pipeline, source))
                return take;
        }
        return source.takesShown() || !Take.isFlat(image) ? Take.SHOWN : Take.SLICES;
    }

    /** True if the steps run more than once. */
    static boolean loops(Pipeline pipeline) {
        return Take.LINE.matcher(pipeline.macro()).find();
    }

    /** The choices for a source with that image. */
    public static List<Take> choices(Pipeline pipeline, Step source, ImagePlus image) {
        List<Take> choices = new ArrayList<>();
        boolean canLoop = image != null && isFirst(pipeline, source);
        boolean channels = canLoop && image.getNChannels() > 1, frames = canLoop && image.getNFrames() > 1;
        choices.add(Take.SHOWN);
        if (channels)
            choices.add(Take.CHANNELS);
        if (frames)
            choices.add(Take.FRAMES);
        if (channels && frames)
            choices.add(Take.BOTH);
        if (Take.isFlat(image))
            choices.add(Take.SLICES);
        Take now = of(pipeline, source, image);
        if (!choices.contains(now))
            choices.add(now);
        return choices;
    }

    private static boolean isFirst(Pipeline pipeline, Step source) {
        return pipeline.steps(Step.Role.SOURCE).get(0).id == source.id;
    }

    /** The pipeline, changed so that `source` takes these planes. */
    static Pipeline take(Take planes, Registry registry, Pipeline pipeline, Step source) {
        List<Statement> statements = new ArrayList<>();
        for (Statement statement : pipeline.statements())
            statements.add(isFirst(pipeline, source) ? withoutLoop(statement) : statement);
        statements.removeIf(statement -> statement instanceof Statement.Text && statement.source().isEmpty());
        int at = Pipeline.indexOf(statements, source);
        String name = source.prefix() + (planes == Take.SLICES ? "_push" : "_pushCurrentZStack");
        if (!source.takesShown() && planes != Take.SLICES)
            statements.add(at++, new Statement.Text(before(source)));
        else if (source.takesShown() && planes == Take.SLICES && at > 0)
            statements.set(at - 1, removeLines(statements.get(at - 1), before(source)));
        statements.set(at, source.with(registry.commands.get(name), source.values));
        if (planes.isLoop()) {
            statements.add(at, new Statement.Text(planes.linesBefore()));
            statements.add(new Statement.Text(planes.loopEndText()));
        }
        return Pipeline.of(statements);
    }

    /**
     * The lines before a source that takes the displayed planes. They select its image, if it has a title, and remove
     * the selection, to which the planes would otherwise be cropped.
     */
    private static String before(Step source) {
        return select(source) + Take.DESELECT;
    }

    private static String select(Step source) {
        return source.title == null ? "" : "selectImage(" + source.images().get(0) + ");\n";
    }

    private static Statement withoutLoop(Statement statement) {
        Statement other = statement;
        for (Take take : Take.values()) {
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

    /** Text without the lines that {@link #take} writes. */
    public static String withoutLines(String text) {
        Statement rest = withoutLoop(new Statement.Text(text));
        return rest.source().replaceAll("(?m)^(selectImage\\(\\w+\\);\n)?run\\(\"Select None\"\\);\\s*$", "");
    }
}
