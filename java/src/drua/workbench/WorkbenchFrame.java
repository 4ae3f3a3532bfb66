// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.FramedPlace;
import drua.dialog.FreePlace;
import drua.dialog.KeptPlace;
import drua.dialog.Keys;
import drua.dialog.LargeImage;
import drua.dialog.Tint;
import drua.engine.EngineException;
import drua.pipeline.Pipeline;
import drua.pipeline.Result;
import drua.pipeline.Session;
import drua.pipeline.Statement;
import drua.pipeline.Step;
import drua.pipeline.Suggestions;
import drua.pipeline.TakenPlanes;
import drua.pipeline.View;
import ij.ImageListener;
import ij.ImagePlus;
import ij.WindowManager;
import ij.measure.ResultsTable;
import java.awt.BorderLayout;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.swing.BorderFactory;
import javax.swing.DefaultListModel;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JPanel;
import javax.swing.JPopupMenu;
import javax.swing.JScrollPane;
import javax.swing.JSplitPane;
import javax.swing.ListSelectionModel;
import javax.swing.Timer;
import javax.swing.ToolTipManager;

/**
 * The workbench window: the steps on the left; on the right the parameters of the selected step and the search for the
 * next one; measurements at the bottom.
 */
final class WorkbenchFrame extends JFrame implements ImageListener {
    private static final long serialVersionUID = 1;
    private static final int LEFT = 300, PARAMETERS = 200, MIN_PARAMETERS = 100, TABLE = 80, TICK_MS = 100;
    private static final String KEY = WorkbenchPlace.KEY;
    private static final double UPPER = 0.62;

    /** The open workbenches; the last one was opened or activated last. */
    private static final List<WorkbenchFrame> open = new ArrayList<>();

    private final transient Session session;
    private final transient ViewWindow view;
    private final transient WorkbenchActions actions;
    private final transient Suggestions suggestions;
    private final AtomicBoolean isRefreshQueued = new AtomicBoolean();
    private final DefaultListModel<Statement> model = new DefaultListModel<>();
    private final JList<Statement> list = new JList<>(model);
    private final transient StepRow rows;
    private final ParameterPanel parameters;
    private final FindPanel find;
    private final TablePanel table;
    private final transient MeasuredLabels labels;
    private final transient SolidViews solids;
    private final JSplitPane split, right, middle;
    private final JLabel status = new JLabel(" ");
    private final TimeBar time;
    private final Timer tick = new Timer(TICK_MS, event -> updateStatus());
    private boolean isSet;
    private int measured;
    /**
     * True if the view shows the labels that were measured in the table. The numbers of other label maps do not match
     * its rows.
     */
    private boolean isLinked;
    /**
     * Position and dividers that the window has chosen; null until the window is open. No view opens before that,
     * because the window would cover it.
     */
    private Rectangle placed;
    private int placedLeft, placedLower;
    private transient FramedPlace place;
    /** The pixel under the mouse, or null. isProbing: its values are being fetched. */
    private transient Point probed;
    private boolean isProbing;
    /** Tells queued events that the window was closed. */
    private boolean isClosed;
    private String failure = "";

    /**
     * Shows the workbench of an image: an open one with this image, else an open one whose first image is missing, else
     * a new one. Without an image, shows the workbench that was used last.
     */
    static void open(ImagePlus image) {
        WorkbenchFrame before =
            image == null && !open.isEmpty() ? open.get(open.size() - 1) : firstFrame(frame -> frame.hasSource(image));
        WorkbenchFrame free = before == null ? firstFrame(WorkbenchFrame::isFree) : null;
        if (free != null && image != null)
            free.guard(() -> free.session.choose(free.session.now().steps(Step.Role.SOURCE).get(0), image));
        boolean isNew = before == null && free == null;
        WorkbenchFrame shown = isNew ? new WorkbenchFrame(image) : before != null ? before : free;
        shown.setVisible(true);
        shown.toFront();
        if (isNew)
            shown.guard(() -> ColourQuestion.ask(shown, shown.session, image));
    }

    private static WorkbenchFrame firstFrame(Predicate<WorkbenchFrame> wanted) {
        return open.stream().filter(wanted).findFirst().orElse(null);
    }

    /** True if the image of its first source is missing. */
    private boolean isFree() {
        return session.firstImage() == null && !session.now().steps(Step.Role.SOURCE).isEmpty();
    }

    private boolean hasSource(ImagePlus image) {
        return session.now().steps(Step.Role.SOURCE).stream().anyMatch(source -> session.image(source) == image);
    }

    private WorkbenchFrame(ImagePlus image) {
        super("Drua Workbench");
        setDefaultCloseOperation(DO_NOTHING_ON_CLOSE);
        session = new Session(image, this::refreshSoon);
        view = new ViewWindow(this, this::clicked, this::popUp, this::probe);
        rows = new StepRow(session);
        parameters = new ParameterPanel(session, this::guard);
        suggestions = new Suggestions(session.live(), this::refreshSoon);
        find = new FindPanel(session, suggestions, this::guard);
        table = new TablePanel(labels -> view.mark(isLinked ? labels : new BitSet()));
        solids = new SolidViews(session, this, this::guard);
        labels = new MeasuredLabels(session, this, this::measuring, solids);
        table.offer(labels, this::guard);
        actions = new WorkbenchActions(this, session, solids, this::guard);
        list.setName("steps");
        list.setSelectionMode(ListSelectionModel.SINGLE_SELECTION);
        list.setCellRenderer(rows);
        list.addListSelectionListener(event -> onStatementSelected());
        new PopUp(this::popUpAtRow).on(list, () -> PopUp.selected(list));
        ToolTipManager.sharedInstance().registerComponent(list);
        right = new JSplitPane(JSplitPane.VERTICAL_SPLIT, parameters, find);
        middle = splitPane();
        split = new JSplitPane(JSplitPane.VERTICAL_SPLIT, middle, table);
        split.setResizeWeight(0.5);
        status.setBorder(BorderFactory.createEmptyBorder(3, 6, 3, 6));
        status.setName("status");
        setJMenuBar(actions.menus(places()));
        add(actions.bar(), BorderLayout.NORTH);
        add(split);
        time = new TimeBar(session);
        JPanel below = new JPanel(new BorderLayout());
        below.add(time, BorderLayout.NORTH);
        below.add(status);
        add(below, BorderLayout.SOUTH);
        addListeners(image);
        setBounds(WorkbenchPlace.of(this, open));
        WindowManager.addWindow(this);
        ImagePlus.addImageListener(this);
        markAsLastUsed();
        tick.start();
        refresh();
    }

    private void addListeners(ImagePlus image) {
        addWindowListener(new WindowAdapter() {
            @Override
            public void windowOpened(WindowEvent event) {
                /* again, because window managers sometimes ignore the place of a new window */
                place = new FramedPlace(WorkbenchFrame.this, () -> place(image), WorkbenchFrame.this::keepPlace);
                placedLeft = middle.getDividerLocation();
                refresh();
                find.takeFocus();
            }

            @Override
            public void windowActivated(WindowEvent event) {
                markAsLastUsed();
            }

            @Override
            public void windowClosing(WindowEvent event) {
                if (actions.mayLeave())
                    dispose();
            }
        });
    }

    private void place(ImagePlus image) {
        setBounds(WorkbenchPlace.of(this, open));
        WorkbenchPlace.makeRoom(this, image);
        placed = getBounds();
    }

    /** Makes this the workbench that was used last. */
    private void markAsLastUsed() {
        open.remove(this);
        open.add(this);
        LargeImage.offer(() -> session.now().macro());
    }

    private JSplitPane splitPane() {
        right.setDividerLocation(PARAMETERS);
        right.setResizeWeight(1); /* when the window gets lower, the parameters shrink, because they can scroll */
        parameters.setMinimumSize(new Dimension(0, MIN_PARAMETERS));
        JPanel left = new JPanel(new BorderLayout());
        left.add(new JScrollPane(list));
        JSplitPane both = new JSplitPane(JSplitPane.HORIZONTAL_SPLIT, left, right);
        int kept = KeptPlace.divider(KEY, FreePlace.screen(this), 0);
        both.setDividerLocation(kept > 0 ? kept : LEFT);
        return both;
    }

    @Override
    public void dispose() {
        keepPlace();
        isClosed = true;
        open.remove(this);
        tick.stop();
        time.close();
        if (open.isEmpty())
            LargeImage.offer(null);
        else
            open.get(open.size() - 1).markAsLastUsed();
        ImagePlus.removeImageListener(this);
        WindowManager.removeWindow(this);
        view.close();
        solids.close();
        suggestions.close();
        session.close();
        super.dispose();
    }

    /** Keeps the place if the user has changed it. Otherwise the next window is placed beside ImageJ's window. */
    private void keepPlace() {
        int left = middle.getDividerLocation(), lower = table.isVisible() ? split.getDividerLocation() : 0;
        if (placed == null || isClosed || !place.isSettled()
            || getBounds().equals(placed) && left == placedLeft && lower == placedLower)
            return;
        Rectangle screen = FreePlace.screen(this);
        int before = KeptPlace.divider(KEY, screen, 1);
        KeptPlace.keep(KEY, screen, getBounds(), left, lower > 0 && lower != placedLower ? lower : before);
    }

    /** Runs a change that the user made. If it fails, the window shows the error and nothing changes. */
    private void guard(Runnable change) {
        try {
            failure = "";
            change.run();
        } catch (EngineException e) {
            failure = e.getMessage();
        }
        refresh();
    }

    /** Requests a refresh from any thread; several requests are merged. */
    private void refreshSoon() {
        if (isRefreshQueued.compareAndSet(false, true))
            EventQueue.invokeLater(() -> {
                isRefreshQueued.set(false);
                refresh();
            });
    }

    private void refresh() {
        if (view == null || actions == null || isClosed)
            return;
        Pipeline now = session.now();
        List<Statement> wanted = now.statements().stream().filter(WorkbenchFrame::isRow).collect(Collectors.toList());
        rows.branches(new Branches(now, wanted));
        isSet = true;
        Statement before = list.getSelectedValue();
        fill(wanted);
        Step viewed = session.viewed();
        if (!(before instanceof Statement.Text) || before != list.getSelectedValue())
            list.setSelectedIndex(viewed == null ? -1 : index(wanted, viewed));
        isSet = false;
        list.repaint();
        if (list.getSelectedValue() instanceof Statement.Text)
            parameters.text(list.getSelectedValue());
        else
            parameters.show(viewed);
        find.update();
        showResults(viewed);
        solids.update();
        actions.update();
        ImagePlus image = session.firstImage();
        setTitle("Drua Workbench" + (image == null ? "" : ": " + image.getTitle())
            + (actions.file().isEmpty() ? "" : " - " + actions.file()) + (session.isSaved() ? "" : " *"));
        showStatus();
    }

    private void fill(List<Statement> wanted) {
        List<Statement> listed = new ArrayList<>(Collections.list(model.elements()));
        for (int i = 0; i < wanted.size(); i++) {
            if (i >= listed.size())
                model.addElement(wanted.get(i));
            else if (listed.get(i) != wanted.get(i))
                model.set(i, wanted.get(i));
        }
        while (model.size() > wanted.size())
            model.remove(model.size() - 1);
    }

    private static int index(List<Statement> rows, Step step) {
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i) instanceof Step && ((Step) rows.get(i)).id == step.id)
                return i;
        }
        return -1;
    }

    /** True for steps, and for text other than the standard beginning of a macro. */
    private static boolean isRow(Statement statement) {
        return statement instanceof Step
            ? ((Step) statement).isSeen()
            : !TakenPlanes.withoutLines(statement.source())
                   .replaceAll(
                       "(?m)^\\s*run\\(\"\\w+ Macro Extensions\".*$|^\\s*\\w+ = (getTitle\\(\\)|\".*\");\\s*$", "")
                   .trim()
                   .isEmpty();
    }

    private void showResults(Step viewed) {
        View now = session.live().view();
        if (tableOf(viewed) != null)
            measured = viewed.id;
        Step measures = measuring();
        ResultsTable rows = tableOf(measures);
        boolean hadTable = table.isVisible();
        link(viewed != null && (viewed == measures || labels.isMaker(viewed)));
        table.show(rows);
        table.setVisible(rows != null);
        if (table.isVisible() && !hadTable) {
            int min = find.getMinimumSize().height + MIN_PARAMETERS + split.getDividerSize();
            int kept = KeptPlace.divider(KEY, FreePlace.screen(this), 1),
                wanted = kept > 0 ? kept : (int) (UPPER * split.getHeight());
            split.setDividerLocation(Math.max(min, Math.min(wanted, split.getHeight() - TABLE)));
            placedLower = split.getDividerLocation();
            validate(); /* otherwise, the parameters would shrink below their minimum */
            right.setDividerLocation(right.getHeight() - find.getMinimumSize().height - right.getDividerSize());
        }
        if (now == null || viewed == null || now.step != viewed.id || placed == null)
            return;
        view.show(scene(now, viewed));
    }

    private void link(boolean isShown) {
        if (isShown == isLinked)
            return;
        isLinked = isShown;
        view.mark(isShown ? table.chosen() : new BitSet());
    }

    /** The measuring step that was selected last: its table stays while the user adjusts other steps. */
    private Step measuring() {
        return session.now().step(measured);
    }

    private ResultsTable tableOf(Step step) {
        Result result = step == null ? null : session.live().result(step.id);
        return result == null ? null : result.table;
    }

    private ViewWindow.Scene scene(View now, Step viewed) {
        ViewWindow.Scene scene = new ViewWindow.Scene();
        View other = session.live().compared();
        Step compared = session.compared();
        scene.view = now;
        scene.title = StepRow.name(session, viewed);
        scene.source = session.now()
                           .steps(Step.Role.SOURCE)
                           .stream()
                           .map(session::image)
                           .filter(i -> i != null)
                           .findFirst()
                           .orElse(null);
        scene.outlines = actions.outlines();
        if (compared == null || other == null || other.step != compared.id)
            return scene;
        scene.other = other;
        scene.otherTitle = StepRow.name(session, compared);
        scene.comparison = actions.comparison();
        return scene;
    }

    private void updateStatus() {
        time.update();
        showStatus();
    }

    private void showStatus() {
        Step viewed = session.viewed();
        Result result = viewed == null ? null : session.live().result(viewed.id);
        String trouble = !failure.isEmpty() ? failure : session.live().trouble();
        if (trouble.isEmpty() && result != null && viewed.on)
            trouble = result.failure;
        status.setForeground(trouble.isEmpty() ? Tint.plain("Label") : Tint.FAILURE.on(status.getBackground()));
        String text = trouble.isEmpty() ? session.live().doing() : trouble;
        status.setText(text.isEmpty() ? " " : text);
        status.setToolTipText(text);
    }

    private void onStatementSelected() {
        Statement chosen = list.getSelectedValue();
        if (isSet || chosen == null)
            return;
        if (chosen instanceof Step)
            guard(() -> session.view((Step) chosen));
        else
            refresh();
    }

    /** Selects the step at the mouse and opens its menu. */
    private void popUpAtRow(Component on, Point at) {
        int row = list.locationToIndex(at);
        if (row < 0 || !list.getCellBounds(row, row).contains(at) || !(model.get(row) instanceof Step))
            return;
        list.setSelectedIndex(row);
        popUp(on, at);
    }

    /** The parts of the window, each with the action that gives it the keyboard. */
    private Map<String, Runnable> places() {
        Map<String, Runnable> places = new LinkedHashMap<>();
        places.put("Steps", list::requestFocusInWindow);
        places.put("Parameters", () -> focus(Keys.first(parameters)));
        places.put("Next step", find::takeFocus);
        places.put("Table", table::takeFocus);
        places.put("Histogram", () -> focus(table.plots()[0]));
        places.put("Scatter plot", () -> focus(table.plots()[1]));
        places.put("View", view::takeFocus);
        return places;
    }

    private static void focus(Component part) {
        if (part != null)
            part.requestFocusInWindow();
    }

    /** Opens the menu of the selected step: on a component, or in the list of steps if that is null. */
    private void popUp(Component on, Point at) {
        if (session.viewed() == null)
            return;
        if (on == null) {
            toFront();
            list.requestFocusInWindow();
            list.ensureIndexIsVisible(list.getSelectedIndex());
            popUp(list, PopUp.selected(list));
            return;
        }
        JPopupMenu popup = actions.popup();
        popup.setName("step menu");
        popup.addSeparator();
        find.addNextSteps(popup);
        Keys.mnemonics(popup);
        popup.setLightWeightPopupEnabled(false); /* a view's canvas would paint over it */
        popup.show(on, at.x, at.y);
    }

    /** Shows a pixel of all steps; null for none. While values are fetched, only the last pixel counts. */
    private void probe(Point at) {
        probed = at;
        if (at == null)
            showValues(Collections.emptyMap());
        if (at == null || isProbing)
            return;
        isProbing = true;
        session.live().probe(at.x, at.y, values -> EventQueue.invokeLater(() -> {
            isProbing = false;
            if (probed != null)
                showValues(values);
            if (probed != null && !probed.equals(at))
                probe(probed);
        }));
    }

    private void showValues(Map<Integer, Float> values) {
        rows.values(values);
        list.repaint();
    }

    private void clicked(int label, boolean more) {
        if (table.isVisible() && isLinked) {
            table.choose(label, more);
            return;
        }
        BitSet alone = new BitSet();
        if (label > 0)
            alone.set(label);
        view.mark(alone);
    }

    @Override
    public void imageOpened(ImagePlus image) {
        EventQueue.invokeLater(() -> {
            if (isClosed)
                return;
            session.opened(image);
            refresh();
        });
    }

    @Override
    public void imageClosed(ImagePlus image) {
        refreshSoon();
    }

    @Override
    public void imageUpdated(ImagePlus image) {
        /* ignored: the live run checks the images itself */
    }
}
