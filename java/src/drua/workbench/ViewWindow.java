// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.FramedPlace;
import drua.dialog.FreePlace;
import drua.dialog.KeptPlace;
import drua.dialog.Place;
import drua.dialog.PreviewLayer;
import drua.imagej.StepViews;
import drua.pipeline.View;
import ij.IJ;
import ij.ImagePlus;
import ij.gui.ImageCanvas;
import ij.gui.ImageRoi;
import ij.gui.ImageWindow;
import ij.gui.Line;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.process.ImageProcessor;
import java.awt.Color;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Window;
import java.awt.image.BufferedImage;
import java.util.BitSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The window that shows the selected step, or its outlines on the source image. Another step can be compared with it:
 * left of a divider in the same window, or in a linked window next to it. Used by the event thread.
 */
final class ViewWindow {
    /** How another step is compared with the selected one. */
    enum Comparison { NONE, SWIPE, SIDE_BY_SIDE }

    /** The data to display. */
    static final class Scene {
        View view, other;
        String title = "", otherTitle = "";
        Comparison comparison = Comparison.NONE;
        /** The source image, or null. */
        ImagePlus source;
        /** True to draw masks and labels as outlines on the source image. */
        boolean outlines;
    }

    /** Opens without taking the keyboard from the workbench. */
    private static final class Quiet extends ImageWindow {
        private static final long serialVersionUID = 1;

        Quiet(ImagePlus image, ImageCanvas canvas) {
            super(image, canvas);
        }

        @Override
        @SuppressWarnings("deprecation") /* the constructor of ImageJ's window calls it */
        public void show() {
            setAutoRequestFocus(false);
            super.show();
        }
    }

    /** Receives the label under the mouse. */
    interface Clicked {
        /** @param more true to add the label to the selection */
        void label(int label, boolean more);
    }

    private static final String PLACE = "view";
    private static final Color DIVIDER = new Color(0xff9800);
    private static final int GAP = 8, SMALLER = 3;

    private final PreviewLayer labels = new PreviewLayer(PreviewLayer.Look.LABELS),
                               mask = new PreviewLayer(PreviewLayer.Look.MASK);
    private final Window workbench;
    private final Clicked clicked;
    private final BiConsumer<Component, Point> menu;
    private final Consumer<Point> probe;
    private final Shown shown = new Shown(), compared = new Shown();
    private ImagePlus window, beside, source;
    private FramedPlace place;
    /** The place where Drua put the view. If the view is elsewhere, the user has moved it. */
    private Point placed;
    private boolean isBefore;
    private Place outlined;
    private View outlinedView;
    private Comparison comparison = Comparison.NONE;
    private BufferedImage leftPicture;
    /** Position of the divider as a fraction of the image's width. */
    private double divider = 0.5;
    private BitSet marked = new BitSet();

    /**
     * @param workbench the window that views should not cover
     * @param menu opens the menu of the selected step on a component
     * @param probe gets the pixel under the mouse, or null if the mouse leaves
     */
    ViewWindow(Window workbench, Clicked clicked, BiConsumer<Component, Point> menu, Consumer<Point> probe) {
        this.workbench = workbench;
        this.clicked = clicked;
        this.menu = menu;
        this.probe = probe;
    }

    /** Shows the latest results. */
    void show(Scene scene) {
        source = scene.source;
        Place place = scene.source == null || scene.source.getWindow() == null ? null : new Place(scene.source);
        if (scene.view != outlinedView || place != null && !place.equals(outlined)
            || place == null != (outlined == null))
            outline(scene.view, place, scene.outlines);
        boolean isOpen = isOpen(window);
        if (isOpen)
            keepContrast(window, shown);
        boolean isNew = shown.take(scene.view);
        if (isNew)
            window = showImage(
                window, shown, title(scene.title, scene.view), isOpen(scene.source) ? scene.source.getWindow() : null);
        boolean isOther = compare(scene);
        if (isNew || isOther)
            layers();
    }

    /** Gives the keyboard to the view. */
    void takeFocus() {
        if (!isOpen(window))
            return;
        window.getWindow().toFront();
        window.getCanvas().requestFocus();
    }

    private static String title(String step, View view) {
        return "Workbench: " + step + (view.reduced == 1 ? "" : " (reduced 1:" + view.reduced + ")");
    }

    private static boolean isOpen(ImagePlus image) {
        return image != null && image.getWindow() != null;
    }

    /** Keeps the contrast that the user has set. */
    private static void keepContrast(ImagePlus image, Shown of) {
        if (of.pixels() != null && of.view().look == View.Look.GREY && image.getBitDepth() != 24)
            of.pixels().setMinAndMax(image.getDisplayRangeMin(), image.getDisplayRangeMax());
    }

    private ImagePlus showImage(ImagePlus image, Shown what, String title, Window next) {
        if (isOpen(image)) {
            StepViews.mark(image, source);
            image.setProcessor(title, what.pixels());
            image.updateAndDraw();
            image.changes = false;
            return image;
        }
        ImagePlus made = new ImagePlus(title, what.pixels());
        StepViews.mark(made, source);
        ViewCanvas canvas = new ViewCanvas(made, (x, y, more) -> onPress(what, x, y, more), this::divide);
        boolean isMain = what == shown;
        canvas.extend(menu, isMain ? this::showSource : isHeld -> {}, isMain ? this::probe : at -> {});
        new Quiet(made, canvas);
        Window at = made.getWindow();
        FramedPlace framed = new FramedPlace(at, () -> place(canvas, at, next, isMain));
        place = isMain ? framed : place;
        made.changes = false;
        return made;
    }

    /** Puts a view where the user has kept it, else beside another window, which may be null. */
    private void place(ViewCanvas canvas, Window view, Window next, boolean isMain) {
        Rectangle kept = isMain ? KeptPlace.of(PLACE, FreePlace.screen(view)) : null;
        if (kept != null && isFree(new Rectangle(kept.getLocation(), view.getSize()), next))
            view.setLocation(kept.getLocation());
        else if (next != null)
            place(canvas, view, next);
        placed = isMain ? view.getLocation() : placed;
    }

    /** Puts a view beside another window, and zooms out while it covers the workbench or ImageJ's own window. */
    private void place(ViewCanvas canvas, Window view, Window next) {
        double zoom = canvas.getImage().getWindow().getInitialMagnification();
        Rectangle place = placeBeside(next, WorkbenchPlace.sizeAt(canvas, zoom));
        for (int i = 0; i < SMALLER && isCovering(place); i++) {
            zoom = ImageCanvas.getLowerZoomLevel(zoom);
            place = placeBeside(next, WorkbenchPlace.sizeAt(canvas, zoom));
        }
        WorkbenchPlace.zoom(canvas, zoom);
        view.setLocation(place.getLocation());
    }

    private Rectangle placeBeside(Window next, Dimension size) {
        return new Rectangle(FreePlace.beside(next, size, GAP, workbench, IJ.getInstance()), size);
    }

    /** True if a place is on the screen and covers neither the workbench, nor ImageJ's own window, nor `next`. */
    private boolean isFree(Rectangle place, Window next) {
        return FreePlace.screen(workbench).contains(place) && !isCovering(place)
            && (next == null || !place.intersects(next.getBounds()));
    }

    private boolean isCovering(Rectangle place) {
        Window main = IJ.getInstance();
        return place.intersects(workbench.getBounds()) || main != null && place.intersects(main.getBounds());
    }

    private void onPress(Shown what, int x, int y, boolean more) {
        ImageProcessor pixels = what.pixels();
        if (what.isLabels() && x >= 0 && y >= 0 && x < pixels.getWidth() && y < pixels.getHeight())
            clicked.label((int) pixels.getf(x, y), more);
    }

    /** Passes on the pixel of the step under the mouse. */
    private void probe(Point at) {
        int reduced = shown.view() == null ? 1 : shown.view().reduced;
        probe.accept(at == null ? null : new Point(at.x * reduced, at.y * reduced));
    }

    /** Shows the source image over the view while the user holds a key. */
    private void showSource(boolean isHeld) {
        if (isHeld != isBefore) {
            isBefore = isHeld;
            layers();
        }
    }

    /** The displayed slice of the source image; null if it differs in size from the view. */
    private BufferedImage sourcePicture() {
        boolean fits =
            isOpen(source) && source.getWidth() == window.getWidth() && source.getHeight() == window.getHeight();
        return fits ? source.getProcessor().getBufferedImage() : null;
    }

    // ---- another step

    /** Returns true if the compared picture has changed. */
    private boolean compare(Scene scene) {
        boolean isOn = scene.other != null && isOpen(window) && scene.other.pixels != null;
        Comparison wanted = isOn ? scene.comparison : Comparison.NONE;
        if (isOpen(beside))
            keepContrast(beside, compared);
        boolean isNew = isOn && compared.take(scene.other) || wanted != comparison
            || leftPicture != null && !hasWindowSize(leftPicture);
        comparison = wanted;
        if (!isNew && (wanted != Comparison.SIDE_BY_SIDE || isOpen(beside)))
            return false;
        leftPicture = wanted == Comparison.SWIPE ? scaledComparison() : null;
        if (wanted == Comparison.SIDE_BY_SIDE) {
            beside = showImage(beside, compared, title(scene.otherTitle, scene.other), window.getWindow());
            canvas(window).link(canvas(beside));
            canvas(beside).link(canvas(window));
        } else if (beside != null) {
            if (isOpen(window))
                canvas(window).link(null);
            close(beside);
            beside = null;
        }
        return true;
    }

    private static ViewCanvas canvas(ImagePlus image) {
        return (ViewCanvas) image.getCanvas();
    }

    private boolean hasWindowSize(BufferedImage picture) {
        return picture.getWidth() == window.getWidth() && picture.getHeight() == window.getHeight();
    }

    /** The compared step, scaled to the size of the selected one. */
    private BufferedImage scaledComparison() {
        BufferedImage picture = compared.pixels().getBufferedImage();
        if (hasWindowSize(picture))
            return picture;
        BufferedImage fitting = new BufferedImage(window.getWidth(), window.getHeight(), BufferedImage.TYPE_INT_RGB);
        fitting.createGraphics().drawImage(picture, 0, 0, fitting.getWidth(), fitting.getHeight(), null);
        return fitting;
    }

    private void divide(int column) {
        divider = (double) column / window.getWidth();
        layers();
    }

    // ---- overlays of the views

    private void layers() {
        if (!isOpen(window))
            return;
        Overlay overlay = new Overlay();
        BufferedImage before = isBefore ? sourcePicture() : null;
        if (before != null) {
            overlay.add(new ImageRoi(0, 0, before));
            window.setOverlay(overlay);
            return;
        }
        int column = leftPicture == null ? -1 : (int) Math.round(divider * window.getWidth());
        canvas(window).divide(column);
        if (column > 0)
            overlay.add(new ImageRoi(0, 0, leftPicture.getSubimage(0, 0, column, leftPicture.getHeight())));
        mark(overlay, shown);
        if (column >= 0) {
            Roi line = new Line(column, 0, column, window.getHeight());
            line.setStrokeColor(DIVIDER);
            line.setUnscalableStrokeWidth(2);
            overlay.add(line);
        }
        window.setOverlay(overlay.size() == 0 ? null : overlay);
        if (!isOpen(beside))
            return;
        Overlay other = new Overlay();
        mark(other, compared);
        beside.setOverlay(other.size() == 0 ? null : other);
    }

    private void mark(Overlay overlay, Shown what) {
        Roi around = what.isLabels() && !marked.isEmpty() ? LabelOutlines.of(what.pixels(), marked) : null;
        if (around == null)
            return;
        around.setStrokeColor(Color.WHITE);
        overlay.add(around);
    }

    /** Draws outlines around labels. */
    void mark(BitSet wanted) {
        marked = wanted;
        layers();
    }

    private void outline(View view, Place place, boolean outlines) {
        boolean isFit = outlines && place != null && view.pixels != null && view.part == null
            && view.look != View.Look.GREY && view.pixels.getWidth() == place.image.getWidth()
            && view.pixels.getHeight() == place.image.getHeight();
        outlined = place;
        outlinedView = view;
        labels.clear();
        mask.clear();
        if (isFit)
            (view.look == View.Look.LABELS ? labels : mask).show(place.whole(), view.pixels);
    }

    private static void close(ImagePlus image) {
        if (image == null)
            return;
        image.changes = false;
        image.close();
    }

    void close() {
        if (isOpen(window) && place.isSettled() && !window.getWindow().getLocation().equals(placed))
            KeptPlace.keep(PLACE, FreePlace.screen(workbench), window.getWindow().getBounds());
        labels.clear();
        mask.clear();
        close(window);
        close(beside);
        window = null;
        beside = null;
    }
}
