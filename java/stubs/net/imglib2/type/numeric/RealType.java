// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.type.numeric;

public interface RealType<T> {
    double getRealDouble();

    void setReal(double value);

    void setReal(float value);
}
