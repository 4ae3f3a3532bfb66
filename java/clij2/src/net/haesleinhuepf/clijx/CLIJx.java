// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clijx;

import net.haesleinhuepf.clij.CLIJ;
import net.haesleinhuepf.clij2.CLIJ2;
import net.haesleinhuepf.clijx.utilities.CLIJxOps;

/** The methods of CLIJ2 and those that only CLIJx has. */
public class CLIJx extends CLIJ2 implements CLIJxOps {
    private static CLIJx instance;

    public CLIJx(CLIJ clij) {
        super(clij);
    }

    /** The instance that all programs share, on the best device if none is open. */
    public static CLIJx getInstance() {
        return getInstance(null);
    }

    /**
     * The shared instance on a device whose name contains `device`. If the open device has another name, it is closed
     * first.
     */
    public static synchronized CLIJx getInstance(String device) {
        CLIJ clij = CLIJ.getInstance(device);
        if (instance == null || instance.getCLIJ() != clij)
            instance = new CLIJx(clij);
        return instance;
    }

    @Override
    public CLIJx getCLIJx() {
        return this;
    }

    @Override
    public CLIJx __enter__() {
        return this;
    }
}
