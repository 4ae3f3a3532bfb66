// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.Native;
import drua.engine.ProcessWatch;
import ij.IJ;
import java.io.File;

/**
 * Runs a pipeline on an image file block by block. The status bar shows progress and the time left; Escape stops the
 * run.
 */
public final class LargeFile implements ProcessWatch {
    private volatile double part = -1;
    private volatile boolean stops;

    private LargeFile() {}

    /**
     * @param what     name of the work for the status bar
     * @param pipeline a file of macro commands, or an operation with its settings
     * @param settings the settings of drua_process_file
     */
    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    public static void process(String what, String pipeline, File input, File output, String settings) {
        LargeFile work = new LargeFile();
        try (Watch watch = Watch.begin(what, Watch.escape(), () -> work.part, () -> work.stops = true)) {
            process(pipeline, input, output, settings, work);
        }
    }

    /** Processes a file and reports progress to `watch`. */
    public static void process(String pipeline, File input, File output, String settings, ProcessWatch watch) {
        File macro = new File(pipeline).getAbsoluteFile();
        Native.processFile(macro.isFile() ? macro.getPath() : pipeline, input.getAbsolutePath(),
            output.getAbsolutePath(), settings, watch);
    }

    @Override
    public boolean progressed(String what, long done, long all, double left, String plan, String line) {
        part = all > 0 ? (double) done / all : -1;
        if (line != null)
            IJ.log(line);
        return !stops;
    }
}
