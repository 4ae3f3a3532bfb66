// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.Registry;
import java.util.List;

/**
 * What images are, as far as the registry's description tells: what a step makes, and which images a parameter is for.
 */
public final class Kinds {
    /** NUMBERS: vectors, matrices and point lists, which are no pictures. */
    public enum Kind { GREY, MASK, LABELS, NUMBERS }

    private Kinds() {}

    /** What an output is, made of an image of that kind. */
    public static Kind made(Registry.Parameter output, Kind from) {
        String doc = output.doc;
        boolean keeps =
            doc.matches("(copy|moved image|mirrored image|turned image|the part|resized image|slices taken).*");
        return output.labels                                                                    ? Kind.LABELS
            : doc.matches("(mask|binary image|1 (at|on) each).*")                               ? Kind.MASK
            : doc.matches("(vector|.*matrix|point list|.*\\b(row|column)s? (and|for|of)\\b).*") ? Kind.NUMBERS
            : keeps                                                                             ? from
                                                                                                : Kind.GREY;
    }

    /** What an input is for. */
    public static Kind wanted(Registry.Parameter input) {
        return input.doc.matches("(other )?label (map|image)(?! or image| or).*") ? Kind.LABELS
            : input.doc.matches("(mask|binary image).*")                          ? Kind.MASK
            : input.doc.matches(
                  "(vector|.*matrix|point list|distances|numbers of labels|.*coefficients|a (row|column) for).*")
            ? Kind.NUMBERS
            : Kind.GREY;
    }

    /** What an image of the pipeline is. */
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

    /** Whether an image can be of use where a parameter wants one; label maps and masks are images too. */
    public static boolean fits(Kind wanted, Kind is) {
        return wanted == is || wanted == Kind.MASK && is == Kind.LABELS || wanted == Kind.GREY && is != Kind.NUMBERS;
    }

    /**
     * The image that a new step reads: the chosen one where it is meant, else the nearest before that is; grey values
     * come from the source.
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

    /** Whether an operation measures labels in another image: then that is grey, though label maps would fit. */
    public static boolean measuresLabels(Registry.Operation operation) {
        return operation.parameters.stream().anyMatch(
            p -> p.kind == Registry.Kind.IMAGE_IN && wanted(p) == Kind.LABELS);
    }
}
