// SPDX-License-Identifier: BSD-3-Clause
package net.imagej;

import net.imagej.axis.AxisType;
import net.imagej.axis.CalibratedAxis;
import net.imagej.space.AnnotatedSpace;
import net.imglib2.display.ColorTable;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

public interface Dataset extends Img<RealType<?>>, AnnotatedSpace<CalibratedAxis>
{
    String getName();

    int dimensionIndex(AxisType axis);

    int getColorTableCount();

    ColorTable getColorTable(int plane);
}
