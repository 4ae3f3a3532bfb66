// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Finder;
import drua.dialog.Keys;
import drua.dialog.Search;
import drua.dialog.Typing;
import drua.engine.Registry;
import drua.pipeline.Catalogue;
import drua.pipeline.ImageKinds;
import drua.pipeline.Kinds;
import drua.pipeline.Pictures;
import drua.pipeline.Result;
import drua.pipeline.Session;
import drua.pipeline.Step;
import drua.pipeline.Suggestion;
import drua.pipeline.Suggestions;
import java.awt.BorderLayout;
import java.awt.Color;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.Graphics;
import java.awt.GridLayout;
import java.awt.Point;
import java.awt.event.KeyAdapter;
import java.awt.event.KeyEvent;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.swing.BorderFactory;
import javax.swing.DefaultListCellRenderer;
import javax.swing.DefaultListModel;
import javax.swing.Icon;
import javax.swing.JButton;
import javax.swing.JCheckBoxMenuItem;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JMenu;
import javax.swing.JMenuItem;
import javax.swing.JPanel;
import javax.swing.JPopupMenu;
import javax.swing.JScrollPane;
import javax.swing.JTextField;
import javax.swing.ListSelectionModel;

/**
 * Searches for the next operation by its name, its CLIJ2 names or its summary. Without a search text, the panel lists
 * operations that fit the selected image.
 */
final class FindPanel extends JPanel implements Typing {
    private static final long serialVersionUID = 1;
    private static final int LIMIT = 60, MIN_ROWS = 4, IN_MENU = 8, BORDER = 4;

    private final transient Session session;
    private final transient Consumer<Runnable> guard;
    private final transient Search search = new Search(Registry.get());
    private final transient Liked liked = new Liked();
    private final transient Set<Registry.Operation> possible = Catalogue.get().operations();
    private final JTextField typed = new JTextField();
    private final DefaultListModel<Registry.Operation> model = new DefaultListModel<>();
    private final JList<Registry.Operation> list = new JList<>(model);
    private final JLabel above = new JLabel();
    private final transient Suggestions suggestions;
    private transient Registry.Command typedCommand;
    private Kinds.Kind kind;
    private boolean isPlane;
    /** The operations of the pipeline when the list was filled. */
    private transient Set<Registry.Operation> offeredBeside;

    /** @param suggestions provides preview pictures of the operations */
    FindPanel(Session session, Suggestions suggestions, Consumer<Runnable> guard) {
        super(new BorderLayout(4, 4));
        this.session = session;
        this.suggestions = suggestions;
        this.guard = guard;
        setBorder(BorderFactory.createEmptyBorder(6, 6, 6, 6));
        typed.setName("find");
        typed.setToolTipText("Search for an operation by its name, its CLIJ2 name or words of its description");
        typed.getDocument().addDocumentListener(this);
        list.setName("found");
        list.setSelectionMode(ListSelectionModel.SINGLE_SELECTION);
        list.setCellRenderer(new Titled());
        list.setFixedCellHeight(Pictures.SMALL + 4);
        list.setFixedCellWidth(Pictures.SMALL);
        KeyAdapter keys = new KeyAdapter() {
            @Override
            public void keyPressed(KeyEvent event) {
                if (event.getKeyCode() == KeyEvent.VK_ENTER)
                    add(false);
                else if (event.getSource() == typed && event.getKeyCode() == KeyEvent.VK_DOWN)
                    list.requestFocusInWindow();
            }
        };
        typed.addKeyListener(keys);
        list.addKeyListener(keys);
        list.addMouseListener(new MouseAdapter() {
            @Override
            public void mouseClicked(MouseEvent event) {
                if (event.getClickCount() == 2)
                    add(false);
            }
        });
        new PopUp((on, at) -> popUp(at)).on(list, () -> PopUp.selected(list));
        JPanel top = new JPanel(new BorderLayout(4, 2)), buttons = new JPanel(new GridLayout(1, 4, 4, 0));
        JLabel next = new JLabel("Next step");
        next.setDisplayedMnemonic(KeyEvent.VK_N);
        next.setLabelFor(typed);
        top.add(next, BorderLayout.WEST);
        top.add(typed);
        top.add(above, BorderLayout.SOUTH);
        buttons.add(button("Add", KeyEvent.VK_A,
            "Add after the selected step, as a branch if other steps already read its result", () -> add(false)));
        buttons.add(button("Insert", KeyEvent.VK_I,
            "Insert between the selected step and the steps that read its image", () -> add(true)));
        buttons.add(button("Replace", KeyEvent.VK_R, "Replace the selected step", this::replace));
        buttons.add(button("Help", KeyEvent.VK_H, "Open the help page of the operation", () -> {
            if (list.getSelectedValue() != null)
                Finder.open(list.getSelectedValue());
        }));
        add(top, BorderLayout.NORTH);
        JScrollPane scroll = new JScrollPane(list);
        scroll.getViewport().addChangeListener(event -> suggest());
        scroll.setMinimumSize(new Dimension(Pictures.SMALL, MIN_ROWS * list.getFixedCellHeight() + BORDER));
        add(scroll);
        add(buttons, BorderLayout.SOUTH);
    }

    /** Gives the keyboard focus to the search field. */
    void takeFocus() {
        typed.requestFocusInWindow();
    }

    private static JButton button(String label, int key, String tip, Runnable action) {
        JButton button = new JButton(label);
        button.setMnemonic(key);
        button.setToolTipText(tip);
        button.addActionListener(event -> action.run());
        return button;
    }

    /** Call when another step is selected. */
    void update() {
        Step step = session.viewed();
        Kinds.Kind now = step == null ? Kinds.Kind.GREY : ImageKinds.ofStep(session.now(), step);
        Result result = step == null ? null : session.live().result(step.id);
        boolean plane = result == null || result.info == null ? isPlane : result.info[2] == 1;
        if (now != kind || plane != isPlane || !operationsOfPipeline().equals(offeredBeside)) {
            kind = now;
            isPlane = plane;
            offeredBeside = operationsOfPipeline();
            fill();
        }
        suggest();
    }

    /** Requests pictures of the visible operations. */
    private void suggest() {
        Step step = session.viewed();
        int first = list.getFirstVisibleIndex(), last = list.getLastVisibleIndex();
        List<Registry.Command> commands = new ArrayList<>();
        for (int i = Math.max(0, first); i <= last && i < model.size(); i++) {
            if (command(model.get(i)) != null)
                commands.add(command(model.get(i)));
        }
        if (step != null && !commands.isEmpty())
            suggestions.want(session.now(), step, commands);
        list.repaint();
    }

    private void fill() {
        String text = typed.getText().trim();
        List<Registry.Operation> found = text.isEmpty()
            ? suggestedOperations()
            : search.ranked(text).stream().filter(possible::contains).collect(Collectors.toList());
        typedCommand = Catalogue.get().named(text, session.now().prefix());
        model.clear();
        found.stream().limit(LIMIT).forEach(model::addElement);
        above.setText(
            text.isEmpty() ? "operations for " + pluralOf(kind) + ", most used first" : found.size() + " found");
        if (!model.isEmpty())
            list.setSelectedIndex(0);
        list.ensureIndexIsVisible(0);
    }

    /** Operations that fit the selected image. */
    private List<Registry.Operation> suggestedOperations() {
        return liked.first(Catalogue.get().suggestions(kind, isPlane), operationsOfPipeline());
    }

    private Set<Registry.Operation> operationsOfPipeline() {
        return session.now().seen().stream().map(step -> step.command.operation).collect(Collectors.toSet());
    }

    private static String pluralOf(Kinds.Kind kind) {
        switch (kind) {
        case LABELS:
            return "label maps";
        case MASK:
            return "masks";
        case NUMBERS:
            return "vectors and matrices";
        default:
            return "grey images";
        }
    }

    private void add(boolean between) {
        Registry.Operation chosen = list.getSelectedValue();
        if (chosen == null)
            return;
        guard.accept(() -> {
            session.add(chosen, command(chosen), between);
            liked.used(chosen);
            typed.setText("");
        });
    }

    /** The command whose name was typed, else the operation's first command. */
    private Registry.Command command(Registry.Operation chosen) {
        return typedCommand != null && typedCommand.operation == chosen
            ? typedCommand
            : Catalogue.get().command(chosen, session.now().prefix());
    }

    /** Adds entries for the first suggested operations, with their pictures. */
    void addNextSteps(JPopupMenu popup) {
        List<Registry.Operation> next = suggestedOperations();
        JMenu menu = new JMenu("Next step");
        for (Registry.Operation operation : next.subList(0, Math.min(IN_MENU, next.size()))) {
            Registry.Command command = Catalogue.get().command(operation, session.now().prefix());
            Suggestion suggestion = suggestions.get(session.now(), session.viewed(), command);
            JMenuItem entry = new JMenuItem(operation.title(),
                new Picture(TablePicture.or(suggestion == null ? null : suggestion.picture, operation)));
            entry.setToolTipText(operation.summary);
            entry.addActionListener(event -> guard.accept(() -> {
                session.add(operation, command, false);
                liked.used(operation);
            }));
            menu.add(entry);
        }
        popup.add(menu);
    }

    /** Offers to mark the operation at the mouse as a favourite. */
    private void popUp(Point at) {
        int row = list.locationToIndex(at);
        if (row < 0 || !list.getCellBounds(row, row).contains(at))
            return;
        list.setSelectedIndex(row);
        Registry.Operation operation = model.get(row);
        JPopupMenu popup = new JPopupMenu();
        popup.setName("suggestion menu");
        JCheckBoxMenuItem favourite = new JCheckBoxMenuItem("Favourite", liked.isFavourite(operation));
        favourite.addActionListener(event -> {
            liked.mark(operation, favourite.isSelected());
            fill();
            suggest();
        });
        popup.add(favourite);
        popup.addSeparator();
        popup.add("Add").addActionListener(event -> add(false));
        popup.add("Insert").addActionListener(event -> add(true));
        popup.add("Replace").addActionListener(event -> replace());
        popup.add("Help").addActionListener(event -> Finder.open(operation));
        Keys.mnemonics(popup);
        popup.show(list, at.x, at.y);
    }

    private void replace() {
        Registry.Operation chosen = list.getSelectedValue();
        if (chosen != null)
            guard.accept(() -> session.replace(chosen, command(chosen)));
    }

    @Override
    public void typed() {
        fill();
    }

    private Suggestion suggestion(Registry.Operation operation) {
        Step step = session.viewed();
        Registry.Command command = step == null ? null : command(operation);
        return command == null ? null : suggestions.get(session.now(), step, command);
    }

    /** Shows operations with their title and a preview picture; the summary is the tool tip. */
    private final class Titled extends DefaultListCellRenderer {
        private static final long serialVersionUID = 1;

        @Override
        public Component getListCellRendererComponent(
            JList<?> of, Object value, int index, boolean isSelected, boolean hasFocus) {
            Registry.Operation operation = (Registry.Operation) value;
            boolean isFavourite = liked.isFavourite(operation);
            String about = isFavourite      ? "favourite"
                : liked.isRecent(operation) ? "recent"
                                            : operation.category.toLowerCase(Locale.ROOT);
            super.getListCellRendererComponent(
                of, operation.title() + "   (" + about + ")", index, isSelected, hasFocus);
            Suggestion suggestion = suggestion(operation);
            setIcon(new Picture(TablePicture.or(suggestion == null ? null : suggestion.picture, operation)));
            setIconTextGap(8);
            setToolTipText(operation.summary
                + (suggestion == null || suggestion.sentence.isEmpty() ? "" : " - " + suggestion.sentence));
            return this;
        }
    }

    /** Reserves the same space for all pictures. */
    private static final class Picture implements Icon {
        private final BufferedImage picture;

        Picture(BufferedImage picture) {
            this.picture = picture;
        }

        @Override
        public void paintIcon(Component on, Graphics graphics, int x, int y) {
            if (picture == null)
                return;
            int left = x + (Pictures.SMALL - picture.getWidth()) / 2,
                top = y + (Pictures.SMALL - picture.getHeight()) / 2;
            graphics.drawImage(picture, left, top, null);
            graphics.setColor(Color.LIGHT_GRAY); /* a frame makes white pictures visible on the white background */
            graphics.drawRect(left, top, picture.getWidth() - 1, picture.getHeight() - 1);
        }

        @Override
        public int getIconWidth() {
            return Pictures.SMALL;
        }

        @Override
        public int getIconHeight() {
            return Pictures.SMALL;
        }
    }
}
