// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.FreePlace;
import drua.dialog.KeptPlace;
import ij.IJ;
import ij.ImagePlus;
import ij.gui.ImageCanvas;
import java.awt.Dimension;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Window;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the place of a workbench on the screen. */
final class WorkbenchPlace {
    /** The window's name for {@link KeptPlace}. */
    static final String KEY = "workbench";
    private static final int WIDTH = 740, HEIGHT = 760, APART = 28, SMALLER = 4;

    private WorkbenchPlace() {}

    /** The last place on this screen, else the right side, below ImageJ's own window if it is there too. */
    static Rectangle of(Window workbench, List<? extends Window> others) {
        Window main = IJ.getInstance();
        Rectangle screen = FreePlace.screen(main == null ? workbench : main), kept = KeptPlace.of(KEY, screen);
        if (kept != null)
            return placeApart(kept, screen, workbench, others);
        Rectangle place = new Rectangle(screen.x + screen.width - WIDTH, screen.y, WIDTH, screen.height);
        if (main != null && main.getBounds().intersects(place)) {
            int below = main.getY() + main.getHeight();
            place.height -= below - place.y;
            place.y = below;
        }
        place.height = Math.min(place.height, HEIGHT);
        return placeApart(place, screen, workbench, others);
    }

    /** A place at which the title bars of other workbenches can be seen. */
    private static Rectangle placeApart(
        Rectangle place, Rectangle screen, Window workbench, List<? extends Window> others) {
        List<Point> taken =
            others.stream().filter(other -> other != workbench).map(Window::getLocation).collect(Collectors.toList());
        Rectangle free = new Rectangle(place);
        while (taken.contains(free.getLocation())) {
            free.translate(-APART, APART);
            free.height = Math.min(free.height, screen.y + screen.height - free.y);
        }
        return screen.contains(free) ? free : place;
    }

    /**
     * Moves the image to the left if the workbench would cover it. Zooms out while a whole image is wider than the room
     * there; an enlarged part of an image keeps its zoom.
     */
    static void makeRoom(Window workbench, ImagePlus image) {
        Window of = image == null ? null : image.getWindow(), main = IJ.getInstance();
        if (of == null || !of.getBounds().intersects(workbench.getBounds()))
            return;
        int room = workbench.getX() - FreePlace.screen(workbench).x;
        ImageCanvas canvas = image.getCanvas();
        double zoom = canvas.getMagnification();
        Rectangle shown = canvas.getSrcRect();
        boolean isWhole = shown.width >= image.getWidth() && shown.height >= image.getHeight();
        for (int i = 0; isWhole && i < SMALLER && sizeAt(canvas, zoom).width > room; i++)
            zoom = ImageCanvas.getLowerZoomLevel(zoom);
        if (zoom < canvas.getMagnification())
            zoom(canvas, zoom);
        of.setLocation(FreePlace.beside(workbench, of.getSize(), 0, main));
    }

    private static Dimension canvasAt(ImageCanvas canvas, double zoom) {
        ImagePlus image = canvas.getImage();
        return new Dimension((int) (zoom * image.getWidth()), (int) (zoom * image.getHeight()));
    }

    /** The size of the window in which the whole image is shown at a zoom. */
    static Dimension sizeAt(ImageCanvas canvas, double zoom) {
        Window window = canvas.getImage().getWindow();
        Dimension size = canvasAt(canvas, zoom);
        return new Dimension(
            size.width + window.getWidth() - canvas.getWidth(), size.height + window.getHeight() - canvas.getHeight());
    }

    /** Shows a whole image at a zoom, and fits its window. */
    static void zoom(ImageCanvas canvas, double zoom) {
        ImagePlus image = canvas.getImage();
        Rectangle all = new Rectangle(0, 0, image.getWidth(), image.getHeight());
        Dimension size = canvasAt(canvas, zoom);
        if (canvas.getSrcRect().equals(all) && canvas.getMagnification() == zoom && canvas.getSize().equals(size))
            return;
        canvas.setSourceRect(all);
        canvas.setMagnification(zoom);
        canvas.setSize(size.width, size.height);
        image.getWindow().pack();
    }
}
