// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.WindowManager;
import ij.plugin.frame.PlugInFrame;
import java.awt.Frame;
import java.util.HashMap;
import java.util.Map;

/** A window of ImageJ with controls for the user, such as B&amp;C, without a display: it can be selected and closed. */
final class HiddenTool extends PlugInFrame {
    private static final long serialVersionUID = 1;

    /** The titles of windows by the names of the commands that open them. */
    private static final Map<String, String> TITLES = new HashMap<>();
    static {
        String[] titles = {"Brightness/Contrast...", "B&C", "Window/Level...", "W&L", "Color Balance...", "Color",
            "Threshold...", "Threshold", "Color Threshold...", "Threshold Color", "Channels Tool...", "Channels",
            "Synchronize Windows", "Synchronize Windows", "Monitor Memory...", "Memory", "Record...", "Recorder"};
        for (int i = 0; i < titles.length; i += 2)
            TITLES.put(titles[i], titles[i + 1]);
    }

    private String name;

    private HiddenTool() {
        super("");
        throw new UnsupportedOperationException();
    }

    /** Opens the window of a command in front of the others, unless the command has none that a macro can select. */
    static void open(String command) {
        String title = TITLES.get(command);
        if (title == null)
            return;
        Frame open = WindowManager.getFrame(title);
        if (open != null) {
            WindowManager.setWindow(open);
            return;
        }
        try {
            HiddenTool tool = Unmade.make(HiddenTool.class);
            tool.name = title;
            WindowManager.addWindow((Frame) tool);
            WindowManager.setWindow((Frame) tool);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String getTitle() {
        return name;
    }

    @Override
    public void toFront() {
        WindowManager.setWindow((Frame) this);
    }

    @Override
    public void close() {
        WindowManager.removeWindow((Frame) this);
    }

    @Override
    public void setState(int state) {}

    @Override
    public int getState() {
        return Frame.NORMAL;
    }

    @Override
    public void setVisible(boolean visible) {}

    @Override
    public void setLocation(int x, int y) {}

    @Override
    public void setSize(int width, int height) {}

    @Override
    public void dispose() {}
}
