// SPDX-License-Identifier: BSD-3-Clause
package net.imagej.axis;

public interface CalibratedAxis {
    String unit();

    double averageScale(double from, double to);
}
