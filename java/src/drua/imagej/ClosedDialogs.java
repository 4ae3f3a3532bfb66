// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.gui.MultiLineLabel;
import java.awt.AWTEvent;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.EventQueue;
import java.awt.GraphicsEnvironment;
import java.awt.Label;
import java.awt.TextComponent;
import java.awt.Toolkit;
import java.awt.event.AWTEventListener;
import java.awt.event.WindowEvent;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.swing.JLabel;
import javax.swing.text.JTextComponent;

/**
 * Closes each modal dialog that a thread opens, and keeps the text of the last one. If a thread has several watches,
 * the one that began last acts.
 */
final class ClosedDialogs implements AutoCloseable, AWTEventListener {
    private static final List<ClosedDialogs> WATCHES = new CopyOnWriteArrayList<>();

    private final Thread thread;
    private final Runnable before;
    private volatile String text = "";

    private ClosedDialogs(Thread thread, Runnable before) {
        this.thread = thread;
        this.before = before;
    }

    /** @param before runs before a dialog is closed, while the thread waits for it */
    static ClosedDialogs watch(Thread thread, Runnable before) {
        ClosedDialogs dialogs = new ClosedDialogs(thread, before);
        WATCHES.add(dialogs);
        if (!GraphicsEnvironment.isHeadless())
            Toolkit.getDefaultToolkit().addAWTEventListener(dialogs, AWTEvent.WINDOW_EVENT_MASK);
        return dialogs;
    }

    /** The text of the last closed dialog, or "". */
    String text() {
        return text;
    }

    @Override
    public void close() {
        WATCHES.remove(this);
        if (!GraphicsEnvironment.isHeadless())
            Toolkit.getDefaultToolkit().removeAWTEventListener(this);
    }

    @Override
    public void eventDispatched(AWTEvent event) {
        Object source = event.getSource();
        if (event.getID() != WindowEvent.WINDOW_OPENED || !(source instanceof Dialog) || !((Dialog) source).isModal()
            || !isWaiting() || !isInnermost())
            return;
        Dialog dialog = (Dialog) source;
        text = text((Container) dialog);
        before.run();
        EventQueue.invokeLater(() -> dialog.dispatchEvent(new WindowEvent(dialog, WindowEvent.WINDOW_CLOSING)));
    }

    /** Whether the thread waits for a dialog: one that it opened, or one that it lets the event thread open. */
    private boolean isWaiting() {
        return Arrays.stream(thread.getStackTrace())
            .anyMatch(call
                -> call.getClassName().equals("java.awt.Dialog") && call.getMethodName().equals("show")
                    || call.getClassName().equals("java.awt.EventQueue")
                        && call.getMethodName().equals("invokeAndWait"));
    }

    private boolean isInnermost() {
        return WATCHES.stream().filter(watch -> watch.thread == thread).reduce((first, next) -> next).orElse(null)
            == this;
    }

    private static String text(Container in) {
        StringBuilder all = new StringBuilder();
        for (Component part : in.getComponents()) {
            String own = text(part);
            all.append(own == null || own.isEmpty() ? "" : own + "\n");
        }
        return all.toString().trim();
    }

    private static String text(Component part) {
        if (part instanceof MultiLineLabel)
            return lines((MultiLineLabel) part);
        if (part instanceof Label)
            return ((Label) part).getText();
        if (part instanceof JLabel)
            return ((JLabel) part).getText();
        if (part instanceof TextComponent)
            return ((TextComponent) part).getText();
        if (part instanceof JTextComponent)
            return ((JTextComponent) part).getText();
        return part instanceof Container ? text((Container) part) : "";
    }

    /** ImageJ's labels have no getter for their text. */
    private static String lines(MultiLineLabel label) {
        try {
            Field lines = MultiLineLabel.class.getDeclaredField("lines");
            lines.setAccessible(true);
            return String.join("\n", (String[]) lines.get(label));
        } catch (ReflectiveOperationException e) {
            return "";
        }
    }
}
