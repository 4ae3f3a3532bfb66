// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import ij.ImagePlus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A ready-made pipeline for a common task: a macro in the jar with a name, a sentence and a picture. Immutable. */
public final class Preset {
    /** The image that a preset needs. MOVIE: one channel and one plane for each time point. */
    private enum Needs { IMAGE, CHANNELS, MOVIE }

    private static final String FOLDER = "presets/", TABLE = FOLDER + "presets.tsv";

    /** The name that users see. */
    public final String name;
    /** One sentence: what the pipeline finds. */
    public final String sentence;
    private final String file;
    private final Needs needs;

    private Preset(String line) {
        String[] cells = line.split("\t");
        file = cells[0];
        name = cells[1];
        needs = Needs.valueOf(cells[2].toUpperCase(Locale.ROOT));
        sentence = cells[3];
    }

    /** All presets, in the order in which users see them. */
    public static List<Preset> all() {
        return read(TABLE).stream().skip(1).map(Preset::new).collect(Collectors.toList());
    }

    private static List<String> read(String name) {
        try (InputStream in = Preset.class.getResourceAsStream(name)) {
            if (in == null)
                throw new EngineException("Drua's jar is damaged: " + name + " is missing; install Drua again");
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                .lines()
                .collect(Collectors.toList());
        } catch (IOException e) {
            throw new EngineException("Drua's jar cannot be read (" + e.getMessage() + "); install Drua again");
        }
    }

    /** The steps as a macro. */
    public String macro() {
        return read(FOLDER + file + ".ijm")
            .stream()
            .filter(line -> !line.contains("SPDX"))
            .collect(Collectors.joining("\n", "", "\n"));
    }

    /** A picture of an image and its result, next to each other; null without a picture file. */
    public URL picture() {
        return Preset.class.getResource(FOLDER + file + ".png");
    }

    /** Why the preset does not fit an image, as a message; "" if it fits. */
    public String refusal(ImagePlus image) {
        if (image == null)
            return "it needs an open image";
        if (image.getType() == ImagePlus.COLOR_RGB)
            return "it needs a grey image; convert this RGB image with Image>Type>8-bit, or split its channels";
        if (needs == Needs.CHANNELS && (image.getNChannels() < 2 || image.getNSlices() * image.getNFrames() > 1))
            return "it needs an image of two channels with one slice and one frame, such as a maximum projection";
        if (needs == Needs.MOVIE && (image.getNChannels() > 1 || !isMovie(image)))
            return "it needs a movie of one channel with one slice in each frame";
        return "";
    }

    private static boolean isMovie(ImagePlus image) {
        return image.getNSlices() > 1 != image.getNFrames() > 1;
    }

    /** True if the steps process the displayed channel and frame; otherwise they take all channels or frames. */
    boolean takesShown() {
        return needs == Needs.IMAGE;
    }
}
