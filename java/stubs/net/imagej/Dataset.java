// SPDX-License-Identifier: BSD-3-Clause
package net.imagej;

import java.util.Optional;
import net.imagej.axis.AxisType;
import net.imagej.axis.CalibratedAxis;
import net.imglib2.display.ColorTable;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

public interface Dataset extends Img<RealType<?>> {
    String getName();

    int dimensionIndex(AxisType axis);

    Optional<CalibratedAxis> axis(AxisType axis);

    int getColorTableCount();

    ColorTable getColorTable(int plane);
}
