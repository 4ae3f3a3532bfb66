// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.engine.WarmUp;
import drua.imagej.CallingScript;
import drua.imagej.DeviceWarning;
import ij.IJ;
import ij.Macro;
import ij.gui.GenericDialog;
import ij.macro.Interpreter;
import java.awt.GraphicsEnvironment;
import java.lang.ref.WeakReference;

/**
 * run("Drua Macro Extensions", "cl_device=[] memory=2GB") gives the running macro Drua's commands. The call is fast,
 * may be repeated and keeps all images. memory= limits the device memory until another start changes it. From the menu,
 * the command shows the devices, and the recorder writes the line.
 */
public final class MacroStart {
    /**
     * The macro that started Drua last, and the device that it asked for. A different macro is told about images that
     * earlier macros left; each message is shown once.
     */
    private static WeakReference<Interpreter> lastMacro = new WeakReference<>(null);
    private static String lastWanted = "";

    private MacroStart() {}

    /** @param compatible true for CLIJ2's start commands: windows then look as in CLIJ2 */
    public static void run(boolean compatible) {
        Interpreter interpreter = Interpreter.getInstance();
        DeviceWarning.toLog();
        try {
            if (interpreter == null)
                fromMenu();
            else
                fromMacro(interpreter, compatible);
        } catch (EngineException e) {
            if (interpreter == null || CallingScript.exists())
                CallingScript.report(e.getMessage());
            else
                MacroCommands.fail(interpreter, e.getMessage());
        }
    }

    private static void fromMacro(Interpreter interpreter, boolean compatible) {
        String wanted = option("cl_device");
        synchronized (Engine.class) {
            if (Engine.restartIfLost())
                IJ.log("Drua lost its device and reopened it; push the images again");
            long context = Engine.open(wanted);
            MacroCommands.register(compatible);
            limitMemory(context);
            if (!compatible && !wanted.equals(lastWanted))
                reportDevice(context, wanted);
            boolean first = lastMacro.get() != interpreter;
            if (first) {
                IJ.resetEscape(); /* Escape may have been pressed long before this macro started */
                WarmUp.begin(context, () -> CallsAhead.of(interpreter));
            }
            if (first && !compatible)
                reportImages(context);
            lastWanted = wanted;
            lastMacro = new WeakReference<>(interpreter);
        }
    }

    private static String option(String name) {
        String options = Macro.getOptions();
        return options == null ? "" : Macro.getValue(options, name, "").trim();
    }

    private static void limitMemory(long context) {
        String memory = option("memory");
        if (!memory.isEmpty())
            Native.setMemory(context, memory);
    }

    private static void reportDevice(long context, String wanted) {
        String note = Native.note(context);
        if (Engine.isOnOtherDevice(wanted))
            IJ.log("Drua stays on " + Native.device(context)[0]
                + " because images are still on it; call Ext.Drua_clear() to change to " + wanted);
        else if (!note.isEmpty())
            IJ.log(note);
    }

    private static void reportImages(long context) {
        String names = Native.names(context).trim();
        if (names.isEmpty())
            return;
        String[] all = names.split("\n");
        long bytes = 0;
        for (String name : all)
            bytes += Native.info(context, Native.find(context, name))[5];
        IJ.log("Drua holds " + all.length + (all.length == 1 ? " image" : " images") + " of earlier macros, " + bytes
            + " bytes; Ext.Drua_clear() frees them");
    }

    /** Without a macro: opens the device that a script names, or asks the user. */
    private static void fromMenu() {
        NativeLibrary.load();
        if (CallingScript.exists()) {
            limitMemory(Engine.open(option("cl_device")));
            return;
        }
        String[][] devices = Native.devices();
        String[] names = new String[devices.length];
        for (int i = 0; i < names.length; i++)
            names[i] = devices[i][0];
        if (names.length == 0 || GraphicsEnvironment.isHeadless()) {
            Engine.context();
            return;
        }
        GenericDialog dialog = new GenericDialog("Drua Macro Extensions");
        dialog.addMessage("Choose a device. A macro starts Drua with the line that the recorder shows.");
        dialog.addChoice("cl_device", names, names[0]);
        dialog.showDialog();
        if (!dialog.wasCanceled())
            IJ.showStatus(
                "Drua " + NativeLibrary.version() + " on " + Native.device(Engine.open(dialog.getNextChoice()))[0]);
    }
}
