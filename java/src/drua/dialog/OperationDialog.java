// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.imagej.DeviceWarning;
import drua.imagej.Series;
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
import java.awt.Color;
import java.awt.Label;
import java.awt.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plugins>Drua>Drua Operation...: asks for an operation, then for its parameters, and runs it on open images. Menu entries of
 * single operations come here too, with the operation's name. The recorder gets the macro lines that do the same.
 */
public final class OperationDialog implements PlugIn {
    private static final String CURRENT_ONLY = "current channel and frame only";

    @Override
    public void run(String arg) {
        DeviceWarning.toLog();
        try {
            NativeLibrary.load();
            Registry.Operation operation = arg.isEmpty() ? choose() : Registry.get().operations.get(arg);
            if (operation != null)
                apply(operation);
        } catch (EngineException e) {
            Recording.writeNothing();
            if (IJ.escapePressed())
                IJ.log(e.getMessage());
            else
                IJ.error("Drua", e.getMessage());
        }
    }

    private static Registry.Operation choose() {
        List<String> names = new ArrayList<>();
        for (Registry.Operation operation : Registry.get().operations.values()) {
            if (!operation.host && (count(operation, Registry.Kind.IMAGE_IN) > 0 || count(operation, Registry.Kind.PATH) > 0))
                names.add(operation.name);
        }
        names.sort(null);
        GenericDialog dialog = new GenericDialog("Drua Operation");
        dialog.addChoice("operation", names.toArray(new String[0]), names.get(0));
        dialog.showDialog();
        return dialog.wasCanceled() ? null : Registry.get().operations.get(dialog.getNextChoice());
    }

    private static void apply(Registry.Operation operation) {
        String[] titles = WindowManager.getImageTitles();
        ImagePlus current = WindowManager.getCurrentImage();
        if (current == null && (count(operation, Registry.Kind.IMAGE_IN) > 0 || count(operation, Registry.Kind.IMAGE_INOUT) > 0))
            throw new EngineException(operation.camelCase() + ": no image is open; open one first");
        if (titles.length == 0 && current != null)
            titles = new String[] {current.getTitle()};
        boolean asks = !IJ.isMacro() || Macro.getOptions() == null;
        Map<String, Object> given = asks ? null : new HashMap<>();
        String failure = "";
        Point place = null;
        do {
            GenericDialog dialog = new GenericDialog(operation.title());
            dialog.addMessage(operation.summary);
            Fields fields = new Fields(dialog, operation, titles, current, given);
            boolean hasSeries = hasSeries(operation, titles);
            if (hasSeries)
                dialog.addCheckbox(CURRENT_ONLY, given != null && Boolean.TRUE.equals(given.get(CURRENT_ONLY)));
            if (!showDialog(dialog, operation, fields, hasSeries, current, asks, failure, place)) {
                Recording.writeNothing();
                return;
            }
            failure = "";
            place = dialog.getLocation();
            try {
                Object[] values = fields.read();
                boolean onlyCurrent = hasSeries && dialog.getNextBoolean();
                fields.entered().put(CURRENT_ONLY, onlyCurrent);
                fields.remember();
                run(operation, images(operation, values), onlyCurrent);
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
     * False if the user cancels. Operations of one image that make one have a preview, long ones an estimate of time and memory.
     *
     * @param failure why the last try failed, or ""; it stands in red below the fields, and the dialog where it stood
     */
    private static boolean showDialog(GenericDialog dialog, Registry.Operation operation, Fields fields, boolean hasSeries, ImagePlus current,
                                      boolean asks, String failure, Point place) {
        long images = count(operation, Registry.Kind.IMAGE_IN);
        boolean previews = asks && (images == 1 || images == 2 && operation.parameters.get(1).name.equals("psf"))
            && count(operation, Registry.Kind.IMAGE_OUT) == 1;
        boolean estimates = asks && !operation.estimate.isEmpty();
        if (previews)
            dialog.addCheckbox("preview", false);
        if (estimates)
            dialog.addCheckbox("estimate", false);
        Label told = estimates ? told(dialog) : new Label();
        if (!failure.isEmpty())
            dialog.addMessage(wrapped(failure), null, Color.RED);
        if (place != null) {
            dialog.centerDialog(false);
            dialog.setLocation(place);
        }
        try (Preview preview = previews || estimates ? new Preview(operation, current, told::setText) : null) {
            dialog.addDialogListener((d, event) -> {
                fields.update(event);
                if (event == null || preview == null)
                    return true;
                Object[] values = fields.read();
                if (hasSeries)
                    dialog.getNextBoolean();
                boolean sees = current == null || Arrays.asList(values).contains(current.getTitle());
                boolean wantsPreview = previews && dialog.getNextBoolean(), wantsEstimate = estimates && dialog.getNextBoolean();
                preview.show(values, sees && wantsPreview, sees && wantsEstimate);
                return true;
            });
            dialog.showDialog();
        }
        return !dialog.wasCanceled();
    }

    private static Label told(GenericDialog dialog) {
        dialog.addMessage(Preview.NO_ESTIMATE);
        return (Label) dialog.getMessage();
    }

    private static String wrapped(String text) {
        return text.replaceAll("(.{60,80}) ", "$1\n");
    }

    private static long count(Registry.Operation operation, Registry.Kind kind) {
        return operation.parameters.stream().filter(p -> p.kind == kind).count();
    }

    /** The values with open images in place of their titles. */
    private static Object[] images(Registry.Operation operation, Object[] values) {
        Object[] images = values.clone();
        for (int i = 0; i < images.length; i++) {
            if (!operation.parameters.get(i).kind.isImage() || values[i] == null)
                continue;
            images[i] = WindowManager.getImage((String) values[i]);
            if (images[i] == null)
                throw new EngineException(operation.camelCase() + ": " + operation.parameters.get(i).name + ": no open image has the title '"
                    + values[i] + "'");
        }
        return images;
    }

    private static void run(Registry.Operation operation, Object[] values, boolean onlyCurrent) {
        ImagePlus first = Arrays.stream(values).filter(ImagePlus.class::isInstance).map(ImagePlus.class::cast).findFirst().orElse(null);
        int channel = onlyCurrent && first != null ? first.getChannel() : 0, frame = onlyCurrent && first != null ? first.getFrame() : 0;
        if (!onlyCurrent && operation.name.equals("deconvolve") && !Series.isOneVolume(operation, values)) {
            restoreSeries(((ImagePlus) values[0]).getTitle(), ((ImagePlus) values[1]).getTitle(),
                (String) values[operation.parameters.indexOf(operation.parameter("options"))], Series.titles(operation, values).get("destination"));
            return;
        }
        Series series = new Series(operation, values, channel, frame);
        Map<String, String> titles = Series.titles(operation, values);
        synchronized (Engine.class) {
            IJ.resetEscape();
            series.run(Engine.context());
        }
        Recording.write(operation, values, titles, channel, frame);
        series.show(titles);
    }

    /** Channels and frames one by one, as the command does it. */
    @SuppressWarnings("try") /* the watch works by being there */
    private static void restoreSeries(String image, String psf, String options, String title) {
        Registry.Command command = Registry.get().commands.get("Drua_deconvolveHyperstack");
        String[] texts = {image, psf, title, options};
        Recorder.suspendRecording(); /* of the window, which comes to the front before its line is there */
        try {
            synchronized (Engine.class) {
                long context = Engine.context();
                IJ.resetEscape();
                try (Watch watch = Watch.begin(context, command.operation.title())) {
                    HostCommands.run(new Call(command, context, false, texts, new double[texts.length]), command.operation);
                }
            }
        } finally {
            Recorder.resumeRecording();
        }
        Recording.writeCommand(command, texts);
    }
}
