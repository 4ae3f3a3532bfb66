// SPDX-License-Identifier: BSD-3-Clause
import drua.imagej.Selections;
import ij.ImagePlus;
import ij.gui.OvalRoi;
import ij.gui.Roi;
import ij.plugin.frame.RoiManager;
import ij.process.FloatProcessor;
import java.lang.management.ManagementFactory;
import java.util.List;

/** 10,000 labels become selections of a ROI Manager that shows them all, in less than a second of processor time. */
public final class ManySelectionsTest {
    private static final int ROW = 100, STEP = 12, RADIUS = 10;
    private static final long LIMIT_MS = 1000;

    private ManySelectionsTest() {}

    public static void main(String[] args) {
        Person.start(false);
        FloatProcessor labels = new FloatProcessor(ROW * STEP, ROW * STEP);
        for (int i = 0; i < ROW * ROW; i++) {
            labels.setValue(i + 1);
            labels.fill(new OvalRoi(i % ROW * STEP, i / ROW * STEP, RADIUS, RADIUS));
        }
        ImagePlus cells = new ImagePlus("cells", labels);
        cells.show();
        RoiManager manager = new RoiManager();
        manager.runCommand(cells, "Show All");
        long start = processorMs();
        List<Roi> selections = Selections.ofLabels((float[]) labels.getPixels(), labels.getWidth());
        Selections.add(manager, selections);
        long took = processorMs() - start;
        Person.expect("10,000 labels took " + took + " ms", took < LIMIT_MS);
        Person.expect("selections in the manager", ROW * ROW, manager.getCount());
        Person.expect("selections that the image shows", ROW * ROW, cells.getCanvas().getShowAllList().size());
        Person.expect("the last name", "Label_10000", manager.getName(ROW * ROW - 1));
        Person.expect("the pixels of the last label", labels.getPixelValue(1195, 1193), (float) ROW * ROW);
        Person.expect(
            "the last selection contains its label", true, manager.getRoi(ROW * ROW - 1).contains(1195, 1193));
        Person.leave();
    }

    private static long processorMs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1_000_000;
    }
}
