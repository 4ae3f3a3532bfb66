// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/** Receives the progress of {@link Native#processFile} on the thread that called it. */
public interface ProcessWatch {
    /**
     * Reports progress. The work waits until this method returns.
     *
     * @param what the unit of `done` and `all`: "blocks measured", "blocks", "levels", ...
     * @param all  0 until the number is known
     * @param left estimated seconds until `all` are done, or 0 if unknown
     * @param plan lines about images, blocks and memory for the user, sent once before the first block; else null
     * @param line a note for the user, or null
     * @return false to stop the work
     */
    boolean progressed(String what, long done, long all, double left, String plan, String line);
}
