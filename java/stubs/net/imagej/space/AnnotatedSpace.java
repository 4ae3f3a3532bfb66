// SPDX-License-Identifier: BSD-3-Clause
package net.imagej.space;

import net.imagej.axis.Axis;

public interface AnnotatedSpace<A extends Axis>
{
    A axis(int d);
}
