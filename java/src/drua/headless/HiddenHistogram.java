// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.ImagePlus;
import ij.gui.HistogramPlot;
import ij.measure.ResultsTable;
import ij.process.ImageStatistics;

/**
 * A histogram without a display. Its image is open and has the values that macros read. ImageJ's commands create it in
 * place of a HistogramWindow.
 */
public final class HiddenHistogram {
    private final HistogramPlot plot;

    public HiddenHistogram(HistogramPlot plot, ImagePlus source) {
        this.plot = plot;
        double[] values = plot.getXValues();
        int[] counts = plot.getHistogram();
        float[] x = new float[values.length], y = new float[values.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) values[i];
            y[i] = counts[i];
        }
        plot.setProperty("XValues", x);
        plot.setProperty("YValues", y);
        plot.show(""); /* ImagePlus.show(String); show() without an argument would make the window */
    }

    public HiddenHistogram(String title, ImagePlus source, ImageStatistics statistics) {
        this(drawPlot(title, source, statistics), source);
    }

    private static HistogramPlot drawPlot(String title, ImagePlus source, ImageStatistics statistics) {
        HistogramPlot plot = new HistogramPlot();
        plot.draw(source, statistics);
        plot.setTitle(title);
        return plot;
    }

    /** The values under both column names that ImageJ's window uses. */
    public ResultsTable getResultsTable() {
        ResultsTable table = new ResultsTable();
        float[] x = (float[]) plot.getProperty("XValues"), y = (float[]) plot.getProperty("YValues");
        for (int i = 0; i < x.length; i++) {
            table.setValue("value", i, x[i]);
            table.setValue("bin start", i, x[i]);
            table.setValue("count", i, y[i]);
        }
        return table;
    }

    public ImagePlus getImagePlus() {
        return plot;
    }
}
