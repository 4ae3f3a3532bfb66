// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import ij.ImagePlus;
import ij.WindowManager;

/** Finds open images by their titles, as dialogs and recorded macros name them. */
final class OpenImages {
    private OpenImages() {}

    /** The image with that title; fails if no image or more than one image has it. */
    static ImagePlus titled(String title) {
        ImagePlus found = WindowManager.getImage(title);
        if (found == null)
            throw new EngineException("no open image has the title '" + title + "'; open or choose another one");
        int[] ids = WindowManager.getIDList();
        for (int id : ids == null ? new int[0] : ids) {
            ImagePlus image = WindowManager.getImage(id);
            if (image != null && image != found && title.equals(image.getTitle()))
                throw new EngineException(
                    "several open images have the title '" + title + "'; rename one with Image>Rename...");
        }
        return found;
    }
}
