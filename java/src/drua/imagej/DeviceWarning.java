// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.Engine;
import ij.IJ;
import java.awt.GraphicsEnvironment;

/**
 * Reports in ImageJ's Log why a better device cannot be used, if ImageJ has windows. Otherwise Engine prints this to
 * stderr.
 */
public final class DeviceWarning {
    private DeviceWarning() {}

    /** Call before the device is opened. */
    public static void toLog() {
        if (!GraphicsEnvironment.isHeadless())
            Engine.onOpen(Engine.warningLogger(IJ::log));
    }
}
