// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij2.plugins;

/** Names the columns of CLIJ2's statistics, for programs that read single numbers of them. */
public final class StatisticsOfLabelledPixels
{
    private StatisticsOfLabelledPixels()
    {
    }

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
}
