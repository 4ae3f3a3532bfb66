// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.ResultsWindow;
import ij.IJ;
import ij.measure.ResultsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes memory, times and devices to the Log and the Results table; see {@link HostCommands}. */
final class EngineCommands {
    private static long watch;

    private EngineCommands() {}

    public static void release(Call call) {
        String name = call.text("image");
        if (call.compatible() && !Native.exists(call.context(), name))
            IJ.log("Drua ignored a release, as CLIJ2 does: there is no image '" + name + "'");
        else
            Native.releaseName(call.context(), name);
    }

    public static void clear(Call call) {
        Native.clear(call.context());
    }

    public static void reportMemory(Call call) {
        IJ.log(Native.reportMemory(call.context()));
    }

    public static void explain(Call call) {
        IJ.log(Native.explain(call.context()));
    }

    public static void timeLaunches(Call call) {
        Native.timeLaunches(call.context(), call.flag("on"));
    }

    public static void startTimeTracing(Call call) {
        Native.trace(call.context(), true);
    }

    public static void stopTimeTracing(Call call) {
        Native.trace(call.context(), false);
    }

    public static void getTimeTracing(Call call) {
        call.set("time_traces", Native.traceText(call.context()));
    }

    public static void invalidateKernelCache(Call call) {
        Native.sync(call.context());
    }

    public static void stopWatch(Call call) {
        Native.sync(call.context());
        long now = System.nanoTime();
        IJ.log(call.text("text") + (watch == 0 ? "" : " " + (now - watch) / 1000000 + " ms"));
        watch = now;
    }

    /** Prints one line for each row, with an empty line between slices. */
    public static void print(Call call) {
        long image = call.image("source");
        int width = (int) Native.info(call.context(), image)[0];
        StringBuilder text = new StringBuilder();
        for (float[] plane : Images.pullNumbers(call.context(), image)) {
            text.append(text.length() > 0 ? "\n" : "");
            for (int i = 0; i < plane.length; i++)
                text.append(plane[i]).append((i + 1) % width == 0 ? '\n' : ' ');
        }
        IJ.log(text.substring(0, text.length() - 1)); /* the Log adds the last line end */
    }

    public static void help(Call call) {
        String keyword = call.text("keyword").toLowerCase(Locale.ROOT);
        List<Registry.Command> found = new ArrayList<>();
        for (Registry.Command command : Registry.get().commands.values()) {
            if (command.name.toLowerCase(Locale.ROOT).contains(keyword))
                found.add(command);
        }
        IJ.log("Found " + found.size() + " commands containing \"" + call.text("keyword") + "\":");
        for (Registry.Command command : found)
            IJ.log(command.signature() + "\n    " + command.operation.summary);
    }

    public static void listAvailableGpus(Call call) {
        ResultsTable table = ResultsTable.getResultsTable();
        for (String[] device : Native.devices()) {
            table.incrementCounter();
            table.addValue("GPUName", device[0]);
            table.addValue("Max_memory_in_bytes", Double.parseDouble(device[7]));
            table.addValue("OpenCL_version", Double.parseDouble(device[4]));
            table.addValue("Clock_frequency", Double.parseDouble(device[10]));
            table.addValue("Number_of_compute_units", Double.parseDouble(device[9]));
            table.addValue("Global_memory_in_bytes", Double.parseDouble(device[6]));
            table.addValue("Local_memory_in_bytes", Double.parseDouble(device[8]));
            table.addValue("Max_workgroup_size", Double.parseDouble(device[11]));
            table.addValue("Extensions", device[12]);
            table.addValue("Info", String.join(", ", device[1], device[3], device[2]));
        }
        ResultsWindow.show(table);
    }

    public static void gpuProperties(Call call) {
        String[] device = Native.device(call.context());
        ResultsTable table = ResultsTable.getResultsTable();
        table.incrementCounter();
        table.addValue("GPUName", device[0]);
        table.addValue("Global_memory_in_bytes", Double.parseDouble(device[6]));
        table.addValue("OpenCL_version", Double.parseDouble(device[4]));
        ResultsWindow.show(table);
    }

    public static void clInfo(Call call) {
        String[] names = {"Name", "Platform", "Driver", "Version", "OpenCL", "Kind", "Memory in bytes",
            "Largest image in bytes", "Local memory in bytes", "Compute units", "Clock frequency in MHz",
            "Largest work-group", "Extensions"};
        for (String[] device : Native.devices()) {
            for (int i = 0; i < names.length; i++)
                IJ.log((i > 0 ? "    " : "") + names[i] + ": " + device[i]);
        }
    }
}
