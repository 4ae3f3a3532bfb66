// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.PointSpread;
import drua.imagej.Series;
import drua.imagej.OptionWords;
import drua.imagej.Watch;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.macro.Interpreter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Processes all channels and frames of a window; see {@link HostCommands}. */
final class HyperstackCommands {
    private HyperstackCommands() {}

    public static void deconvolveHyperstack(Call call) {
        ImagePlus image = Windows.of(call, "image"), psf = Windows.of(call, "psf");
        int channels = image.getNChannels();
        int all = channels * image.getNFrames(), done = 0;
        boolean keeps = OptionWords.isOn(options(), call.text("options"), "keep_partial"), stopped = false;
        EngineException failure = null;
        ImageStack stack = new ImageStack(image.getWidth(), image.getHeight(), image.getStackSize());
        long[] kernels = new long[psf.getNChannels() >= channels ? channels : 1];
        try {
            pushPointSpreads(call, image, psf, kernels);
            if (!setting(call, "devices", "").isEmpty()) {
                deconvolveOnDevices(call, image, kernels, stack);
                Images.show(call.text("title"), stack, image);
                return;
            }
            for (int c = 1; c <= channels; c++) {
                for (int t = 1; t <= image.getNFrames(); t++) {
                    int[] slices = Images.slices(image, c, t);
                    stopped = stopped || keeps && done > 0 && mustStop();
                    Watch.partOfAll(done, all);
                    try {
                        if (!stopped)
                            deconvolve(call, image, slices, kernels[Math.min(c, kernels.length) - 1], stack);
                    } catch (EngineException e) {
                        if (done == 0 || mustStop() && !keeps)
                            throw e;
                        stopped = true;
                        failure = mustStop() ? null : e;
                    }
                    if (stopped)
                        copyWithoutBackground(image, slices, Float.parseFloat(setting(call, "background", "0")), stack);
                    else
                        done++;
                }
            }
        } catch (EngineException e) {
            throw call.error(e.getMessage());
        } finally {
            for (long kernel : kernels)
                if (kernel != 0)
                    Native.release(call.context(), kernel);
        }
        boolean isCut = failure == null && keeps && mustStop();
        if (isCut)
            IJ.log("deconvolveHyperstack was stopped: " + done + " of " + all + " channels and frames "
                + (done == 1 ? "is" : "are") + " done, the last one with fewer iterations"
                + (done < all ? "; the others show the image without its background" : ""));
        if (failure != null || isCut)
            showAsMacroEnds(call.text("title"), stack, image);
        else
            Images.show(call.text("title"), stack, image);
        if (failure != null)
            throw call.error(failure.getMessage() + "; '" + call.text("title")
                + "' shows the finished channels and frames, " + done + " of " + all
                + ", and for the others the image without its background");
    }

    /**
     * Opens a window even in batch mode, because batch-mode images close with the macro. Without a display, the program
     * that runs the macro gets the image.
     */
    private static void showAsMacroEnds(String title, ImageStack stack, ImagePlus like) {
        boolean batch = Interpreter.batchMode;
        Interpreter.batchMode = batch && IJ.getInstance() == null;
        try {
            Images.show(title, stack, like);
        } finally {
            Interpreter.batchMode = batch;
        }
    }

    public static void applyToHyperstack(Call call) {
        Registry.Operation operation = Registry.get().operations.get(call.text("operation"));
        if (operation == null || operation.host)
            throw call.error("operation",
                "there is no operation '" + call.text("operation") + "' that works on pixels; Drua Help lists all");
        Words words = new Words(call, operation);
        Series series =
            new Series(operation, words.values(), (int) call.integer("channel"), (int) call.integer("frame"));
        series.run(call.context());
        series.show(words.titles());
    }

    private static boolean mustStop() {
        return IJ.escapePressed() || Thread.currentThread().isInterrupted();
    }

    private static Registry.Parameter options() {
        return Registry.get().operations.get("deconvolve").parameter("options");
    }

    private static String setting(Call call, String name, String otherwise) {
        return OptionWords.of(options(), call.text("options")).getOrDefault(name, otherwise);
    }

    private static void copyWithoutBackground(ImagePlus image, int[] slices, float background, ImageStack target) {
        for (int slice : slices) {
            float[] pixels = (float[]) image.getStack().getProcessor(slice).convertToFloatProcessor().getPixelsCopy();
            for (int i = 0; i < pixels.length; i++)
                pixels[i] = Math.max(pixels[i] - background, 0);
            target.setPixels(pixels, slice);
        }
    }

    /**
     * Pushes the point spread function of each channel, or the displayed one. Reports each warning once, with the
     * affected channels.
     */
    private static void pushPointSpreads(Call call, ImagePlus image, ImagePlus psf, long[] kernels) {
        Map<String, List<String>> channelsByDoubt = new LinkedHashMap<>();
        PointSpread.check(image);
        long source = Images.push(call.context(), image, Images.slices(image, 1, 1), null, 0);
        try {
            for (int i = 0; i < kernels.length; i++) {
                List<String> doubts = new ArrayList<>();
                int[] slices = PointSpread.slices(psf, kernels.length > 1 ? i + 1 : psf.getChannel());
                kernels[i] = PointSpread.push(call.context(), image, source, psf, slices, doubts);
                for (String doubt : doubts)
                    channelsByDoubt.computeIfAbsent(doubt, d -> new ArrayList<>()).add(String.valueOf(i + 1));
            }
        } finally {
            Native.release(call.context(), source);
        }
        channelsByDoubt.forEach(
            (doubt, channels)
                -> IJ.log(channels.size() == kernels.length ? doubt
                                                            : "channel " + String.join(", ", channels) + ": " + doubt));
    }

    /** Deconvolves all channels and frames in one call, which several devices share. */
    private static void deconvolveOnDevices(Call call, ImagePlus image, long[] kernels, ImageStack target) {
        long context = call.context(), source = 0, psfs = 0, result = 0;
        Registry.Operation operation = Registry.get().operations.get("deconvolve_frames");
        int[] all = IntStream.rangeClosed(1, image.getStackSize()).toArray();
        try {
            source = Images.push(context, image, all, null, 0);
            psfs = concatenate(context, kernels);
            Object[] arguments = new Object[operation.parameters.size()];
            Object[] given = {
                source, psfs, null, image.getNChannels(), image.getNFrames(), kernels.length, call.text("options")};
            System.arraycopy(given, 0, arguments, 0, given.length);
            result = (Long) Invocation.run(context, operation, arguments)[0];
            Object[] planes = Images.pullPlanes(context, result);
            for (int slice : all)
                target.setPixels(planes[slice - 1], slice);
        } finally {
            for (long handle : new long[] {source, psfs, result})
                if (handle != 0)
                    Native.release(context, handle);
        }
    }

    /** Joins images along z. The result belongs to the caller. */
    private static long concatenate(long context, long[] images) {
        Registry.Operation join = Registry.get().operations.get("concatenate_stacks"),
                           copy = Registry.get().operations.get("copy");
        long joined = (Long) Invocation.run(context, copy, new Object[] {images[0], null})[0];
        for (int i = 1; i < images.length; i++) {
            long before = joined;
            try {
                joined = (Long) Invocation.run(context, join, new Object[] {before, images[i], null})[0];
            } finally {
                Native.release(context, before);
            }
        }
        return joined;
    }

    private static void deconvolve(Call call, ImagePlus image, int[] slices, long kernel, ImageStack target) {
        Registry.Operation operation = Registry.get().operations.get("deconvolve");
        long source = Images.push(call.context(), image, slices, null, 0), result = 0;
        try {
            Object[] arguments = new Object[operation.parameters.size()];
            arguments[0] = source;
            arguments[1] = kernel;
            arguments[3] = call.text("options");
            result = (Long) Invocation.run(call.context(), operation, arguments)[0];
            /* after a request to stop, the pull must still complete: it fetches the partial result */
            Watch.hold(mustStop());
            Object[] planes = Images.pullPlanes(call.context(), result);
            for (int z = 0; z < slices.length; z++)
                target.setPixels(planes[z], slices[z]);
        } catch (EngineException e) {
            int[] at = image.convertIndexToPosition(slices[0]);
            throw image.getNChannels() * image.getNFrames() == 1
                ? e
                : new EngineException("channel " + at[0] + ", frame " + at[2] + ": " + e.getMessage());
        } finally {
            Watch.hold(false);
            Native.release(call.context(), source);
            if (result != 0)
                Native.release(call.context(), result);
        }
    }
}
