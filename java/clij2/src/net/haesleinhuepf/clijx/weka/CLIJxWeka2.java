// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clijx.weka;

import net.haesleinhuepf.clij2.CLIJ2Ops;

/** A trained random forest in a file. The methods of CLIJx that train or apply one return it. */
public final class CLIJxWeka2 {
    private final CLIJ2Ops ops;
    private final String path;

    public CLIJxWeka2(CLIJ2Ops ops, String path) {
        this.ops = ops;
        this.path = path;
    }

    /** The file of the forest. */
    public String getPath() {
        return path;
    }

    public CLIJ2Ops getCLIJ2() {
        return ops;
    }
}
