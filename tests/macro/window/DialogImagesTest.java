// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.plugin.frame.Recorder;
import java.awt.Choice;
import java.util.Map;
import java.util.TreeSet;

/** Dialogs offer the user's images, not the views of the workbench, because a recorded macro could not open a view. */
public final class DialogImagesTest extends WorkbenchHands {
    private DialogImagesTest() {}

    public static void main(String[] args) {
        Person.start(true);
        IJ.runMacro("newImage(\"other\", \"8-bit ramp\", 50, 40, 1);");
        IJ.runMacro("newImage(\"cells\", \"8-bit black\", 200, 150, 1); setColor(180); fillOval(20, 30, 50, 60);");
        openWorkbench();
        type("otsu", "Automatic Threshold", "Add");
        type("label", "Connected Components Box", "Add");
        seen("Connected Components Box");
        for (String name : new String[] {"gaussian_blur", "statistics_of_labelled_pixels"})
            offers(Person.entry(name));
        offers("Point Spread Function...");
        recorded();
        closed();
        Person.leave();
    }

    private static void chooseView() {
        Person.waitFor(() -> {
            event(() -> WindowManager.setCurrentWindow(view().getWindow()));
            return WindowManager.getCurrentImage() == view();
        });
        Person.expect("the view is current", view(), WindowManager.getCurrentImage());
    }

    private static void offers(String entry) {
        chooseView();
        GenericDialog dialog = Person.choose(entry);
        Choice images = (Choice) dialog.getChoices().get(0);
        Person.expect("first in " + entry, "cells", images.getSelectedItem());
        TreeSet<String> titles = new TreeSet<>();
        for (int i = 0; i < images.getItemCount(); i++)
            titles.add(images.getItem(i));
        Person.expect("offered in " + entry, "[cells, other]", titles);
        Person.photograph("dialog-images-" + entry.replaceAll("\\W+", "-"));
        Person.cancel(dialog);
    }

    private static void recorded() {
        chooseView();
        String before = Recorder.getInstance().getText();
        Person.press(Person.choose(Person.entry("top_hat_box")));
        Person.waitFor(() -> !Person.recorded().equals(before));
        String line = Person.recorded().substring(before.length());
        Person.expect("the recorder names the image: " + line, line.contains("cells") && !line.contains("Workbench"));
    }

    /** Without the source, another image is offered. */
    private static void closed() {
        chooseView();
        for (Map.Entry<String, String> image : Person.images().entrySet()) {
            if (!image.getKey().equals("other") && !image.getKey().startsWith("Workbench: "))
                event(() -> close(WindowManager.getImage(image.getKey())));
        }
        chooseView();
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.expect("the other image", "other", ((Choice) dialog.getChoices().get(0)).getSelectedItem());
        Person.cancel(dialog);
    }

    private static void close(ImagePlus image) {
        image.changes = false; /* else ImageJ asks */
        image.close();
    }
}
