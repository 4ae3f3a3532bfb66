// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/** Who is told how far {@link Native#processFile} is. */
public interface ProcessWatch {
    /**
     * @param part how far what is counted now is, 0 to 1, or -1 if that is not known
     * @param line something that people should know, or null
     * @return false to stop the work
     */
    boolean told(double part, String line);
}
