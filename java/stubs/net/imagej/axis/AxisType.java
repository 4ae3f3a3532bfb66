// SPDX-License-Identifier: BSD-3-Clause
package net.imagej.axis;

public interface AxisType {}
