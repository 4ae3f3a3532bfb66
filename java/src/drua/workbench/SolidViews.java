// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.VolumeObject;
import drua.dialog.VolumeWindow;
import drua.pipeline.Result;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.ImagePlus;
import java.awt.EventQueue;
import java.awt.Window;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * The 3-D views of steps and measured labels. A view of a step follows its result; a view of labels stays as it is.
 * Used by the event thread.
 */
final class SolidViews {
    private static final class Followed {
        private final int step;
        private VolumeWindow window;
        private Result shown;

        Followed(int step) {
            this.step = step;
        }
    }

    private final Session session;
    private final Window workbench;
    private final Consumer<Runnable> guard;
    private final List<Followed> followed = new ArrayList<>();

    /**
     * @param workbench the window that views should not cover
     * @param guard     runs a change and shows its failure
     */
    SolidViews(Session session, Window workbench, Consumer<Runnable> guard) {
        this.session = session;
        this.workbench = workbench;
        this.guard = guard;
    }

    /** True if the result of a step is a stack that a 3-D view can show. */
    boolean isSolid(Step step) {
        Result result = step == null || step.images().isEmpty() ? null : session.live().result(step.id);
        return result != null && result.info != null && result.info[2] > 1;
    }

    void open(Step step) {
        Followed view = new Followed(step.id);
        followed.add(view);
        fetch(view, step);
    }

    /** Shows the results that are new. */
    void update() {
        followed.removeIf(view -> view.window != null && !view.window.isShowing());
        for (Followed view : followed) {
            Step step = session.now().step(view.step);
            if (view.window != null && isSolid(step) && session.live().result(step.id) != view.shown)
                fetch(view, step);
        }
    }

    private void fetch(Followed view, Step step) {
        view.shown = session.live().result(step.id);
        session.live().fetch(step.id, StepRow.name(session, step),
            image -> EventQueue.invokeLater(() -> guard.accept(() -> show(view, image))));
    }

    private void show(Followed view, ImagePlus image) {
        VolumeObject object = new VolumeObject(withScaleOfSource(image));
        if (view.window == null)
            view.window = show(object);
        else
            view.window.show(object);
    }

    /** A result without a scale gets that of the source if both have the same size. */
    private ImagePlus withScaleOfSource(ImagePlus image) {
        ImagePlus source = session.firstImage();
        boolean fits = source != null && source.getWidth() == image.getWidth()
            && source.getHeight() == image.getHeight() && source.getNSlices() == image.getNSlices();
        if (fits && !image.getCalibration().scaled())
            image.setCalibration(source.getCalibration().copy());
        return image;
    }

    private VolumeWindow show(VolumeObject object) {
        VolumeWindow window = new VolumeWindow(object, workbench);
        window.setVisible(true);
        return window;
    }

    /** Shows some labels of an image alone, cropped to their extent. */
    void open(ImagePlus labels, BitSet wanted) {
        guard.accept(() -> show(new VolumeObject(LabelTools.only(withScaleOfSource(labels), wanted))));
    }

    /** Shows labels in the colours of a column. */
    void open(ImagePlus labels, Measured measured, int column) {
        guard.accept(() -> {
            ImagePlus named = withScaleOfSource(labels);
            named.setTitle(Measured.readable(measured.headings[column]));
            show(new VolumeObject(named, LabelTools.colours(measured, column)));
        });
    }

    void close() {
        for (Followed view : followed) {
            if (view.window != null)
                view.window.dispose();
        }
        followed.clear();
    }
}
