// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import ij.measure.ResultsTable;
import java.awt.image.BufferedImage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a step made, or why it made nothing. Only the picture comes later; it may be read by any thread. */
public final class Result {
    /** What it was made from: while a step's is equal, it need not run again. */
    final List<Object> key;
    /** The device's names of images, by the variables of the macro. */
    final Map<String, String> names = new LinkedHashMap<>();
    /** Whether the images go with the result; else they are another one's. */
    final boolean owns;
    /** The sentence that says why there is nothing; "" if all is well. */
    public final String failure;
    /**
     * Width, height, depth, dimension, type, bytes and whether it is a label map, of the first image; null without
     * one.
     */
    public final long[] info;
    public final double milliseconds;
    /** The rows that it measured, or null. */
    public final ResultsTable table;
    /** Numbers and texts that it found, by variable. */
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

    /** The image of another result under another variable: what a step that is off gives. */
    static Result passed(List<Object> key, String variable, Result from, String image) {
        return new Result(key, Collections.singletonMap(variable, from.names.get(image)), false, "", from.info, 0, null,
            Collections.emptyMap());
    }

    /** A small picture of the first image; null as long as there is none. */
    public BufferedImage picture() {
        return picture;
    }

    void picture(BufferedImage made) {
        picture = made;
    }
}
