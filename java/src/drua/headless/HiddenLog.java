// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.IJ;
import ij.WindowManager;

/** ImageJ's Log without a display. It opens with the first line; each line also goes to standard output. */
final class HiddenLog extends HiddenTextPanel {
    static final String TITLE = "Log";
    private static final long serialVersionUID = 1;

    /** Creates the Log; the next line opens it. */
    static void install() {
        try {
            Unmade.set(IJ.class, null, "logPanel", make(HiddenLog.class, TITLE));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void open() {
        if (WindowManager.getWindow(TITLE) == null)
            HiddenTextWindow.open(TITLE, this);
    }

    @Override
    public void append(String text) {
        String line = text;
        while (line.endsWith("\n ")) /* spaces that ImageJ appends for the layout of its window */
            line = line.substring(0, line.length() - 1);
        System.out.println(line);
        if (FailedCommand.isTrace(text))
            return;
        open();
        super.append(text);
    }

    @Override
    public void setLine(int index, String text) {
        System.out.println(text);
        super.setLine(index, text);
    }

    @Override
    public synchronized void clear() {
        open();
        super.clear();
    }
}
