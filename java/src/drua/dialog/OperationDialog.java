// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Registry;
import drua.imagej.Series;
import drua.imagej.StepViews;
import drua.imagej.Watch;
import drua.macro.Call;
import drua.macro.HostCommands;
import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.plugin.PlugIn;
import ij.plugin.frame.Recorder;
import java.awt.GraphicsEnvironment;
import java.awt.Rectangle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Plugins>Drua>Drua Operation...: asks for an operation and its parameters, and runs the operation on open images. Menu
 * entries of single operations also use this class, with the operation's name. It also writes the equivalent macro
 * lines to the recorder.
 */
public final class OperationDialog implements PlugIn {
    private static final String CURRENT_ONLY = "current channel and frame only";

    @Override
    public void run(String arg) {
        try {
            DialogStart.load();
            Finder.introduce();
            Registry.Operation operation = arg.isEmpty() ? choose() : Registry.get().operations.get(arg);
            if (operation != null)
                apply(operation);
        } catch (EngineException e) {
            Recording.writeNothing();
            DialogStart.report(e);
        }
    }

    /** The operation that a macro names. Without a name, opens the finder and returns null. */
    private static Registry.Operation choose() {
        String options = Macro.getOptions();
        if (!IJ.isMacro() || options == null) {
            Finder.open(null);
            return null;
        }
        String name = Macro.getValue(options, "operation", "");
        Registry.Operation operation = Registry.get().operations.get(name);
        if (operation == null || !hasDialog(operation))
            throw new EngineException("Drua Operation: operation must be the name of an operation that reads an "
                + "image or a file, got '" + name + "'; search for it with Plugins>Drua>Drua Help");
        return operation;
    }

    /** True for operations that read an image or a file, except those that need ImageJ. */
    static boolean hasDialog(Registry.Operation operation) {
        return !operation.host
            && (count(operation, Registry.Kind.IMAGE_IN) > 0 || count(operation, Registry.Kind.PATH) > 0);
    }

    private static void apply(Registry.Operation operation) {
        boolean asks = (!IJ.isMacro() || Macro.getOptions() == null) && !GraphicsEnvironment.isHeadless();
        String[] titles = asks ? StepViews.titles() : WindowManager.getImageTitles();
        ImagePlus current = asks ? StepViews.current() : WindowManager.getCurrentImage();
        if (current == null
            && (count(operation, Registry.Kind.IMAGE_IN) > 0 || count(operation, Registry.Kind.IMAGE_INOUT) > 0))
            throw new EngineException(operation.camelCase() + ": no image is open; open one first");
        if (titles.length == 0 && current != null)
            titles = new String[] {current.getTitle()};
        Map<String, Object> given = asks ? null : new HashMap<>();
        String failure = "", doubt = "";
        Rectangle place = null;
        do {
            GenericDialog dialog = asks
                ? new SideDialog(operation, current, failure, place, () -> Finder.open(operation))
                : new GenericDialog(operation.title());
            dialog.addMessage(StatusLine.wrapped(operation.summary));
            Fields fields = new Fields(dialog, operation, titles, current, given);
            if (asks)
                ((SideDialog) dialog).setGroups(fields.headings());
            boolean hasSeries = hasSeries(operation, titles);
            if (hasSeries)
                dialog.addCheckbox(CURRENT_ONLY, given != null && Boolean.TRUE.equals(given.get(CURRENT_ONLY)));
            if (!showDialog(dialog, operation, fields, hasSeries)) {
                Recording.writeNothing();
                return;
            }
            failure = "";
            place = asks ? dialog.getBounds() : null;
            try {
                Object[] values = fields.read();
                boolean onlyCurrent = hasSeries && dialog.getNextBoolean();
                fields.entered().put(CURRENT_ONLY, onlyCurrent);
                fields.check();
                Object[] chosen = images(operation, values);
                String question = asks ? Fields.doubt(operation, chosen) : "";
                if (!question.isEmpty() && !question.equals(doubt)) {
                    doubt = question;
                    throw new EngineException(question);
                }
                run(operation, chosen, onlyCurrent);
                fields.remember();
            } catch (EngineException e) {
                if (!asks || IJ.escapePressed())
                    throw e;
                failure = e.getMessage();
                given = fields.entered();
            }
        } while (!failure.isEmpty());
    }

    private static boolean hasSeries(Registry.Operation operation, String[] titles) {
        return (count(operation, Registry.Kind.IMAGE_IN) > 0 || count(operation, Registry.Kind.IMAGE_INOUT) > 0)
            && !Series.isOneVolume(operation, Arrays.stream(titles).map(WindowManager::getImage).toArray());
    }

    /**
     * Returns false if the user cancels. Operations that make one image from one image, or from an image and its point
     * spread function, have a preview. For long operations, the dialog also estimates time and memory.
     */
    private static boolean showDialog(
        GenericDialog dialog, Registry.Operation operation, Fields fields, boolean hasSeries) {
        boolean asks = dialog instanceof SideDialog;
        long images = count(operation, Registry.Kind.IMAGE_IN);
        boolean previews = asks && (images == 1 || images == 2 && operation.parameters.get(1).name.equals("psf"))
            && count(operation, Registry.Kind.IMAGE_OUT) == 1;
        boolean estimates = asks && !operation.estimate.isEmpty();
        if (previews && estimates)
            dialog.addCheckboxGroup(1, 2, new String[] {"preview", "estimate"}, new boolean[2]);
        else if (previews || estimates)
            dialog.addCheckbox(previews ? "preview" : "estimate", false);
        StatusLine estimateLine = asks ? new StatusLine(2) : null; /* labels need a display */
        if (estimates)
            SideDialog.add(dialog, estimateLine);
        try (Preview preview =
                 previews || estimates ? new Preview(operation, estimateLine, ((SideDialog) dialog).status()) : null) {
            dialog.addDialogListener((d, event) -> {
                fields.update(event);
                if (event == null || preview == null)
                    return true;
                try {
                    Object[] values = fields.read();
                    if (hasSeries)
                        dialog.getNextBoolean();
                    boolean wantsPreview = previews && dialog.getNextBoolean(),
                            wantsEstimate = estimates && dialog.getNextBoolean();
                    if (wantsPreview || wantsEstimate)
                        fields.check();
                    preview.show(values, wantsPreview, wantsEstimate);
                } catch (EngineException e) {
                    ((SideDialog) d).status().fail(e.getMessage());
                }
                return true;
            });
            dialog.showDialog();
            /*
             * From here on, Escape stops the operation that OK started, even while a preview is still ending or
             * another macro runs.
             */
            IJ.resetEscape();
        }
        return !dialog.wasCanceled();
    }

    /** Call before the work begins. */
    static void failIfEscaped(Registry.Operation operation) {
        if (IJ.escapePressed())
            throw new EngineException(operation.camelCase() + ": stopped on request");
    }

    private static long count(Registry.Operation operation, Registry.Kind kind) {
        return operation.parameters.stream().filter(p -> p.kind == kind).count();
    }

    /** Replaces titles with open images. */
    private static Object[] images(Registry.Operation operation, Object[] values) {
        Object[] images = values.clone();
        for (int i = 0; i < images.length; i++) {
            if (!operation.parameters.get(i).kind.isImage() || values[i] == null)
                continue;
            try {
                images[i] = OpenImages.titled((String) values[i]);
            } catch (EngineException e) {
                throw new EngineException(
                    operation.camelCase() + ": " + operation.parameters.get(i).name + ": " + e.getMessage());
            }
        }
        return images;
    }

    private static void run(Registry.Operation operation, Object[] values, boolean onlyCurrent) {
        ImagePlus first = Arrays.stream(values)
                              .filter(ImagePlus.class ::isInstance)
                              .map(ImagePlus.class ::cast)
                              .findFirst()
                              .orElse(null);
        int channel = onlyCurrent && first != null ? first.getChannel() : 0,
            frame = onlyCurrent && first != null ? first.getFrame() : 0;
        if (!onlyCurrent && operation.name.equals("deconvolve") && !Series.isOneVolume(operation, values)) {
            deconvolveSeries(((ImagePlus) values[0]).getTitle(), ((ImagePlus) values[1]).getTitle(),
                (String) values[operation.parameters.indexOf(operation.parameter("options"))],
                Series.titles(operation, values).get("destination"));
            return;
        }
        Series series = new Series(operation, values, channel, frame);
        Map<String, String> titles = Series.titles(operation, values);
        Runnable begun = Watch.waiting(operation.title());
        synchronized (Engine.class) {
            begun.run();
            failIfEscaped(operation);
            series.run(Engine.context());
        }
        Recording.write(operation, values, titles, channel, frame);
        series.show(titles);
    }

    /** Deconvolves each channel and frame, with the command Drua_deconvolveHyperstack. */
    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    private static void deconvolveSeries(String image, String psf, String options, String title) {
        Registry.Command command = Registry.get().commands.get("Drua_deconvolveHyperstack");
        String[] texts = {image, psf, title, options};
        /* otherwise, the new window coming to the front would be recorded before the operation's line */
        Recorder.suspendRecording();
        try {
            Runnable begun = Watch.waiting(command.operation.title());
            synchronized (Engine.class) {
                begun.run();
                long context = Engine.context();
                failIfEscaped(command.operation);
                try (Watch watch = Watch.begin(context, command.operation.title())) {
                    HostCommands.run(
                        new Call(command, context, false, texts, new double[texts.length]), command.operation);
                }
            }
        } finally {
            Recorder.resumeRecording();
        }
        Recording.writeCommand(command, texts);
    }
}
