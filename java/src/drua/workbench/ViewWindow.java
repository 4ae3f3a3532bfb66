// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Place;
import drua.dialog.PreviewLayer;
import drua.imagej.Selections;
import ij.ImagePlus;
import ij.gui.ImageCanvas;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;
import java.awt.Color;
import java.awt.Rectangle;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.function.IntConsumer;

/** The window that shows the step that is looked at, and its outlines on the image that comes in. Used by the thread of events. */
final class ViewWindow {
    private static final String KEY = "Drua Workbench";

    private final PreviewLayer labels = new PreviewLayer(PreviewLayer.Look.LABELS), mask = new PreviewLayer(PreviewLayer.Look.MASK);
    private final IntConsumer clicked;
    private ImagePlus window;
    private ImageCanvas heard;
    private View shown;
    private Place outlined;
    private int label;

    /** @param clicked gets the label under the mouse */
    ViewWindow(IntConsumer clicked) {
        this.clicked = clicked;
    }

    /** Whether an image is such a view. */
    static boolean is(ImagePlus image) {
        return image.getProperty(KEY) != null;
    }

    /**
     * Shows what was computed last.
     *
     * @param title    of the step
     * @param source   the image that comes in, or null
     * @param outlines whether masks and labels are drawn on that
     */
    void show(View view, String title, ImagePlus source, boolean outlines) {
        Place place = source == null || source.getWindow() == null ? null : new Place(source);
        if (view != shown || place != null && !place.equals(outlined) || place == null != (outlined == null))
            outline(view, place, outlines);
        if (view == shown || view.pixels == null)
            return;
        boolean isSame = shown != null && shown.step == view.step && window != null && window.getWindow() != null;
        ImageProcessor pixels = view.part == null || !isSame ? view.pixels : pasted(view);
        if (isSame && view.look == View.Look.GREY && shown.look == View.Look.GREY && window.getBitDepth() == pixels.getBitDepth() && window.getBitDepth() != 24)
            pixels.setMinAndMax(window.getDisplayRangeMin(), window.getDisplayRangeMax());
        shown = view;
        if (window == null || window.getWindow() == null) {
            window = new ImagePlus("", pixels);
            window.setProperty(KEY, KEY);
            window.setTitle("Workbench: " + title);
            window.show();
            beside(source);
        } else {
            window.setProcessor("Workbench: " + title, pixels);
            window.updateAndDraw();
        }
        window.changes = false;
        listen();
        mark(label);
    }

    private void beside(ImagePlus source) {
        if (source == null || source.getWindow() == null)
            return;
        Rectangle at = source.getWindow().getBounds();
        window.getWindow().setLocation(at.x + at.width + 8, at.y);
    }

    /** The part in the place where it belongs, if the rest is there. */
    private ImageProcessor pasted(View view) {
        ImageProcessor all = window.getProcessor();
        boolean fits = view.pixels.getWidth() == view.part.width && view.pixels.getHeight() == view.part.height && all.getBitDepth() == view.pixels.getBitDepth()
            && new Rectangle(all.getWidth(), all.getHeight()).contains(view.part);
        if (!fits)
            return view.pixels;
        ImageProcessor joined = all.duplicate();
        joined.insert(view.pixels, view.part.x, view.part.y);
        return joined;
    }

    private void outline(View view, Place place, boolean outlines) {
        boolean isFit = outlines && place != null && view.pixels != null && view.part == null && view.look != View.Look.GREY
            && view.pixels.getWidth() == place.image.getWidth() && view.pixels.getHeight() == place.image.getHeight();
        outlined = place;
        labels.clear();
        mask.clear();
        if (isFit)
            (view.look == View.Look.LABELS ? labels : mask).show(place.whole(), view.pixels);
    }

    private void listen() {
        ImageCanvas canvas = window.getCanvas();
        if (canvas == heard || canvas == null)
            return;
        heard = canvas;
        canvas.addMouseListener(new MouseAdapter() {
            @Override
            public void mousePressed(MouseEvent event) {
                int x = canvas.offScreenX(event.getX()), y = canvas.offScreenY(event.getY());
                ImageProcessor pixels = window.getProcessor();
                if (shown.look == View.Look.LABELS && x >= 0 && y >= 0 && x < pixels.getWidth() && y < pixels.getHeight())
                    clicked.accept((int) pixels.getf(x, y));
            }
        });
    }

    /** Draws a line around a label; 0: around none. */
    void mark(int wanted) {
        label = wanted;
        if (window == null || window.getWindow() == null)
            return;
        ImageProcessor pixels = window.getProcessor();
        Roi around = wanted > 0 && shown.look == View.Look.LABELS ? around(pixels, wanted) : null;
        if (around != null)
            around.setStrokeColor(Color.WHITE);
        window.setOverlay(around == null ? null : new Overlay(around));
    }

    private static Roi around(ImageProcessor pixels, int wanted) {
        ByteProcessor mask = new ByteProcessor(pixels.getWidth(), pixels.getHeight());
        for (int i = 0; i < pixels.getPixelCount(); i++)
            mask.set(i, pixels.getf(i) == wanted ? 255 : 0);
        return Selections.ofMask(mask);
    }

    void close() {
        labels.clear();
        mask.clear();
        if (window != null) {
            window.changes = false;
            window.close();
        }
        window = null;
    }
}
