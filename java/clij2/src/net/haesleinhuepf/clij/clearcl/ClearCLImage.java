// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij.clearcl;

import drua.Drua;
import drua.Image;
import drua.clij2.DeviceImage;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;

/** An image on the device of a CLIJ2 object; operations accept it in place of a ClearCLBuffer, and vice versa. */
public class ClearCLImage extends DeviceImage implements ClearCLImageInterface {
    /** Takes ownership of `image`. */
    public ClearCLImage(Drua owner, Image image) {
        super(owner, image);
    }

    @Override
    public void copyTo(ClearCLBuffer destination, boolean wait) {
        copy(destination);
    }

    @Override
    public void copyTo(ClearCLImage destination, boolean wait) {
        copy(destination);
    }
}
