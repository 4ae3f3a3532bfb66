// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import java.util.ArrayList;
import java.util.List;

/** Finds the open images that commands name. */
final class Windows {
    private Windows() {}

    /** The open image with a title or ID. If several have the title, the current one among them. */
    static ImagePlus of(Call call, String parameter) {
        return titled(call, parameter, call.text(parameter));
    }

    /** Same as {@link #of} for a title that is a part of a parameter's text. */
    static ImagePlus titled(Call call, String parameter, String title) {
        ImagePlus current = WindowManager.getCurrentImage();
        if (current != null && current.getTitle().equals(title))
            return current;
        ImagePlus image = WindowManager.getImage(title);
        if (image == null && title.matches("-\\d{1,9}"))
            image = WindowManager.getImage(Integer.parseInt(title));
        if (image == null)
            throw call.error(parameter, "no open image has the title '" + title + "'; " + titles());
        return image;
    }

    private static String titles() {
        int[] ids = WindowManager.getIDList();
        if (ids == null)
            return "no image is open";
        List<String> titles = new ArrayList<>();
        for (int id : ids)
            titles.add("'" + WindowManager.getImage(id).getTitle() + "'");
        return "open images are " + String.join(", ", titles);
    }

    /** Shows the pixels in the window with the image's title, or opens a window. Returns the displayed image. */
    static ImagePlus show(ImagePlus image) {
        ImagePlus open = WindowManager.getImage(image.getTitle());
        if (open == null) {
            image.show();
            return image;
        }
        ImageStack before = open.getStack();
        open.setStack(image.getStack());
        open.setDisplayRange(image.getDisplayRangeMin(), image.getDisplayRangeMax());
        open.updateAndDraw();
        StackUndo.afterReplacement(open, before);
        return open;
    }

    /** The active window. */
    static ImagePlus current(Call call) {
        ImagePlus image = WindowManager.getCurrentImage();
        if (image == null)
            throw call.error("it uses the current window, but no image is open; open one first");
        return image;
    }

    /** An open image whose planes can be changed. */
    static ImagePlus grey(Call call, String parameter) {
        ImagePlus target = of(call, parameter);
        if (target.getType() == ImagePlus.COLOR_RGB)
            throw call.error(parameter,
                "'" + target.getTitle() + "' is an RGB image, so single planes cannot be written to it; "
                    + "convert it to 8, 16 or 32 bits");
        if (target.getStack().isVirtual())
            throw call.error(parameter,
                "'" + target.getTitle() + "' is a virtual stack, whose slices cannot be changed; "
                    + "duplicate it first (Image>Duplicate)");
        return target;
    }
}
