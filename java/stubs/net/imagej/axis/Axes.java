// SPDX-License-Identifier: BSD-3-Clause
package net.imagej.axis;

public final class Axes {
    public static final AxisType X = null, Y = null, Z = null, TIME = null, CHANNEL = null;

    private Axes() {}
}
