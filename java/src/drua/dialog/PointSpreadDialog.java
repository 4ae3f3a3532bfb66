// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.imagej.PointSpread;
import drua.imagej.Series;
import drua.imagej.StepViews;
import drua.imagej.Watch;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.measure.Calibration;
import ij.plugin.PlugIn;
import java.awt.AWTEvent;
import java.awt.Choice;
import java.awt.Component;
import java.awt.Font;
import java.awt.Label;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plugins>Drua>Point Spread Function...: makes a point spread function from the optics of a microscope, from an image
 * of beads or from an open image, and shows its picture. The result opens in a new window, with the voxel size of the
 * image to deconvolve.
 */
public final class PointSpreadDialog implements PlugIn {
    static final String OPTICS = "optics", BEADS = "beads", OPEN = "open image";
    private static final String TITLE = "Point Spread Function";
    private static String lastWay = OPTICS;

    private Registry.Operation optics, measured, fitted;
    private final String[] titles = StepViews.titles();
    private final ImagePlus current = StepViews.current();
    private Fields microscope, beads;
    /* entries to restore after an error, including invalid numbers */
    private Map<String, Object> lastLight, lastSpots;
    private Choice image, way, open;
    private Label imageLabel, openLabel;

    /** ImageJ creates an object each time the menu entry is chosen. */
    public PointSpreadDialog() {}

    @Override
    public void run(String arg) {
        DialogStart.open(
            "Point Spread Function needs a display; without a display, use Drua_microscopePsf, Drua_measurePsf or "
                + "Drua_fitPsf",
            this::runDialog);
    }

    private void runDialog() {
        Finder.introduce();
        optics = Registry.get().operations.get("microscope_psf");
        measured = Registry.get().operations.get("measure_psf");
        fitted = Registry.get().operations.get("fit_psf");
        String failure = "";
        Rectangle place = null;
        do {
            SideDialog dialog = new SideDialog(
                TITLE, Arrays.asList(optics, measured), current, failure, place, () -> Finder.open(optics));
            PointSpreadPicture picture = new PointSpreadPicture();
            dialog.addMessage(
                StatusLine.wrapped("The image of a single point, for Deconvolve: from the optics, from beads or from "
                    + "an image."));
            addFields(dialog, picture);
            try (PointSpreadPreview preview = new PointSpreadPreview(picture, dialog.status())) {
                dialog.addDialogListener((d, event) -> {
                    update(event);
                    show(preview, (SideDialog) d);
                    return true;
                });
                show(preview, dialog);
                dialog.showDialog();
                IJ.resetEscape();
            }
            if (dialog.wasCanceled())
                return;
            place = dialog.getBounds();
            failure = make(dialog);
        } while (!failure.isEmpty());
    }

    private void addFields(GenericDialog dialog, PointSpreadPicture picture) {
        List<Component> headings = new ArrayList<>();
        boolean hasImages = titles.length > 0;
        String[] ways = hasImages ? new String[] {OPTICS, BEADS, OPEN} : new String[] {OPTICS};
        if (hasImages) {
            dialog.addChoice("for_image", titles, current.getTitle());
            image = (Choice) dialog.getChoices().lastElement();
            imageLabel = dialog.getLabel();
        }
        dialog.addChoice("from", ways, Arrays.asList(ways).contains(lastWay) ? lastWay : OPTICS);
        way = (Choice) dialog.getChoices().lastElement();
        heading(dialog, headings, "Optics");
        microscope = new Fields(dialog, optics, titles, current, lastLight);
        heading(dialog, headings, hasImages ? "Beads" : "Picture");
        if (hasImages) {
            beads = new Fields(dialog, measured, titles, current, lastSpots);
            heading(dialog, headings, "Open image");
            dialog.addChoice("psf", titles, PointSpread.title(titles, current.getTitle()));
            open = (Choice) dialog.getChoices().lastElement();
            openLabel = dialog.getLabel();
        }
        dialog.addPanel(picture);
        ((SideDialog) dialog).setGroups(headings);
        update(null);
    }

    private static void heading(GenericDialog dialog, List<Component> headings, String text) {
        dialog.setInsets(6, 20, 0);
        dialog.addMessage(text, new Font(Font.DIALOG, Font.BOLD, 12));
        headings.add(dialog.getMessage());
    }

    private void update(AWTEvent event) {
        String from = way.getSelectedItem();
        microscope.serve(from.equals(OPTICS));
        if (beads == null)
            return;
        beads.serve(from.equals(BEADS));
        for (Component part : new Component[] {open, openLabel})
            part.setEnabled(from.equals(OPEN));
        for (Component part : new Component[] {image, imageLabel})
            part.setEnabled(!from.equals(BEADS));
        if (event != null && event.getSource() == image)
            microscope.follow(WindowManager.getImage(image.getSelectedItem()));
    }

    /** The entries: the operation and its values, with titles for images. */
    private PointSpreadRequest read(GenericDialog dialog) {
        String target = image == null ? null : dialog.getNextChoice(), from = dialog.getNextChoice();
        Object[] light = microscope.read(), spots = beads == null ? null : beads.read();
        String psf = open == null ? null : dialog.getNextChoice();
        switch (from) {
        case BEADS:
            beads.check();
            return new PointSpreadRequest(measured, spots);
        case OPEN:
            return new PointSpreadRequest(
                fitted, PointSpreadRequest.fit(fitted, OpenImages.titled(target), OpenImages.titled(psf)));
        default:
            microscope.check();
            return new PointSpreadRequest(optics, light);
        }
    }

    private void show(PointSpreadPreview preview, SideDialog dialog) {
        try {
            preview.show(read(dialog));
        } catch (EngineException e) {
            dialog.status().fail(e.getMessage());
        }
    }

    /** Opens the window; returns the reason if that fails, else "". */
    private String make(GenericDialog dialog) {
        try {
            PointSpreadRequest request = read(dialog);
            lastWay = way.getSelectedItem();
            make(request);
            microscope.remember();
            if (beads != null)
                beads.remember();
            return "";
        } catch (EngineException e) {
            if (IJ.escapePressed())
                throw e;
            lastWay = way.getSelectedItem();
            lastLight = microscope.entered();
            lastSpots = beads == null ? null : beads.entered();
            return e.getMessage();
        }
    }

    private static void make(PointSpreadRequest request) {
        Object[] values = request.images();
        ImagePlus of = request.source(values);
        int channel = of == null ? 0 : of.getChannel(), frame = of == null ? 0 : of.getFrame();
        Series series = new Series(request.operation, values, channel, frame);
        Map<String, String> names = new HashMap<>(Series.titles(request.operation, values));
        names.put("destination", WindowManager.getImage("psf") == null ? "psf" : WindowManager.getUniqueName("psf"));
        Runnable begun = Watch.waiting(TITLE);
        synchronized (Engine.class) {
            begun.run();
            OperationDialog.failIfEscaped(request.operation);
            series.run(Engine.context());
        }
        Calibration scale = request.scale(values);
        Recording.write(request.operation, values, names, channel, frame,
            scale == null ? ""
                          : "setVoxelSize(" + scale.pixelWidth + ", " + scale.pixelHeight + ", " + scale.pixelDepth
                    + ", " + Quote.macro(scale.getUnit()) + ");\n");
        series.show(names);
        ImagePlus psf = WindowManager.getImage(names.get("destination"));
        if (psf != null && scale != null) {
            psf.setCalibration(scale);
            psf.repaintWindow();
        }
    }
}
