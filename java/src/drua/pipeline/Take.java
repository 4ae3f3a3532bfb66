// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import ij.ImagePlus;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which planes of its source's image a pipeline takes. SHOWN takes the slices of the displayed channel and frame.
 * SLICES is CLIJ2's push: for an image with one slice, the channels of the displayed frame become the slices of a
 * volume, or the frames if there is only one channel. CHANNELS, FRAMES and BOTH run the steps once for each channel,
 * frame, or both of the first source; the macro then has a loop around its steps.
 */
public enum Take {
    SHOWN("displayed channel and frame", "", ""),
    CHANNELS("each channel", "frame = first_frame; ", "for (channel = 1; channel <= channels; channel++) "),
    FRAMES("each frame", "channel = first_channel; ", "for (frame = 1; frame <= frames; frame++) "),
    BOTH("each channel and frame", "",
        "for (frame = 1; frame <= frames; frame++) for (channel = 1; channel <= channels; channel++) "),
    SLICES("all as slices of a volume", "", "");

    static final String DESELECT = "run(\"Select None\");\n";
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

    /** The lines before the first step of a loop. */
    String linesBefore() {
        return BEFORE + loopStart() + BEGIN;
    }

    /** The lines after the last step of a loop. */
    String loopEndText() {
        return END + loopEnd() + AFTER;
    }

    boolean isLoop() {
        return !loops.isEmpty();
    }

    /** True if `push` would take the channels or frames of an image as slices. */
    static boolean isFlat(ImagePlus image) {
        return image != null && image.getNSlices() == 1 && image.getNChannels() * image.getNFrames() > 1;
    }

    /**
     * True if text ends with the line that removes the selection, or contains it and ends with the first lines of a
     * loop.
     */
    static boolean deselects(String text) {
        return text.trim().endsWith(DESELECT.trim()) || text.trim().endsWith(BEGIN.trim()) && text.contains(DESELECT);
    }
}
