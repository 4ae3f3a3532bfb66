// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.Registry;
import drua.pipeline.Kinds;
import drua.pipeline.Session;
import drua.pipeline.Step;
import java.awt.EventQueue;
import java.util.BitSet;

/** Fetches the label image of the selected measurement, and shows a column or selected labels of it. */
final class MeasuredLabels implements TablePanel.LabelActions {
    private static final String TITLE = "labels";

    private final Session session;

    MeasuredLabels(Session session) {
        this.session = session;
    }

    /** The step that made the labels which the selected step measures; null if it measures no labels. */
    private Step maker() {
        Step step = session.viewed();
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

    @Override
    public boolean areLabels() {
        return maker() != null;
    }

    @Override
    public void map(Measured measured, int column) {
        session.live().fetch(maker().id, TITLE,
            labels -> EventQueue.invokeLater(() -> LabelTools.map(labels, measured, column).show()));
    }

    @Override
    public void addToManager(BitSet wanted) {
        session.live().fetch(maker().id, TITLE,
            labels -> EventQueue.invokeLater(() -> LabelTools.addToManager(labels, wanted)));
    }
}
