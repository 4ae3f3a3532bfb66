// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.ParameterWords;
import drua.engine.Registry;

/**
 * Classifies images by the texts of the registry: the kind that an output is, and the kind that a parameter expects.
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
     * True if an operation measures labels in another image. That image is grey, though a label map would also be
     * valid.
     */
    public static boolean measuresLabels(Registry.Operation operation) {
        return operation.parameters.stream().anyMatch(
            p -> p.kind == Registry.Kind.IMAGE_IN && wanted(p) == Kind.LABELS);
    }
}
