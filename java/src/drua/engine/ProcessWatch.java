// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/** Who is told how far {@link Native#processFile} is, on the thread that called it. */
public interface ProcessWatch {
    /**
     * The work waits until this returns.
     *
     * @param what is counted now: "blocks measured", "blocks", "levels", ...
     * @param all  0 as long as it is not known
     * @param left seconds that these still take, or 0 if that is not known
     * @param plan once, before the first block: lines for people with images, blocks and memory; else null
     * @param line something that people should know, or null
     * @return false to stop the work
     */
    boolean told(String what, long done, long all, double left, String plan, String line);
}
