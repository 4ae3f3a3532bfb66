// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import ij.IJ;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A macro in a separate process without a display, so that no dialog can wait for a click and the open images and
 * tables stay as they are. The process has this one's memory limit and settings, and the plugins of this ImageJ.
 */
final class HeadlessProcess {
    private static final String PROGRAM = "drua.MacroMain";
    private static final long LOOK_MS = 100;

    private HeadlessProcess() {}

    /**
     * Runs a macro file. Its output goes to the Log. Returns when it has ended; Escape stops it.
     *
     * @return whether the macro ended normally
     */
    static boolean run(File macro, String argument) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(macro, argument)).redirectErrorStream(true).start();
        Thread end = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        IJ.resetEscape();
        try {
            process.getOutputStream().close();
            Thread output = new Thread(() -> log(process), "Drua folder output");
            output.setDaemon(true);
            output.start();
            while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                if (IJ.escapePressed())
                    process.destroy();
            }
            output.join();
            if (IJ.escapePressed())
                IJ.log("Escape was pressed: the folder run stopped; the next run continues where it stopped");
            return process.exitValue() == 0;
        } finally {
            process.destroy();
            Runtime.getRuntime().removeShutdownHook(end);
        }
    }

    private static void log(Process process) {
        try (BufferedReader lines =
                 new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.contains("libjsig is activated"))
                    IJ.log(line);
                if (line.matches("\\d+ of \\d+.*"))
                    IJ.showStatus(line);
            }
        } catch (IOException e) {
            IJ.log("the output of the folder run cannot be read: " + e.getMessage());
        }
    }

    private static List<String> command(File macro, String argument) {
        boolean isWindows = System.getProperty("os.name").startsWith("Windows");
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java" + (isWindows ? ".exe" : ""));
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!option.matches("-(agent|javaagent|Xdebug|Xrunjdwp|Djava.awt.headless|Dfile.encoding).*"))
                command.add(option);
        }
        command.addAll(Arrays.asList("-Djava.awt.headless=true", "-Dfile.encoding=UTF-8", "-cp",
            String.join(File.pathSeparator, classPath()), PROGRAM, macro.getPath(), argument));
        return command;
    }

    /** ImageJ, Drua and the plugins, then what this process was started with. */
    private static Set<String> classPath() {
        Set<String> places = new LinkedHashSet<>();
        places.add(place(IJ.class.getResource("/IJ_Props.txt")));
        places.add(place(HeadlessProcess.class.getResource(FolderRun.BATCH)));
        places.addAll(Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator)));
        String plugins = IJ.getDirectory("plugins");
        File[] jars = plugins == null ? null : new File(plugins).listFiles((in, name) -> name.endsWith(".jar"));
        for (File jar : jars == null ? new File[0] : jars)
            places.add(jar.getPath());
        places.remove("");
        return places;
    }

    /** The jar that holds a resource; "" without one. */
    private static String place(URL resource) {
        String text = String.valueOf(resource);
        int end = text.indexOf("!/");
        try {
            return text.startsWith("jar:file:") && end > 0
                ? Paths.get(new URI(text.substring("jar:".length(), end))).toString()
                : "";
        } catch (URISyntaxException e) {
            return "";
        }
    }
}
