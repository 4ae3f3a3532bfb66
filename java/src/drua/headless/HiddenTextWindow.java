// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.WindowManager;
import ij.text.TextPanel;
import ij.text.TextWindow;
import java.awt.CheckboxMenuItem;
import java.awt.Frame;

/** A table, the Log or another text window of ImageJ without a display. */
final class HiddenTextWindow extends TextWindow {
    private static final long serialVersionUID = 1;

    private String name;

    private HiddenTextWindow() {
        super("", "", 0, 0);
        throw new UnsupportedOperationException();
    }

    /** Opens a window in front of the others, with the panel of an earlier window or a new one. */
    static HiddenTextWindow open(String title, HiddenTextPanel panel) {
        try {
            HiddenTextWindow window = Unmade.make(HiddenTextWindow.class);
            window.name = title;
            Unmade.set(TextWindow.class, window, "textPanel", panel);
            Unmade.set(TextWindow.class, window, "monospacedButton", Unmade.make(CheckboxMenuItem.class));
            Unmade.set(TextWindow.class, window, "antialiasedButton", Unmade.make(CheckboxMenuItem.class));
            panel.setWindow(window);
            WindowManager.addWindow((Frame) window);
            WindowManager.setWindow((Frame) window);
            return window;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void rename(String title) {
        if (name.equals(HiddenWindows.RESULTS))
            HiddenWindows.forgetResults();
        if (title.equals(HiddenWindows.RESULTS)) {
            WindowManager.removeWindow((Frame) this);
            getResultsTable().show(HiddenWindows.RESULTS);
        } else {
            setTitle(title);
            getTextPanel().setTitle(title);
            getResultsTable().show(title);
        }
    }

    @Override
    public void close(boolean showDialog) {
        TextPanel panel = getTextPanel();
        super.close(showDialog);
        if (panel instanceof HiddenLog)
            HiddenLog.install();
    }

    @Override
    public String getTitle() {
        return name;
    }

    @Override
    public void setTitle(String title) {
        name = title;
    }

    @Override
    public void toFront() {
        WindowManager.setWindow((Frame) this);
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
