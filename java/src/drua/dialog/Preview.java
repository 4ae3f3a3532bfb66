// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.PointSpread;
import drua.imagej.Series;
import drua.imagej.Watch;
import ij.ImagePlus;
import ij.measure.Calibration;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Previews the result of an operation while its dialog is open. It shows the displayed slice, or its selected part, as
 * OK would compute it. A separate thread serves the latest request and stops outdated work; a request also follows when
 * the slice or the selection changes. With a selection, long operations (those with an estimate) process only the
 * selected part, and a deconvolution also includes the slices whose light reaches it. The dialog also shows the time
 * and memory for the whole image.
 */
final class Preview extends LatestRequest {
    private static final long LOOK_MS = 100, QUIET_MS = 300;

    /** An image on the device. The image is sent again if another image is requested or the device changes. */
    private static final class Sent {
        private long handle;
        private int generation;
        private String what = "";

        /** @param wanted a key that differs whenever the pixels or their position differ */
        long get(long context, String wanted, LongSupplier push) {
            if (!what.equals(wanted) || generation != Engine.generation()) {
                release(context);
                handle = push.getAsLong();
                generation = Engine.generation();
                what = wanted;
            }
            return handle;
        }

        long get(long context, ImagePlus image, int[] slices, Rectangle part) {
            return get(context, image.getID() + scale(image) + Arrays.toString(slices) + part,
                () -> Images.push(context, image, slices, part, 0));
        }

        void release(long context) {
            if (handle != 0 && generation == Engine.generation())
                Native.release(context, handle);
            handle = 0;
            what = "";
        }
    }

    private final Registry.Operation operation;
    private final StatusLine estimates, status;
    private final PreviewLayer layer;
    private final int first;
    /** The other images on the device, by the index of their parameter. */
    private final Map<Integer, Sent> others = new HashMap<>();
    private final Sent whole = new Sent(), cut = new Sent();
    private Object[] request;
    private boolean picture, estimate;
    private Place seen;
    private long begun;

    /**
     * @param estimates shows time and memory, or why they are unknown
     * @param status    shows progress, or why there is no preview
     */
    Preview(Registry.Operation operation, StatusLine estimates, StatusLine status) {
        super("Drua preview");
        this.operation = operation;
        this.estimates = estimates;
        this.status = status;
        layer = new PreviewLayer(lookOf(operation));
        int i = 0;
        while (i < operation.parameters.size() && operation.parameters.get(i).kind != Registry.Kind.IMAGE_IN)
            i++;
        first = i;
        start();
    }

    private static PreviewLayer.Look lookOf(Registry.Operation operation) {
        for (Registry.Parameter p : operation.parameters) {
            if (p.kind != Registry.Kind.IMAGE_OUT)
                continue;
            if (p.labels)
                return PreviewLayer.Look.LABELS;
            if (p.doc.matches("(mask|binary image|1 (at|on) each).*"))
                return PreviewLayer.Look.MASK;
            if (p.type.equals("source"))
                return PreviewLayer.Look.AS_IMAGE;
            return PreviewLayer.Look.OTHER;
        }
        return PreviewLayer.Look.OTHER;
    }

    /** Requests a preview of these values or the original image, with or without an estimate. */
    synchronized void show(Object[] values, boolean wantsPicture, boolean wantsEstimate) {
        if (Arrays.equals(values, request) && picture == wantsPicture && estimate == wantsEstimate)
            return;
        request = values;
        picture = wantsPicture;
        estimate = wantsEstimate;
        change();
    }

    /** Restores the original display. */
    @Override
    public void close() {
        super.close();
        layer.clear();
        if (!holdsImages())
            return; /* else it would wait for the operation of another dialog */
        Runnable begun = Watch.waiting(operation.title());
        synchronized (Engine.class) {
            begun.run();
            releaseImages();
        }
    }

    private boolean holdsImages() {
        return whole.handle != 0 || cut.handle != 0 || others.values().stream().anyMatch(other -> other.handle != 0);
    }

    /** Releases all images. A preview without images opens no device, because the computer may have none. */
    private void releaseImages() {
        if (!holdsImages())
            return;
        whole.release(Engine.context());
        cut.release(Engine.context());
        others.values().forEach(other -> other.release(Engine.context()));
        others.clear();
    }

    /**
     * True if the running computation is outdated. The watch calls this often from its own thread, so it must not wait
     * for the engine's lock. Also reports slow steps in the dialog.
     */
    private synchronized boolean isStale(long context) {
        if (System.nanoTime() - begun > QUIET_MS * 1_000_000)
            status.say(
                Native.isCompiling(context) ? "preparing: compiling kernels (first time only) ..." : "computing ...");
        return changed || closed || picture && isElsewhere();
    }

    private boolean isElsewhere() {
        return seen != null && seen.image.getWindow() != null && !seen.equals(new Place(seen.image));
    }

    @Override
    void work() {
        for (;;) {
            Object[] values;
            boolean wantsPicture, wantsEstimate;
            synchronized (this) {
                while (!changed && !closed && !(picture && isElsewhere())) {
                    try {
                        wait(LOOK_MS);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                if (closed)
                    return;
                values = request;
                wantsPicture = picture;
                wantsEstimate = estimate;
                changed = false;
                begun = System.nanoTime();
            }
            showEstimate(wantsEstimate ? values : null);
            if (wantsPicture) {
                showPicture(values);
            } else {
                layer.clear();
                showSelectionNote(values);
                synchronized (Engine.class) {
                    if (!wantsEstimate)
                        releaseImages(); /* when ticked again, the preview reads the image again */
                }
            }
        }
    }

    private void showSelectionNote(Object[] values) {
        try {
            status.say(first < values.length ? SideDialog.ofSelection(OpenImages.titled((String) values[first])) : "");
        } catch (EngineException e) {
            status.fail(e.getMessage());
        }
    }

    /** Says which operation of another dialog or macro runs first. */
    private void showWaiting() {
        String running = Watch.running();
        if (!running.isEmpty())
            status.say("waiting for " + running + " ...");
    }

    private void showEstimate(Object[] values) {
        try {
            showWaiting();
            estimates.say(values != null ? estimate(values) : "");
        } catch (RuntimeException e) {
            synchronized (this) {
                if (changed || closed || picture && isElsewhere())
                    return; /* stopped by a newer request */
            }
            estimates.fail(EngineException.sentence(e));
        }
    }

    private void showPicture(Object[] values) {
        try {
            ImagePlus image = OpenImages.titled((String) values[first]);
            Place place = new Place(image);
            synchronized (this) {
                seen = place;
            }
            showWaiting();
            StringBuilder note = new StringBuilder();
            layer.show(place, computePreview(values, place, note));
            String selection = SideDialog.ofSelection(image);
            status.say(note + (note.length() > 0 && !selection.isEmpty() ? ". " : "") + selection);
        } catch (RuntimeException e) {
            synchronized (this) {
                if (changed || closed || isElsewhere())
                    return; /* stopped by a newer request */
            }
            layer.clear();
            status.fail(EngineException.sentence(e));
        } catch (OutOfMemoryError e) {
            layer.clear();
            status.fail(
                "ImageJ has too little memory for the preview; raise the limit with Edit>Options>Memory & Threads");
        }
    }

    /** Replaces titles with images; the first image is `handle`. */
    private Object[] arguments(long context, Object[] values, ImagePlus image, long handle) {
        Object[] arguments = values.clone();
        for (int i = 0; i < arguments.length; i++) {
            if (operation.parameters.get(i).kind != Registry.Kind.IMAGE_IN)
                continue;
            boolean isPsf = i == PointSpread.index(operation);
            arguments[i] = i == first ? handle
                                      : push(context, others.computeIfAbsent(i, number -> new Sent()),
                                          OpenImages.titled((String) values[i]), image, isPsf ? handle : 0);
        }
        return arguments;
    }

    /** @param source the image to deconvolve if `other` is its point spread function, else 0 */
    private long push(long context, Sent sent, ImagePlus other, ImagePlus image, long source) {
        if (source == 0)
            return sent.get(
                context, other, Series.slices(operation, other, other.getChannel(), other.getFrame()), null);
        int[] slices = PointSpread.slices(other, other.getChannel());
        String wanted = image.getID() + scale(image) + other.getID() + scale(other) + Arrays.toString(slices);
        return sent.get(
            context, wanted, () -> PointSpread.push(context, image, source, other, slices, new ArrayList<>()));
    }

    private static String scale(ImagePlus image) {
        Calibration scale = image.getCalibration();
        return " " + scale.pixelWidth + " " + scale.pixelDepth + " " + scale.getUnit() + " ";
    }

    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    private String estimate(Object[] values) {
        ImagePlus image = first < values.length ? OpenImages.titled((String) values[first]) : null;
        synchronized (Engine.class) {
            long context = Engine.context(),
                 handle = image == null ? 0 : whole.get(context, image, slices(new Place(image)), null);
            Object[] given = arguments(context, values, image, handle);
            Registry.Operation estimator = Registry.get().operations.get(operation.estimate);
            Object[] arguments = new Object[estimator.parameters.size()];
            for (int i = 0; i < given.length; i++) {
                int at = estimator.parameters.indexOf(estimator.parameter(operation.parameters.get(i).name));
                if (at >= 0 && !estimator.parameters.get(at).kind.isOutput())
                    arguments[at] = given[i];
            }
            try (Watch watch = Watch.begin(context, operation.title(), () -> isStale(context))) {
                int next = 0;
                Object[] outputs = Invocation.run(context, estimator, arguments);
                for (Registry.Parameter p : estimator.parameters) {
                    if (p.name.equals("estimate"))
                        return (String) outputs[next];
                    next += p.kind.isOutput() ? 1 : 0;
                }
                return "";
            }
        }
    }

    /** @param note receives notes about the picture */
    @SuppressWarnings("try")
    private ImageProcessor computePreview(Object[] values, Place place, StringBuilder note) {
        synchronized (Engine.class) {
            long context = Engine.context();
            int[] slices = slices(place);
            int here = Math.max(0, indexOf(slices, place.image.getStackIndex(place.channel, place.slice, place.frame)));
            boolean isAlone = PointSpread.isUsedBy(operation) || place.part != null && !operation.estimate.isEmpty();
            int from = 0, end = slices.length;
            if (PointSpread.isUsedBy(operation)) {
                int reach = PointSpread.slices(psf(values), 1).length / 2;
                from = Math.max(0, here - reach);
                end = Math.min(slices.length, here + reach + 1);
            }
            Rectangle part = isAlone ? place.part : null;
            boolean isCut = part != null || end - from < slices.length;
            long handle = (isCut ? cut : whole).get(context, place.image, Arrays.copyOfRange(slices, from, end), part);
            Object[] arguments = arguments(context, values, place.image, handle);
            try (Watch watch = Watch.begin(context, operation.title(), () -> isStale(context))) {
                ImageProcessor made =
                    slice(context, arguments, here - from, isAlone ? null : place.part, place.image, end - from, note);
                if (isCut) {
                    note.setLength(0);
                    note.append("computed from ")
                        .append(part != null ? "the selected part" : "neighbouring slices")
                        .append(" only; near the edges the final result will differ");
                }
                return made;
            }
        }
    }

    private int[] slices(Place place) {
        return Series.slices(operation, place.image, place.channel, place.frame);
    }

    private ImagePlus psf(Object[] values) {
        return OpenImages.titled((String) values[PointSpread.index(operation)]);
    }

    private static int indexOf(int[] slices, int slice) {
        for (int i = 0; i < slices.length; i++) {
            if (slices[i] == slice)
                return i;
        }
        return -1;
    }

    /** A slice of the result, or its selected part if the result has the size of the image. */
    private ImageProcessor slice(
        long context, Object[] arguments, int at, Rectangle part, ImagePlus image, int count, StringBuilder note) {
        boolean rgb = image.getType() == ImagePlus.COLOR_RGB;
        int step = rgb ? 3 : 1, x = part == null ? 0 : part.x, y = part == null ? 0 : part.y;
        long[] numbers = {x, y, (long) step * at, part == null ? 0 : x + part.width, part == null ? 0 : y + part.height,
            (long) step * (at + 1), 0, 0, 0, 0};
        long result = (Long) Invocation.run(context, operation, arguments, numbers)[0];
        try {
            if (part != null && (numbers[6] != image.getWidth() || numbers[7] != image.getHeight()))
                return slice(context, arguments, at, null, image, count, note);
            if (numbers[9] != 0 && (part != null || count > 1))
                note.append(count > 1 ? "computed from the whole stack" : "computed from the whole image");
            Object[] planes = Images.pullPlanes(context, result);
            long[] info = Native.info(context, result);
            if (rgb && planes.length == 3 && planes[0] instanceof byte[]) {
                ColorProcessor merged = new ColorProcessor((int) info[0], (int) info[1]);
                merged.setRGB((byte[]) planes[0], (byte[]) planes[1], (byte[]) planes[2]);
                return merged;
            }
            return Images.pull(context, result, "", false).getProcessor();
        } finally {
            Native.release(context, result);
        }
    }
}
