// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.ParameterWords;
import drua.engine.Registry;
import java.util.List;

/**
 * Classifies images by the texts of the registry: the kind that a step makes, and the kind that a parameter expects.
 */
public final class Kinds {
    /** NUMBERS: vectors, matrices and point lists, which are not pictures. */
    public enum Kind { GREY, MASK, LABELS, NUMBERS }

    private Kinds() {}

    /** The kind of an output that is made from an image of kind `from`. */
    public static Kind made(Registry.Parameter output, Kind from) {
        String doc = output.doc;
        boolean keeps =
            doc.matches("(copy|moved image|mirrored image|transposed image|the part|resized image|slices taken).*");
        if (output.labels)
            return Kind.LABELS;
        if (doc.matches("(mask|binary image|1 (at|on) each).*"))
            return Kind.MASK;
        if (doc.matches("(vector|.*matrix|point list|.*\\b(row|column)s? (and|for|of)\\b).*"))
            return Kind.NUMBERS;
        if (keeps)
            return from;
        return Kind.GREY;
    }

    /** The kind that an input expects. */
    public static Kind wanted(Registry.Parameter input) {
        if (ParameterWords.wantsLabels(input))
            return Kind.LABELS;
        if (input.doc.matches("(mask|binary image).*"))
            return Kind.MASK;
        if (input.doc.matches(
                "(vector|.*matrix|point list|distances|numbers of labels|.*coefficients|a (row|column) for).*"))
            return Kind.NUMBERS;
        return Kind.GREY;
    }

    /** The kind of an image in the pipeline. */
    public static Kind of(Pipeline pipeline, String image) {
        Step maker = pipeline.maker(image);
        if (maker == null || maker.role() != Step.Role.WORK)
            return Kind.GREY;
        Kind from = maker.inputs().isEmpty() ? Kind.GREY : of(pipeline, maker.inputs().get(0));
        if (!maker.on)
            return from;
        for (int i = 0; i < maker.values.size(); i++) {
            if (maker.values.get(i).equals(image) && maker.parameter(i) != null)
                return made(maker.parameter(i), from);
        }
        return Kind.GREY;
    }

    /** The kind of a step's image; for a step that only measures, that of the labels or the image that it measures. */
    public static Kind ofStep(Pipeline pipeline, Step step) {
        if (!step.images().isEmpty())
            return of(pipeline, step.images().get(0));
        List<String> inputs = step.inputs();
        return inputs.stream().anyMatch(image -> of(pipeline, image) == Kind.LABELS) ? Kind.LABELS
            : inputs.isEmpty()                                                       ? Kind.GREY
                                                                                     : of(pipeline, inputs.get(0));
    }

    /** True if an operation of several slices would be pointless on a plane. */
    public static boolean needsStack(Registry.Operation operation) {
        return operation.parameters.stream().anyMatch(
            p -> p.kind == Registry.Kind.IMAGE_IN && p.doc.matches("stack\\b(?! or plane).*"));
    }

    /** True if a parameter that expects `wanted` can use the image; label maps and masks are also images. */
    public static boolean fits(Kind wanted, Kind is) {
        return wanted == is || wanted == Kind.MASK && is == Kind.LABELS || wanted == Kind.GREY && is != Kind.NUMBERS;
    }

    /**
     * The image that a new step reads: the selected image if it is suitable, else the nearest suitable image above it.
     * Grey images are taken from the source.
     */
    public static String source(
        Pipeline pipeline, Registry.Parameter p, String chosen, List<String> before, List<String> taken) {
        Kind wanted = p == null ? Kind.GREY : wanted(p), is = of(pipeline, chosen);
        if (!taken.contains(chosen) && (wanted == is || taken.isEmpty() && fits(wanted, is)))
            return chosen;
        if (wanted == Kind.GREY)
            return before.stream()
                .filter(image -> !taken.contains(image) && of(pipeline, image) == Kind.GREY)
                .findFirst()
                .orElse(chosen);
        for (int i = before.size() - 1; i >= 0; i--) {
            if (!taken.contains(before.get(i)) && of(pipeline, before.get(i)) == wanted)
                return before.get(i);
        }
        return chosen;
    }

    /**
     * True if an operation measures labels in another image. That image is grey, though a label map would also be
     * valid.
     */
    public static boolean measuresLabels(Registry.Operation operation) {
        return operation.parameters.stream().anyMatch(
            p -> p.kind == Registry.Kind.IMAGE_IN && wanted(p) == Kind.LABELS);
    }
}
