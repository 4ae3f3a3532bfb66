// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.LabelColors;
import drua.imagej.PointSpread;
import drua.imagej.Selections;
import drua.imagej.Watch;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.ImageRoi;
import ij.gui.Overlay;
import ij.process.ImageProcessor;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Shows what an operation would make of an image, while its dialog is open: the slice on screen, computed from the whole image
 * or, where a part is selected, from that part alone (a deconvolution: from the slices whose light comes there), by a thread of
 * its own that always takes the newest wish. A result of the same size lies on top of the image, another one in a window of its
 * own. Tells time and memory too, of the whole image.
 */
final class Preview implements AutoCloseable {
    /** As wide as estimates are, so that a dialog has room for them. */
    static final String NO_ESTIMATE = String.join("", Collections.nCopies(165, " "));

    private final Registry.Operation operation;
    private final Thread worker = new Thread(this::work, "Drua preview");
    private final Consumer<String> estimates;
    private final Overlay before;
    private final ImagePlus image;
    private final Rectangle part;
    private Object[] wish;
    private boolean picture, estimate, changed, closed;
    private final Map<String, Long> others = new HashMap<>();
    private long pushed, whole;
    private ImagePlus window;

    /**
     * @param image     on which results are shown, the first image of the operation; null if it has none
     * @param estimates gets time and memory in words
     */
    Preview(Registry.Operation operation, ImagePlus image, Consumer<String> estimates) {
        this.operation = operation;
        this.image = image;
        this.estimates = estimates;
        before = image == null ? null : image.getOverlay();
        part = image == null ? null : Selections.bounds(image);
        worker.setDaemon(true);
        worker.start();
    }

    /** Shows the result of these values soon, or the image as it is; and the estimate or none. */
    synchronized void show(Object[] values, boolean wantsPicture, boolean wantsEstimate) {
        if (Arrays.equals(values, wish) && picture == wantsPicture && estimate == wantsEstimate)
            return;
        wish = values;
        picture = wantsPicture;
        estimate = wantsEstimate;
        changed = true;
        notifyAll();
    }

    private synchronized boolean isStale() {
        return changed || closed;
    }

    /** Shows the image as it was before; waits for a result that is being made. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            worker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clear();
        synchronized (Engine.class) {
            for (long mine : new long[] {pushed, whole}) {
                if (mine != 0)
                    Native.release(Engine.context(), mine);
            }
            for (long other : others.values())
                Native.release(Engine.context(), other);
        }
    }

    private void clear() {
        if (image != null)
            image.setOverlay(before);
        if (window != null) {
            window.changes = false;
            window.close();
            window = null;
        }
    }

    private void work() {
        for (;;) {
            Object[] values;
            boolean wantsPicture, wantsEstimate;
            synchronized (this) {
                while (!changed && !closed) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                if (closed)
                    return;
                values = wish;
                wantsPicture = picture;
                wantsEstimate = estimate;
                changed = false;
            }
            try {
                estimates.accept(wantsEstimate ? told(values) : NO_ESTIMATE);
            } catch (EngineException e) {
                estimates.accept(NO_ESTIMATE);
            }
            try {
                if (wantsPicture)
                    show(made(values));
                else
                    clear();
            } catch (EngineException e) { /* numbers on the way to being typed, or a newer wish */
                clear();
            }
        }
    }

    private void show(ImageProcessor ip) {
        Rectangle place = part != null ? part : new Rectangle(image.getWidth(), image.getHeight());
        if (ip.getWidth() == place.width && ip.getHeight() == place.height) {
            image.setOverlay(new Overlay(isLabelMap() ? seeThrough(ip, place) : new ImageRoi(place.x, place.y, ip.convertToByte(true))));
        } else if (window == null || !window.isVisible()) {
            window = new ImagePlus("preview of " + image.getTitle(), ip);
            window.show();
        } else {
            window.setProcessor(ip);
            window.updateAndDraw();
        }
    }

    /** The values with images in place of their titles; the first one is `handle`. */
    private Object[] arguments(long context, Object[] values, long handle) {
        Object[] arguments = values.clone();
        boolean isFirst = true;
        for (int i = 0; i < arguments.length; i++) {
            if (operation.parameters.get(i).kind != Registry.Kind.IMAGE_IN)
                continue;
            boolean isPsf = i == PointSpread.index(operation);
            arguments[i] = isFirst ? Long.valueOf(handle)
                : others.computeIfAbsent((String) values[i], title -> push(context, title, isPsf ? handle : 0));
            isFirst = false;
        }
        return arguments;
    }

    /** @param source the image that it is the point spread function of, else 0 */
    private long push(long context, String title, long source) {
        ImagePlus other = WindowManager.getImage(title);
        if (other == null)
            throw new EngineException("there is no image " + title);
        return source == 0 ? Images.push(context, other, Images.all(other), null, 0)
            : PointSpread.push(context, image, source, other, PointSpread.slices(other, other.getChannel()), new ArrayList<>());
    }

    /** Slices before and after the one on screen from which light comes there: half of a second image, a point spread function. */
    private int reach(Object[] values) {
        int images = 0;
        for (int i = 0; i < values.length; i++) {
            if (operation.parameters.get(i).kind == Registry.Kind.IMAGE_IN && images++ == 1)
                return Images.all(WindowManager.getImage((String) values[i])).length / 2;
        }
        return -1;
    }

    private long whole(long context) {
        if (whole == 0 && image != null)
            whole = Images.push(context, image, PointSpread.slicesFor(operation, image), null, 0);
        return whole;
    }

    @SuppressWarnings("try") /* the watch works by being there */
    private String told(Object[] values) {
        synchronized (Engine.class) {
            long context = Engine.context();
            Object[] given = arguments(context, values, whole(context));
            Registry.Operation told = Registry.get().operations.get(operation.estimate);
            Object[] arguments = new Object[told.parameters.size()];
            for (int i = 0; i < given.length; i++) {
                int at = told.parameters.indexOf(told.parameter(operation.parameters.get(i).name));
                if (at >= 0 && !told.parameters.get(at).kind.isOutput())
                    arguments[at] = given[i];
            }
            try (Watch watch = Watch.begin(context, operation.title(), this::isStale)) {
                int next = 0;
                Object[] outputs = Invocation.run(context, told, arguments);
                for (Registry.Parameter p : told.parameters) {
                    if (p.name.equals("estimate"))
                        return (String) outputs[next];
                    next += p.kind.isOutput() ? 1 : 0;
                }
                return NO_ESTIMATE;
            }
        }
    }

    @SuppressWarnings("try")
    private ImageProcessor made(Object[] values) {
        synchronized (Engine.class) {
            long context = Engine.context();
            int[] slices = PointSpread.slicesFor(operation, image);
            int reach = reach(values), here = Math.min(slices.length, image.getSlice()) - 1, first = reach < 0 ? 0 : Math.max(0, here - reach);
            if (reach >= 0)
                pushed = Images.push(context, image, Arrays.copyOfRange(slices, first, Math.min(slices.length, here + reach + 1)), part, pushed);
            else if (pushed == 0 && part != null)
                pushed = Images.push(context, image, slices, part, 0);
            Object[] arguments = arguments(context, values, reach >= 0 || part != null ? pushed : whole(context));
            try (Watch watch = Watch.begin(context, operation.title(), this::isStale)) {
                long result = (Long) Invocation.run(context, operation, arguments)[0], slice = 0;
                try {
                    int depth = (int) Native.info(context, result)[2], at = Math.min(depth, image.getSlice() - first) - 1;
                    if (depth > 1)
                        slice = (Long) Invocation.run(context, Registry.get().operations.get("copy_slice"), new Object[] {result, null, at})[0];
                    return Images.pull(context, slice != 0 ? slice : result, "", false).getProcessor();
                } finally {
                    Native.release(context, result);
                    if (slice != 0)
                        Native.release(context, slice);
                }
            }
        }
    }

    private boolean isLabelMap() {
        return operation.parameters.stream().anyMatch(p -> p.labels);
    }

    /** Labels in their colours, with what is below them shining through and all of it where there is none. */
    private static ImageRoi seeThrough(ImageProcessor labels, Rectangle place) {
        ImageProcessor shown = labels.duplicate();
        shown.setLut(LabelColors.lut());
        shown.setMinAndMax(0, Math.max(1, labels.getStats().max));
        ImageRoi roi = new ImageRoi(place.x, place.y, shown.convertToRGB());
        roi.setZeroTransparent(true);
        roi.setOpacity(0.5);
        return roi;
    }
}
