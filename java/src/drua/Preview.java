// SPDX-License-Identifier: BSD-3-Clause
package drua;

import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.ImageRoi;
import ij.gui.Overlay;
import ij.process.ImageProcessor;
import java.awt.Color;
import java.util.Arrays;

/**
 * Shows on top of an image what an operation would make of it, while its dialog is open: the slice on screen, computed from the
 * whole image (a deconvolution: from the slices whose light comes there), by a thread of its own that always takes the newest
 * wish. A result of another size stands in the upper left corner.
 */
final class Preview implements AutoCloseable {
    private final Registry.Operation operation;
    private final Thread worker = new Thread(this::work, "Drua preview");
    private final Overlay before;
    private final ImagePlus image;
    private Object[] wish;
    private boolean changed, closed;
    private long pushed;

    /** @param image on which results are shown, the first image of the operation */
    Preview(Registry.Operation operation, ImagePlus image) {
        this.operation = operation;
        this.image = image;
        before = image.getOverlay();
        worker.setDaemon(true);
        worker.start();
    }

    /** Shows the result of these values soon; null: shows the image as it is. */
    synchronized void show(Object[] values) {
        if (Arrays.equals(values, wish))
            return;
        wish = values;
        changed = true;
        notifyAll();
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
        image.setOverlay(before);
        if (pushed != 0) {
            synchronized (Engine.class) {
                Native.release(Engine.context(), pushed);
            }
        }
    }

    private void work() {
        for (;;) {
            Object[] values;
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
                changed = false;
            }
            try {
                image.setOverlay(values == null ? before : overlay(values));
            } catch (DruaException e) { /* numbers on the way to being typed */
                image.setOverlay(before);
            }
        }
    }

    private Overlay overlay(Object[] values) {
        synchronized (Engine.class) {
            long context = Engine.context();
            Object[] arguments = values.clone();
            long other = 0, result = 0, slice = 0;
            int first = 0;
            try {
                int[] slices = Images.all(image);
                for (int i = 0, images = 0; i < arguments.length; i++) {
                    if (operation.parameters.get(i).kind != Registry.Kind.IMAGE_IN)
                        continue;
                    if (images++ == 0) {
                        arguments[i] = 0L;
                    } else {        /* a point spread function: so many slices around the one on screen as its light comes from */
                        ImagePlus second = WindowManager.getImage((String) values[i]);
                        if (second == null)
                            throw new DruaException("there is no image " + values[i]);
                        int reach = second.getNSlices() / 2, here = Math.min(image.getSlice(), slices.length) - 1;
                        first = Math.max(0, here - reach);
                        slices = Arrays.copyOfRange(slices, first, Math.min(slices.length, here + reach + 1));
                        other = Images.push(context, second, Images.all(second), null, 0);
                        arguments[i] = other;
                    }
                }
                if (pushed == 0 || other != 0)
                    pushed = Images.push(context, image, slices, null, pushed);
                for (int i = 0; i < arguments.length; i++) {
                    if (Long.valueOf(0).equals(arguments[i]) && operation.parameters.get(i).kind == Registry.Kind.IMAGE_IN)
                        arguments[i] = pushed;
                }
                result = (Long) Invocation.run(context, operation, arguments)[0];
                int depth = (int) Native.info(context, result)[2], at = Math.min(depth, image.getSlice() - first) - 1;
                if (depth > 1)
                    slice = (Long) Invocation.run(context, Registry.get().operations.get("copy_slice"), new Object[] {result, null, at})[0];
                ImageProcessor ip = Images.pull(context, slice != 0 ? slice : result, "", false).getProcessor();
                return new Overlay(new ImageRoi(0, 0, isLabelMap() ? coloured(ip) : ip.convertToByte(true)));
            } finally {
                for (long made : new long[] {other, result, slice}) {
                    if (made != 0)
                        Native.release(context, made);
                }
            }
        }
    }

    private boolean isLabelMap() {
        return operation.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.IMAGE_OUT && p.doc.contains("label map"));
    }

    /** Colours far from each other for labels that follow each other; 0 is black. */
    private static ImageProcessor coloured(ImageProcessor labels) {
        ImageProcessor colours = new ij.process.ColorProcessor(labels.getWidth(), labels.getHeight());
        for (int i = 0; i < labels.getPixelCount(); i++) {
            int label = (int) labels.getf(i);
            colours.set(i, label <= 0 ? 0 : Color.HSBtoRGB(label * 0.618034f % 1, label % 3 == 0 ? 0.5f : 0.85f, label % 2 == 0 ? 0.8f : 1));
        }
        return colours;
    }
}
