// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.FramedPlace;
import drua.dialog.FreePlace;
import drua.engine.Registry;
import drua.pipeline.Gate;
import drua.pipeline.Kinds;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.IJ;
import ij.ImagePlus;
import java.awt.EventQueue;
import java.awt.Window;
import java.util.BitSet;
import java.util.function.Supplier;

/**
 * Fetches the label map of the shown measurements, and shows its labels in the colours of a column or selected ones.
 */
final class MeasuredLabels implements TablePanel.LabelActions {
    private static final String TITLE = "labels";

    private final Session session;
    private final Window workbench;
    private final Supplier<Step> measuring;
    private final SolidViews solids;

    /**
     * @param workbench the window that maps should not cover
     * @param measuring gives the step whose table is shown
     * @param solids    opens 3-D views
     */
    MeasuredLabels(Session session, Window workbench, Supplier<Step> measuring, SolidViews solids) {
        this.session = session;
        this.workbench = workbench;
        this.measuring = measuring;
        this.solids = solids;
    }

    /** The step that made the measured labels; null if the table is not about labels. */
    private Step maker() {
        Step step = measuring.get();
        for (int i = 0; step != null && i < step.values.size(); i++) {
            Registry.Parameter p = step.parameter(i);
            if (p == null || p.kind != Registry.Kind.IMAGE_IN || Kinds.wanted(p) != Kinds.Kind.LABELS)
                continue;
            Step maker = session.now().maker((String) step.values.get(i));
            if (maker != null && maker.images().get(0).equals(step.values.get(i)))
                return maker;
        }
        return null;
    }

    /** True for the step that made the measured labels. */
    boolean isMaker(Step step) {
        return step == maker();
    }

    @Override
    public boolean areLabels() {
        return maker() != null;
    }

    @Override
    public void map(Measured measured, int column) {
        session.live().fetch(
            maker().id, TITLE, labels -> EventQueue.invokeLater(() -> show(LabelTools.map(labels, measured, column))));
    }

    @Override
    public boolean areSolid() {
        return solids.isSolid(maker());
    }

    @Override
    public void solidMap(Measured measured, int column) {
        session.live().fetch(
            maker().id, TITLE, labels -> EventQueue.invokeLater(() -> solids.open(labels, measured, column)));
    }

    @Override
    public void solid(BitSet wanted) {
        session.live().fetch(maker().id, TITLE, labels -> EventQueue.invokeLater(() -> solids.open(labels, wanted)));
    }

    private void show(ImagePlus map) {
        map.show();
        Window at = map.getWindow();
        new FramedPlace(at, () -> at.setLocation(FreePlace.beside(workbench, at.getSize(), 0, IJ.getInstance())));
    }

    @Override
    public void addToManager(BitSet wanted) {
        session.live().fetch(
            maker().id, TITLE, labels -> EventQueue.invokeLater(() -> LabelTools.addToManager(labels, wanted)));
    }

    @Override
    public void keep(Gate gate) {
        session.add(gate, measuring.get());
    }
}
