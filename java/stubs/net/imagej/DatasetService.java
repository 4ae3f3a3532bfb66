// SPDX-License-Identifier: BSD-3-Clause
package net.imagej;

import net.imglib2.type.numeric.RealType;

public interface DatasetService {
    <T extends RealType<T>> Dataset create(ImgPlus<T> image);
}
