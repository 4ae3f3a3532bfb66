// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Registry;
import java.util.List;

/** The kinds of the images in a pipeline. */
public final class ImageKinds {
    private ImageKinds() {}

    /** The kind of an image in the pipeline. */
    public static Kinds.Kind of(Pipeline pipeline, String image) {
        Step maker = pipeline.maker(image);
        if (maker == null || maker.role() != Step.Role.WORK)
            return Kinds.Kind.GREY;
        Kinds.Kind from = maker.inputs().isEmpty() ? Kinds.Kind.GREY : of(pipeline, maker.inputs().get(0));
        if (!maker.on)
            return from;
        for (int i = 0; i < maker.values.size(); i++) {
            if (maker.values.get(i).equals(image) && maker.parameter(i) != null)
                return Kinds.made(maker.parameter(i), from);
        }
        return Kinds.Kind.GREY;
    }

    /** The kind of a step's image; for a step that only measures, that of the labels or the image that it measures. */
    public static Kinds.Kind ofStep(Pipeline pipeline, Step step) {
        if (!step.images().isEmpty())
            return of(pipeline, step.images().get(0));
        List<String> inputs = step.inputs();
        return inputs.stream().anyMatch(image -> of(pipeline, image) == Kinds.Kind.LABELS) ? Kinds.Kind.LABELS
            : inputs.isEmpty()                                                             ? Kinds.Kind.GREY
                               : of(pipeline, inputs.get(0));
    }

    /**
     * The image that a new step reads: the selected image if it is suitable, else the nearest suitable image above it.
     * Grey images are taken from the source.
     */
    public static String source(
        Pipeline pipeline, Registry.Parameter p, String chosen, List<String> before, List<String> taken) {
        Kinds.Kind wanted = p == null ? Kinds.Kind.GREY : Kinds.wanted(p), is = of(pipeline, chosen);
        if (!taken.contains(chosen) && (wanted == is || taken.isEmpty() && Kinds.fits(wanted, is)))
            return chosen;
        if (wanted == Kinds.Kind.GREY)
            return before.stream()
                .filter(image -> !taken.contains(image) && of(pipeline, image) == Kinds.Kind.GREY)
                .findFirst()
                .orElse(chosen);
        for (int i = before.size() - 1; i >= 0; i--) {
            if (!taken.contains(before.get(i)) && of(pipeline, before.get(i)) == wanted)
                return before.get(i);
        }
        return chosen;
    }
}
