// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import ij.measure.ResultsTable;
import java.awt.image.BufferedImage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of a step, or why it has none. Any thread may read it. Only the picture is added later. */
public final class Result {
    /** The inputs of the step. The step runs again only if its key changes. */
    final List<Object> key;
    /** The image names on the device, by variables of the macro. */
    final Map<String, String> names = new LinkedHashMap<>();
    /** True if the images are freed with this result; otherwise they belong to another result. */
    final boolean owns;
    /** Why the step has no result, as a message; "" on success. */
    public final String failure;
    /**
     * Width, height, depth, dimension, type, bytes and 1 for a label map, of the first image; null without an image.
     */
    public final long[] info;
    public final double milliseconds;
    /** The measured rows, or null. */
    public final ResultsTable table;
    /** The numbers and texts that the step returned, by variable. */
    public final Map<String, Object> found;
    private volatile BufferedImage picture;

    private Result(List<Object> key, Map<String, String> names, boolean owns, String failure, long[] info,
        double milliseconds, ResultsTable table, Map<String, Object> found) {
        this.key = key;
        this.names.putAll(names);
        this.owns = owns;
        this.failure = failure;
        this.info = info;
        this.milliseconds = milliseconds;
        this.table = table;
        this.found = found;
    }

    static Result failed(List<Object> key, String sentence) {
        return new Result(key, Collections.emptyMap(), false, sentence, null, 0, null, Collections.emptyMap());
    }

    static Result made(List<Object> key, Map<String, String> names, long[] info, double milliseconds,
        ResultsTable table, Map<String, Object> found) {
        return new Result(key, names, true, "", info, milliseconds, table, found);
    }

    /** The result of a step that is off: the image of another result under another variable. */
    static Result passed(List<Object> key, String variable, Result from, String image) {
        return new Result(key, Collections.singletonMap(variable, from.names.get(image)), false, "", from.info, 0, null,
            Collections.emptyMap());
    }

    /** A small picture of the first image; null until it is available. */
    public BufferedImage picture() {
        return picture;
    }

    void picture(BufferedImage made) {
        picture = made;
    }
}
