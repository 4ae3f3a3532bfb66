// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.Registry;
import drua.imagej.Watch;
import ij.IJ;
import ij.WindowManager;
import java.awt.BorderLayout;
import java.awt.Dimension;
import java.awt.FlowLayout;
import java.awt.Font;
import java.awt.Window;
import java.awt.event.KeyEvent;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.util.Locale;
import javax.swing.BorderFactory;
import javax.swing.JButton;
import javax.swing.JComponent;
import javax.swing.JFrame;
import javax.swing.JPanel;
import javax.swing.JProgressBar;
import javax.swing.JScrollPane;
import javax.swing.JTextArea;
import javax.swing.KeyStroke;

/**
 * The window of Process a Large Image. Plan shows the work in advance, and Start begins it. Stop and Escape keep the
 * finished blocks; a new start with the same entries processes the remaining ones. Call all methods on the event
 * thread; none of them waits.
 */
final class LargeImageWindow extends JFrame implements LargeImageRun.Listener {
    private enum State { ENTERING, PLANNING, PLANNED, RUNNING, STOPPING }

    private static final long serialVersionUID = 1;
    private static final String TITLE = "Process a Large Image";
    private static final int GAP = 8, STEPS = 1000;

    private static LargeImageWindow open;

    private final LargeImageFields fields = new LargeImageFields(this::growToFit);
    private final JTextArea plan = text("plan", 7), status = text("status", 2);
    private final JProgressBar bar = new JProgressBar(0, STEPS);
    private final JButton planning = new JButton("Plan"), start = new JButton("Start"), stop = new JButton("Close"),
                          help = new JButton("Help");
    private transient LargeImageRun run;
    private State state = State.ENTERING;
    private long begun;

    /** Shows the window. */
    static LargeImageWindow open() {
        if (open == null || !open.isDisplayable())
            open = new LargeImageWindow();
        open.setVisible(true);
        open.toFront();
        return open;
    }

    /** Checks again whether a workbench is open. */
    static void refresh() {
        if (open != null && open.isDisplayable())
            open.fields.offer();
    }

    private LargeImageWindow() {
        super(TITLE);
        setDefaultCloseOperation(DO_NOTHING_ON_CLOSE);
        plan.setFont(new Font(Font.MONOSPACED, Font.PLAIN, 12));
        bar.setStringPainted(true);
        bar.setString("");
        JPanel planPanel = new JPanel(new BorderLayout(GAP, GAP)), below = new JPanel(new BorderLayout(GAP, GAP)),
               buttons = new JPanel(new BorderLayout());
        planPanel.add(new JScrollPane(plan));
        planPanel.add(bar, BorderLayout.SOUTH);
        below.add(status);
        below.add(buttons, BorderLayout.SOUTH);
        JPanel right = new JPanel(new FlowLayout(FlowLayout.RIGHT, GAP, 0)),
               all = new JPanel(new BorderLayout(GAP, GAP));
        right.add(stop);
        right.add(planning);
        right.add(start);
        buttons.add(help, BorderLayout.WEST);
        buttons.add(right, BorderLayout.EAST);
        all.setBorder(BorderFactory.createEmptyBorder(GAP, GAP, GAP, GAP));
        all.add(fields, BorderLayout.NORTH);
        all.add(planPanel);
        all.add(below, BorderLayout.SOUTH);
        setContentPane(all);
        planning.addActionListener(event -> plan());
        start.addActionListener(event -> beginRun());
        stop.addActionListener(event -> stop());
        help.addActionListener(event -> Finder.open(Registry.get().operations.get("process_file")));
        getRootPane().setDefaultButton(planning);
        getRootPane().registerKeyboardAction(
            event -> stop(), KeyStroke.getKeyStroke(KeyEvent.VK_ESCAPE, 0), JComponent.WHEN_IN_FOCUSED_WINDOW);
        addWindowListener(new WindowAdapter() {
            @Override
            public void windowOpened(WindowEvent event) {
                place(); /* window managers sometimes ignore the place of a new window */
            }

            @Override
            public void windowClosing(WindowEvent event) {
                dispose();
            }
        });
        start.setEnabled(false);
        keepWidth(stop, "Close", "Back", "Stop");
        pack();
        place();
        WindowManager.addWindow(this);
    }

    /** Puts the window beside ImageJ's own. */
    private void place() {
        Window main = IJ.getInstance();
        if (main == null)
            setLocationByPlatform(true);
        else
            setLocation(FreePlace.beside(main, getSize(), 0, main));
    }

    private static JTextArea text(String name, int rows) {
        JTextArea text = new JTextArea(rows, 0);
        text.setName(name);
        text.setEditable(false);
        text.setOpaque(false);
        text.setLineWrap(true);
        text.setWrapStyleWord(true);
        return text;
    }

    /** Gives a button the width of its longest text, so that the buttons beside it never move. */
    private static void keepWidth(JButton button, String... texts) {
        String now = button.getText();
        Dimension widest = button.getPreferredSize();
        for (String text : texts) {
            button.setText(text);
            widest.width = Math.max(widest.width, button.getPreferredSize().width);
        }
        button.setText(now);
        button.setPreferredSize(widest);
    }

    void chooseOffered() {
        if (state == State.ENTERING)
            fields.chooseOffered();
    }

    /** Closes the window and stops its run. */
    @Override
    public void dispose() {
        if (run != null)
            run.stop();
        WindowManager.removeWindow(this);
        super.dispose();
    }

    private void growToFit() {
        if (fields == null || !isDisplayable())
            return;
        Dimension wanted = getPreferredSize();
        setSize(Math.max(wanted.width, getWidth()), wanted.height);
        setLocation(FreePlace.inside(FreePlace.screen(this), getSize(), getLocation()));
        validate();
    }

    // ---- buttons

    private void beginRun() {
        try {
            fields.begin();
            begun = System.nanoTime();
            fields.remember();
            enter(State.RUNNING);
            showMessage("", false);
            run.begin();
        } catch (EngineException e) {
            showMessage(e.getMessage(), true);
        }
    }

    private void plan() {
        try {
            plan.setText("");
            showMessage("", false);
            String pipeline = fields.pipeline();
            run = new LargeImageRun(
                pipeline, fields.named(pipeline), fields.input(), fields.output(), fields.settings(), this);
            enter(State.PLANNING);
        } catch (EngineException e) {
            showMessage(e.getMessage(), true);
        }
    }

    private void stop() {
        if (state == State.ENTERING) {
            dispose();
        } else if (state != State.STOPPING) {
            enter(State.STOPPING);
            run.stop();
        }
    }

    private void enter(State next) {
        state = next;
        fields.setEnabled(next == State.ENTERING);
        planning.setEnabled(next == State.ENTERING);
        start.setEnabled(next == State.PLANNED);
        stop.setText(next == State.ENTERING ? "Close" : next == State.PLANNED ? "Back" : "Stop");
        stop.setEnabled(next != State.STOPPING);
        bar.setIndeterminate(next == State.PLANNING || next == State.RUNNING);
        bar.setString(activity(next));
        if (next != State.STOPPING)
            bar.setValue(0);
    }

    private static String activity(State state) {
        switch (state) {
        case PLANNING:
            return "planning ...";
        case RUNNING:
            return "starting ...";
        case STOPPING:
            return "stopping: finishing the current blocks ...";
        default:
            return "";
        }
    }

    // ---- reports of the run

    @Override
    public void planned(String text) {
        plan.setText(text.trim() + "\n\nShell command: " + run.shellLine());
        plan.setCaretPosition(0);
        if (state == State.PLANNING)
            enter(State.PLANNED);
        growToFit();
    }

    @Override
    public void progressed(String what, long done, long all, double left) {
        if (state != State.RUNNING && state != State.PLANNING)
            return;
        bar.setIndeterminate(all == 0);
        bar.setValue(all == 0 ? 0 : (int) (STEPS * done / all));
        String rest = left > 0 ? ", " + Watch.time((long) (left * 1e9)) + " left" : "";
        bar.setString(all == 0 ? what + " ..." : String.format(Locale.ROOT, "%s: %d of %d%s", what, done, all, rest));
    }

    @Override
    public void printed(String line) {
        plan.append("\n" + line);
    }

    @Override
    public void ended(String failure) {
        boolean isStopped = state == State.STOPPING, isNew = begun == 0;
        String time = Watch.time(System.nanoTime() - begun);
        LargeImageRun ended = run;
        run = null;
        begun = 0;
        if (isNew)
            fields.withdraw();
        enter(State.ENTERING);
        if (!failure.isEmpty()) {
            showMessage(isStopped && isNew ? "Not started." : failure, !isStopped);
            return;
        }
        bar.setValue(STEPS);
        bar.setString("done in " + time);
        showMessage("Done: " + ended.arguments()[2], false);
        Recording.writeCommand(Registry.get().commands.get("Drua_processFile"), ended.arguments());
        IJ.showStatus(TITLE + ": done in " + time);
    }

    private void showMessage(String text, boolean isFailure) {
        status.setForeground(isFailure ? Tint.FAILURE.on(status.getBackground()) : Tint.plain("Label"));
        status.setText(text);
    }
}
