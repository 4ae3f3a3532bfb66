// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.Engine;
import ij.IJ;
import java.awt.GraphicsEnvironment;

/**
 * Why a better device does not serve, where people look: in the Log if there are windows; Engine tells it on stderr
 * otherwise.
 */
public final class DeviceWarning
{
    private DeviceWarning()
    {
    }

    /** Before the device is opened. */
    public static void toLog()
    {
        if (!GraphicsEnvironment.isHeadless())
            Engine.onOpen(Engine.warner(IJ::log));
    }
}
