// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.macro.Interpreter;
import ij.plugin.ImageInfo;
import ij.plugin.PlugIn;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Replaces ImageJ commands that only open a window. Tables and texts open hidden. A window that only displays something
 * or waits for the user is skipped with a line on stderr, because it changes nothing that the macro uses.
 */
public final class WindowCommand implements PlugIn {
    private static final String PASS = "pass over ";

    /**
     * Classes of commands that only display something, with their argument, in the format of ImageJ's command table.
     */
    private static final Pattern SHOWS = Pattern.compile(
        "ij\\.plugin\\.(frame\\.(?!RoiManager).*|AboutBox|BrowserLauncher.*"
        + "|CommandFinder|CommandLister.*|ControlPanel|JavaProperties|NewPlugin\\(\"(?!table|text).*|ThreadLister"
        + "|WindowOrganizer.*|Zoom.*|filter\\.LutViewer|Hotkeys\\(\"list2?\"\\)|Compiler\\(\"edit\"\\)"
        + "|ImageJ_Updater\\(\"menus\"\\)|SimpleCommands\\(\"(fonts|interactive|magic|opencp|search|showdir.*)\"\\))");

    /** Replaces, in ImageJ's command table, the commands that only open a window. */
    static void add(Map<String, String> commands) {
        commands.replaceAll((name, plugin)
                                -> SHOWS.matcher(plugin).matches()
                ? WindowCommand.class.getName() + "(\"" + PASS + name.trim() + "\")"
                : plugin);
        for (String name : new String[] {"ROI Manager...", "Table...", "Text Window...", "Text Window", "Show Info..."})
            commands.put(name, WindowCommand.class.getName() + "(\"" + name + "\")");
    }

    @Override
    public void run(String command) {
        if (command.startsWith(PASS)) {
            passOver(command.substring(PASS.length()));
        } else if (command.startsWith("ROI")) {
            HiddenRoiManager.open();
        } else if (command.startsWith("Show")) {
            ImagePlus image = WindowManager.getCurrentImage();
            if (image == null)
                IJ.noImage();
            else
                HiddenWindows.open("Info for " + image.getTitle()).append(new ImageInfo().getImageInfo(image));
        } else {
            String options = Macro.getOptions(), fallback = command.startsWith("Table") ? "Table" : "Untitled.txt";
            HiddenWindows.open(options == null ? fallback : Macro.getValue(options, "name", fallback));
        }
    }

    private static void passOver(String command) {
        Interpreter interpreter = Interpreter.getInstance();
        System.err.println(command + " only shows a window and was skipped, because there is no display"
            + (interpreter == null ? "" : ", in line " + interpreter.getLineNumber()));
        HiddenTool.open(command);
    }
}
