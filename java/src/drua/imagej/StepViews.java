// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.ImagePlus;
import ij.WindowManager;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the user's images from views, in which the workbench shows a step. Dialogs must not offer a view: its pixels
 * change with the workbench, and a recorded macro could not open it.
 */
public final class StepViews {
    private static final String KEY = "Drua Workbench";

    private StepViews() {}

    /** Marks an image as a view of a step that begins with `source`; null without a source. */
    public static void mark(ImagePlus view, ImagePlus source) {
        view.setProperty(KEY, source == null ? KEY : source);
    }

    public static boolean is(ImagePlus image) {
        return image.getProperty(KEY) != null;
    }

    /** All open images that are not views, the newest last. */
    public static List<ImagePlus> images() {
        int[] ids = WindowManager.getIDList();
        List<ImagePlus> images = new ArrayList<>();
        for (int id : ids == null ? new int[0] : ids) {
            ImagePlus image = WindowManager.getImage(id);
            if (image != null && !is(image))
                images.add(image);
        }
        return images;
    }

    /** The current image. If that is a view: its source, or else the newest image; the view if nothing else is open. */
    public static ImagePlus current() {
        ImagePlus current = WindowManager.getCurrentImage();
        if (current == null || !is(current))
            return current;
        List<ImagePlus> images = images();
        Object source = current.getProperty(KEY);
        return images.contains(source) ? (ImagePlus) source
            : images.isEmpty()         ? current
                                       : images.get(images.size() - 1);
    }

    /** The titles of all open images without views, unless nothing else is open. */
    public static String[] titles() {
        List<ImagePlus> images = images();
        return images.isEmpty() ? WindowManager.getImageTitles()
                                : images.stream().map(ImagePlus::getTitle).toArray(String[] ::new);
    }
}
