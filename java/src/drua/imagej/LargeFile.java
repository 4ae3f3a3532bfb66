// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.Native;
import drua.engine.ProcessWatch;
import ij.IJ;
import java.io.File;

/** A pipeline on an image file, block by block: how far it is and the time left are in the status bar; Escape stops it. */
public final class LargeFile implements ProcessWatch {
    private volatile double part = -1;
    private volatile boolean stops;

    private LargeFile() {}

    /**
     * @param what     what runs, for the status bar
     * @param pipeline a file of macro commands, or an operation with its settings
     * @param settings as those of drua_process_file
     */
    @SuppressWarnings("try") /* the watch works by being there */
    public static void process(String what, String pipeline, File input, File output, String settings) {
        LargeFile work = new LargeFile();
        File macro = new File(pipeline).getAbsoluteFile();
        try (Watch watch = Watch.begin(what, Watch.escape(), () -> work.part, () -> work.stops = true)) {
            Native.processFile(macro.isFile() ? macro.getPath() : pipeline, input.getAbsolutePath(), output.getAbsolutePath(), settings, work);
        }
    }

    @Override
    public boolean told(double now, String line) {
        part = now;
        if (line != null)
            IJ.log(line);
        return !stops;
    }
}
