// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij2.plugins;

import ij.measure.ResultsTable;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij2.CLIJ2;

/** The columns of CLIJ2's statistics and the methods that measure them. */
public final class StatisticsOfLabelledPixels {
    private StatisticsOfLabelledPixels() {}

    /** A column; value counts from 0. */
    public enum STATISTICS_ENTRY {
        IDENTIFIER,
        BOUNDING_BOX_X,
        BOUNDING_BOX_Y,
        BOUNDING_BOX_Z,
        BOUNDING_BOX_END_X,
        BOUNDING_BOX_END_Y,
        BOUNDING_BOX_END_Z,
        BOUNDING_BOX_WIDTH,
        BOUNDING_BOX_HEIGHT,
        BOUNDING_BOX_DEPTH,
        MINIMUM_INTENSITY,
        MAXIMUM_INTENSITY,
        MEAN_INTENSITY,
        SUM_INTENSITY,
        STANDARD_DEVIATION_INTENSITY,
        PIXEL_COUNT,
        SUM_INTENSITY_TIMES_X,
        SUM_INTENSITY_TIMES_Y,
        SUM_INTENSITY_TIMES_Z,
        MASS_CENTER_X,
        MASS_CENTER_Y,
        MASS_CENTER_Z,
        SUM_X,
        SUM_Y,
        SUM_Z,
        CENTROID_X,
        CENTROID_Y,
        CENTROID_Z,
        SUM_DISTANCE_TO_MASS_CENTER,
        MEAN_DISTANCE_TO_MASS_CENTER,
        MAX_DISTANCE_TO_MASS_CENTER,
        MAX_MEAN_DISTANCE_TO_MASS_CENTER_RATIO,
        SUM_DISTANCE_TO_CENTROID,
        MEAN_DISTANCE_TO_CENTROID,
        MAX_DISTANCE_TO_CENTROID,
        MAX_MEAN_DISTANCE_TO_CENTROID_RATIO;

        public final int value = ordinal();
    }

    public static ResultsTable statisticsOfLabelledPixels(
        CLIJ2 clij2, ClearCLBuffer image, ClearCLBuffer labels, ResultsTable table) {
        return clij2.statisticsOfLabelledPixels(image, labels, table);
    }

    public static double[][] statisticsOfLabelledPixels(CLIJ2 clij2, ClearCLBuffer image, ClearCLBuffer labels) {
        return clij2.statisticsOfLabelledPixels(image, labels);
    }

    public static double[] statisticsOfLabelledPixels(
        CLIJ2 clij2, ClearCLBuffer image, ClearCLBuffer labels, Integer label) {
        return clij2.statisticsOfLabelledPixels(image, labels, label);
    }

    public static double[][] statisticsOfLabelledPixels(
        CLIJ2 clij2, ClearCLBuffer image, ClearCLBuffer labels, Integer first, Integer last) {
        return clij2.statisticsOfLabelledPixels(image, labels, first, last);
    }

    public static double[][] statisticsOfLabelledPixels_single_threaded(
        CLIJ2 clij2, ClearCLBuffer image, ClearCLBuffer labels, Integer first, Integer last) {
        return clij2.statisticsOfLabelledPixels_single_threaded(image, labels, first, last);
    }
}
