// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import ij.CompositeImage;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.measure.ResultsTable;
import ij.process.LUT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Runs an operation on open images, once for each channel and frame. The operation gets the slices as depth. If it
 * works along time and the image has frames but no slices, it gets the frames as depth. An image with one channel or
 * frame is combined with every channel or frame of the other images.
 */
public final class Series {
    /** The results for an output or a changed image, one for each channel and frame. */
    private static final class Made {
        final Registry.Parameter parameter;
        final List<Object> parts = new ArrayList<>();

        Made(Registry.Parameter parameter) {
            this.parameter = parameter;
        }
    }

    private final Registry.Operation operation;
    private final Object[] values;
    private final int[] channels, frames;
    private final List<Made> made = new ArrayList<>();
    private final ImagePlus source;
    private boolean stopped;

    /**
     * @param values  all parameters as {@link Invocation#run} takes them, but an ImagePlus for each image
     * @param channel the only channel to process, from 1, or 0 for all
     * @param frame   the only frame to process, from 1, or 0 for all
     */
    public Series(Registry.Operation operation, Object[] values, int channel, int frame) {
        this.operation = operation;
        this.values = values;
        source = Arrays.stream(values)
                     .filter(ImagePlus.class ::isInstance)
                     .map(ImagePlus.class ::cast)
                     .findFirst()
                     .orElse(null);
        int allChannels = 1, allFrames = 1;
        for (Object value : values) {
            if (value instanceof ImagePlus && !isKernel((ImagePlus) value)) {
                allChannels = Math.max(allChannels, ((ImagePlus) value).getNChannels());
                allFrames = Math.max(allFrames, frames(operation, (ImagePlus) value));
            }
        }
        for (Object value : values) {
            if (value instanceof ImagePlus) {
                check((ImagePlus) value, "channels", ((ImagePlus) value).getNChannels(), allChannels);
                if (!isKernel((ImagePlus) value))
                    check((ImagePlus) value, "frames", frames(operation, (ImagePlus) value), allFrames);
            }
        }
        channels = numbers("channel", channel, allChannels);
        frames = numbers("frame", frame, allFrames);
        for (Registry.Parameter p : operation.parameters) {
            if (p.kind.isOutput() || p.kind == Registry.Kind.IMAGE_INOUT)
                made.add(new Made(p));
        }
    }

    private int[] numbers(String what, int only, int all) {
        if (only > all)
            throw new EngineException(
                operation.camelCase() + ": " + what + " must be 1 to " + all + ", or 0 for all, got " + only);
        return only > 0 ? new int[] {only} : IntStream.rangeClosed(1, all).toArray();
    }

    private void check(ImagePlus image, String what, int count, int all) {
        if (count != 1 && count != all && !(isKernel(image) && what.equals("channels")))
            throw new EngineException(operation.camelCase() + ": '" + image.getTitle() + "' has " + count + " " + what
                + " and another image has " + all + "; both must have the same number of " + what
                + ", or one of them must have one");
    }

    private boolean isKernel(ImagePlus image) {
        int psf = PointSpread.index(operation);
        return psf >= 0 && values[psf] == image && source != image;
    }

    /** True if each image is one volume, which is what the macro command push sends. */
    public static boolean isOneVolume(Registry.Operation operation, Object[] values) {
        return Arrays.stream(values)
            .filter(ImagePlus.class ::isInstance)
            .map(ImagePlus.class ::cast)
            .allMatch(image -> image.getNChannels() == 1 && frames(operation, image) == 1);
    }

    private static boolean takesFramesAsSlices(Registry.Operation operation, ImagePlus image) {
        boolean alongTime = operation.category.equals("super-resolution") || operation.category.equals("projection");
        if (operation.category.equals("super-resolution") && image.getNSlices() > 1 && image.getNFrames() > 1)
            throw new EngineException(operation.camelCase() + ": '" + image.getTitle()
                + "' has slices and frames, but only one of them can be the time axis; "
                + "take one slice of it with Image>Duplicate");
        return alongTime && image.getNSlices() == 1;
    }

    private static int frames(Registry.Operation operation, ImagePlus image) {
        return takesFramesAsSlices(operation, image) ? 1 : image.getNFrames();
    }

    /**
     * The stack indices that an operation uses for a channel and frame. If the image has fewer, its last channel or
     * frame is used.
     */
    public static int[] slices(Registry.Operation operation, ImagePlus image, int channel, int frame) {
        int c = Math.min(channel, image.getNChannels()), t = Math.min(frame, image.getNFrames());
        if (!takesFramesAsSlices(operation, image))
            return Images.slices(image, c, t);
        return IntStream.rangeClosed(1, image.getNFrames()).map(i -> image.getStackIndex(c, 1, i)).toArray();
    }

    /**
     * Runs the operation on the context. The caller holds the engine's lock. Escape makes it fail, or keeps the
     * finished part if the operation supports that.
     */
    public void run(long context) {
        Set<String> warnings = new LinkedHashSet<>();
        int done = 0, all = channels.length * frames.length;
        try (Watch watch = Watch.begin(context, operation.title())) {
            for (int frame : frames) {
                for (int channel : channels) {
                    watch.part(done++, all);
                    if (!stopped)
                        runOne(context, watch, channel, frame, warnings);
                }
            }
        }
        warnings.forEach(IJ::log);
        if (stopped && all > 1)
            IJ.log(operation.camelCase() + " was stopped; the remaining channels and frames are black");
    }

    private void runOne(long context, Watch watch, int channel, int frame, Set<String> warnings) {
        List<Long> mine = new ArrayList<>();
        Object[] arguments = values.clone();
        try {
            for (int i = 0; i < values.length; i++) {
                if (!(values[i] instanceof ImagePlus))
                    continue;
                ImagePlus image = (ImagePlus) values[i];
                long pushed = isKernel(image)
                    ? PointSpread.push(context, source, mine.get(0), image,
                        PointSpread.slices(image, channelOfKernel(image, channel)), warnings)
                    : Images.push(context, image, slices(operation, image, channel, frame), null, 0);
                mine.add(pushed);
                arguments[i] = pushed;
            }
            Object[] outputs = Invocation.run(context, operation, arguments);
            for (Object output : outputs) {
                if (output instanceof Long)
                    mine.add((Long) output);
            }
            stopIfAsked(watch);
            int next = 0;
            for (Made m : made) {
                Object output = m.parameter.kind.isOutput() ? outputs[next++]
                                                            : arguments[operation.parameters.indexOf(m.parameter)];
                m.parts.add(output instanceof Long ? Images.pull(context, (Long) output, "", true) : output);
            }
        } catch (EngineException e) {
            throw channels.length * frames.length == 1 || watch.isStopped()
                ? e
                : new EngineException("channel " + channel + ", frame " + frame + ": " + e.getMessage());
        } finally {
            Watch.hold(false);
            for (long image : mine)
                Native.release(context, image);
        }
    }

    private int channelOfKernel(ImagePlus psf, int channel) {
        return source.getNChannels() > 1 && psf.getNChannels() >= source.getNChannels() ? channel : psf.getChannel();
    }

    /** Stops on Escape, except while a partial result is fetched. */
    private void stopIfAsked(Watch watch) {
        if (!watch.isStopped())
            return;
        boolean keeps =
            IntStream.range(0, values.length)
                .anyMatch(i
                    -> operation.parameters.get(i).kind == Registry.Kind.OPTIONS && values[i] instanceof String
                        && OptionWords.isOn(operation.parameters.get(i), (String) values[i], "keep_partial"));
        if (!keeps)
            throw new EngineException(operation.camelCase() + ": stopped on request");
        stopped = true;
        Watch.hold(true);
    }

    /** Default titles of the windows that {@link #show} opens, by parameter. */
    public static Map<String, String> titles(Registry.Operation operation, Object[] values) {
        Map<String, String> titles = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            Registry.Parameter p = operation.parameters.get(i);
            if (p.kind == Registry.Kind.IMAGE_OUT)
                titles.put(p.name, free(operation.camelCase(), titles));
            else if (p.kind == Registry.Kind.IMAGE_INOUT)
                titles.put(p.name, free(operation.camelCase() + " of " + ((ImagePlus) values[i]).getTitle(), titles));
            else if (p.kind == Registry.Kind.TABLE_OUT)
                titles.put(p.name, free(operation.camelCase(), titles));
        }
        return titles;
    }

    private static String free(String title, Map<String, String> taken) {
        String free = title;
        for (int i = 1;
             taken.containsValue(free) || WindowManager.getImage(free) != null || WindowManager.getWindow(free) != null;
             i++)
            free = title + "-" + i;
        return free;
    }

    /**
     * Opens windows for images and tables. Numbers and texts go to the Log; a single one next to an image goes to the
     * status bar.
     */
    public void show(Map<String, String> titles) {
        boolean picture = made.stream().anyMatch(m -> m.parameter.kind.isImage());
        long numbers = made.stream().filter(m -> m.parameter.kind == Registry.Kind.NUMBER_OUT).count();
        for (Made m : made) {
            if (m.parameter.kind.isImage()) {
                showImages(m, titles.get(m.parameter.name));
            } else if (m.parameter.kind == Registry.Kind.TABLE_OUT) {
                showTable(m, titles.get(m.parameter.name));
            } else {
                for (int i = 0; i < m.parts.size(); i++) {
                    String text = operation.camelCase() + place(i) + ": " + m.parameter.name + " = " + m.parts.get(i);
                    if (picture && numbers == 1)
                        IJ.showStatus(text);
                    else
                        IJ.log(text);
                }
            }
        }
    }

    private String place(int part) {
        return channels.length * frames.length == 1
            ? ""
            : " of channel " + channels[part % channels.length] + ", frame " + frames[part / channels.length];
    }

    /** Shows a table, in which each row names its image, channel and frame. */
    private void showTable(Made m, String title) {
        ResultsTable all = new ResultsTable();
        for (int i = 0; i < m.parts.size(); i++) {
            ResultsTable table = (ResultsTable) m.parts.get(i);
            int channel = channels[i % channels.length], frame = frames[i / channels.length];
            for (int row = 0; row < table.size(); row++) {
                all.incrementCounter();
                if (source != null)
                    all.addValue("Image", name(channel, frame));
                if (source != null && source.getNChannels() > 1)
                    all.addValue("Channel", channel);
                if (source != null && frames(operation, source) > 1)
                    all.addValue("Frame", frame);
                for (String heading : table.getHeadings())
                    all.addValue(heading, table.getValue(heading, row));
            }
        }
        if (all.size() > 0)
            all.show(title);
    }

    /** The name of the image, or of its slice if the slice has one. */
    private String name(int channel, int frame) {
        int[] slices = slices(operation, source, channel, frame);
        String label =
            slices.length == 1 && source.getStackSize() > 1 ? source.getStack().getShortSliceLabel(slices[0]) : null;
        return source.getTitle() + (label == null || label.isEmpty() ? "" : ":" + label);
    }

    private void showImages(Made m, String title) {
        ImagePlus first = (ImagePlus) m.parts.get(0);
        boolean fit = m.parts.stream()
                          .map(ImagePlus.class ::cast)
                          .allMatch(part
                              -> part.getWidth() == first.getWidth() && part.getHeight() == first.getHeight()
                                  && part.getStackSize() == first.getStackSize() && part.getType() == first.getType());
        for (int i = 0; !fit && i < m.parts.size(); i++) {
            ImagePlus part = (ImagePlus) m.parts.get(i);
            part.setTitle(title + place(i));
            part.show();
        }
        if (!fit)
            return;
        ImagePlus result = channels.length * frames.length == 1 ? first : joinStacks(m.parts);
        result.setTitle(title);
        result.show();
    }

    private ImagePlus joinStacks(List<Object> parts) {
        ImagePlus first = (ImagePlus) parts.get(0);
        int depth = first.getStackSize();
        ImageStack stack = new ImageStack(first.getWidth(), first.getHeight());
        for (int t = 0; t < frames.length; t++) {
            for (int z = 1; z <= depth; z++) {
                for (int c = 0; c < channels.length; c++) {
                    int part = t * channels.length + c;
                    stack.addSlice("",
                        part < parts.size()
                            ? ((ImagePlus) parts.get(part)).getStack().getPixels(z)
                            : first.getProcessor().createProcessor(first.getWidth(), first.getHeight()).getPixels());
                }
            }
        }
        ImagePlus result = new ImagePlus("", stack);
        result.setDimensions(channels.length, depth, frames.length);
        result.setOpenAsHyperStack(true);
        result.setCalibration(first.getCalibration());
        boolean labels = LabelColors.are(first.getProcessor().getLut());
        if (channels.length > 1 && first.getType() != ImagePlus.COLOR_RGB)
            result = composite(result, parts, labels);
        else if (labels)
            LabelColors.applyTo(result);
        else if (first.getType() != ImagePlus.COLOR_RGB)
            result.setLut(lut(parts, 0));
        result.setPosition(1, Math.max(1, depth / 2), 1);
        return result;
    }

    /**
     * Combines channels in the colours of the source. Label maps stay separate, because overlaid label colours cannot
     * be read.
     */
    private ImagePlus composite(ImagePlus result, List<Object> parts, boolean labels) {
        boolean coloured = source instanceof CompositeImage && source.getNChannels() == result.getNChannels();
        CompositeImage composite = new CompositeImage(
            result, labels || !coloured ? CompositeImage.COLOR : ((CompositeImage) source).getMode());
        LUT[] luts = new LUT[channels.length];
        for (int c = 0; c < luts.length; c++) {
            LUT shown = lut(parts, c);
            luts[c] = coloured && !labels ? (LUT) source.getLuts()[c].clone() : shown;
            luts[c].min = shown.min;
            luts[c].max = shown.max;
        }
        composite.setLuts(luts);
        return composite;
    }

    /**
     * Colours of a channel and its display range, from the smallest lower limit to the largest upper limit of its
     * frames.
     */
    private LUT lut(List<Object> parts, int channel) {
        LUT lut = (LUT) ((ImagePlus) parts.get(channel < parts.size() ? channel : 0)).getProcessor().getLut().clone();
        lut.min = Double.MAX_VALUE;
        lut.max = -Double.MAX_VALUE;
        for (int i = channel; i < parts.size(); i += channels.length) {
            lut.min = Math.min(lut.min, ((ImagePlus) parts.get(i)).getDisplayRangeMin());
            lut.max = Math.max(lut.max, ((ImagePlus) parts.get(i)).getDisplayRangeMax());
        }
        return lut;
    }
}
