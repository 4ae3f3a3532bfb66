/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import java.io.Serializable;

/** The end of a drua process: its exit status and, if that is not 0, its last error message. */
record Outcome(BlockRange blocks, int status, String sentence, String host) implements Serializable {
    /** The status of a process that could not be started. */
    static final int NO_PROCESS = 127;

    boolean succeeded() {
        return status == 0;
    }

    /** True if a retry may succeed: a device failed or the process was killed. */
    boolean mayEndWell() {
        return status == 75 || status > 128;
    }
}
