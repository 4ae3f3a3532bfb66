// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Registry;
import ij.IJ;
import ij.WindowManager;
import ij.plugin.PlugIn;
import java.awt.BorderLayout;
import java.awt.Component;
import java.awt.EventQueue;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.KeyAdapter;
import java.awt.event.KeyEvent;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.Map;
import javax.swing.BorderFactory;
import javax.swing.JButton;
import javax.swing.JEditorPane;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JScrollPane;
import javax.swing.JSplitPane;
import javax.swing.JTextField;
import javax.swing.JTree;
import javax.swing.event.HyperlinkEvent;
import javax.swing.text.html.HTMLEditorKit;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.swing.tree.DefaultTreeCellRenderer;
import javax.swing.tree.DefaultTreeModel;
import javax.swing.tree.TreePath;

/**
 * The window that finds operations. On the left are a search field and the operations by category; on the right is the
 * page of the selected operation with its picture. Enter or a double click opens the operation's dialog. Drua
 * Operation..., Drua Help and the Help buttons of dialogs open this window.
 */
public final class Finder extends JFrame implements Typing {
    private static final long serialVersionUID = 1;
    private static final int WIDTH = 980, HEIGHT = 680, LEFT = 300;

    private static Finder window;

    private final transient Search search = new Search(Registry.get());
    private final JTextField typed = new JTextField();
    private final DefaultMutableTreeNode root = new DefaultMutableTreeNode();
    private final DefaultTreeModel model = new DefaultTreeModel(root);
    private final JTree tree = new JTree(model);
    private final JEditorPane page = new JEditorPane();
    private final JButton open = new JButton("Open dialog"), insert = new JButton("Insert into macro");
    private final JLabel count = new JLabel();

    /** Shows the window with the page of an operation; null selects the search field. Callable from any thread. */
    public static void open(Registry.Operation operation) {
        EventQueue.invokeLater(() -> {
            if (window == null || !window.isDisplayable())
                window = new Finder();
            window.setVisible(true);
            window.toFront();
            if (operation != null)
                window.showOperation(operation);
            else
                window.typed.requestFocusInWindow();
        });
    }

    /** Introduces Drua in a window that is shown once and opens this one. */
    public static void introduce() {
        Welcome.once(() -> open(null));
    }

    private Finder() {
        super("Drua Operations");
        setDefaultCloseOperation(DISPOSE_ON_CLOSE);
        tree.setRootVisible(false);
        tree.setShowsRootHandles(true);
        tree.setCellRenderer(new Titled());
        tree.addTreeSelectionListener(event -> show(selected()));
        tree.addMouseListener(new MouseAdapter() {
            @Override
            public void mouseClicked(MouseEvent event) {
                if (event.getClickCount() == 2)
                    openDialog();
            }
        });
        KeyAdapter keys = new KeyAdapter() {
            @Override
            public void keyPressed(KeyEvent event) {
                if (event.getKeyCode() == KeyEvent.VK_ENTER)
                    openDialog();
                else if (event.getSource() == typed && event.getKeyCode() == KeyEvent.VK_DOWN)
                    tree.requestFocusInWindow();
            }
        };
        tree.addKeyListener(keys);
        typed.addKeyListener(keys);
        typed.getDocument().addDocumentListener(this);
        page.setEditable(false);
        page.setEditorKit(editorKit());
        page.addHyperlinkListener(event -> {
            if (event.getEventType() == HyperlinkEvent.EventType.ACTIVATED)
                showOperation(Registry.get().operations.get(Pages.target(event.getDescription())));
        });
        open.addActionListener((ActionEvent event) -> openDialog());
        insert.addActionListener((ActionEvent event) -> MacroLine.insert(selected()));
        insert.setToolTipText(
            "Inserts the call into the macro in ImageJ's editor, or copies it to the clipboard if no editor is open");
        add(split());
        insert.setEnabled(false);
        fill();
        page.setText(Welcome.page());
        page.setCaretPosition(0);
        place();
        WindowManager.addWindow(this);
    }

    /** In the middle of the screen, below ImageJ's own window if there is room. */
    private void place() {
        Window main = IJ.getInstance();
        Rectangle screen = FreePlace.screen(main == null ? this : main);
        int top = main == null ? screen.y : main.getY() + main.getHeight(), room = screen.y + screen.height - top;
        boolean isBelow = room >= HEIGHT / 2;
        setSize(Math.min(WIDTH, screen.width), Math.min(HEIGHT, isBelow ? room : screen.height));
        setLocation(FreePlace.inside(
            screen, getSize(), new Point(screen.x + (screen.width - getWidth()) / 2, isBelow ? top : screen.y)));
    }

    @Override
    public void dispose() {
        WindowManager.removeWindow(this);
        super.dispose();
    }

    private JSplitPane split() {
        JPanel left = new JPanel(new BorderLayout(4, 4)), top = new JPanel(new BorderLayout(4, 4)),
               bottom = new JPanel(new BorderLayout(4, 4));
        JLabel label = new JLabel("Search");
        label.setDisplayedMnemonic('S');
        label.setLabelFor(typed);
        open.setMnemonic('O');
        insert.setMnemonic('I');
        top.add(label, BorderLayout.WEST);
        top.add(typed);
        bottom.add(count, BorderLayout.NORTH);
        bottom.add(insert, BorderLayout.WEST);
        bottom.add(open, BorderLayout.EAST);
        left.setBorder(BorderFactory.createEmptyBorder(4, 4, 4, 4));
        left.add(top, BorderLayout.NORTH);
        left.add(new JScrollPane(tree));
        left.add(bottom, BorderLayout.SOUTH);
        JSplitPane split = new JSplitPane(JSplitPane.HORIZONTAL_SPLIT, left, new JScrollPane(page));
        split.setDividerLocation(LEFT);
        return split;
    }

    private static HTMLEditorKit editorKit() {
        HTMLEditorKit kit = new HTMLEditorKit();
        for (String rule :
            new String[] {"body {font-family: sans-serif; font-size: 11pt; margin: 8px}", "h1 {font-size: 16pt}",
                "h2 {font-size: 12pt}", "pre {font-family: monospace; font-size: 10pt; background-color: #f2f2f2}",
                "code {font-family: monospace}", "td {padding: 2px 6px}", "th {padding: 2px 6px; text-align: left}"})
            kit.getStyleSheet().addRule(rule);
        return kit;
    }

    /** Lists the operations that match the search and selects the best one. */
    private void fill() {
        String text = typed.getText();
        Map<String, List<Registry.Operation>> found = search.find(text);
        root.removeAllChildren();
        int operations = 0;
        for (Map.Entry<String, List<Registry.Operation>> category : found.entrySet()) {
            String name = category.getKey();
            DefaultMutableTreeNode node =
                new DefaultMutableTreeNode(Character.toUpperCase(name.charAt(0)) + name.substring(1));
            category.getValue().forEach(operation -> node.add(new DefaultMutableTreeNode(operation)));
            root.add(node);
            operations += category.getValue().size();
        }
        model.reload();
        count.setText(operations + (operations == 1 ? " operation" : " operations"));
        if (text.trim().isEmpty())
            return;
        for (int row = 0; row < tree.getRowCount(); row++)
            tree.expandRow(row);
        if (operations > 0)
            tree.setSelectionRow(1);
        tree.scrollRowToVisible(0);
    }

    private Registry.Operation selected() {
        TreePath path = tree.getSelectionPath();
        Object chosen = path == null ? null : ((DefaultMutableTreeNode) path.getLastPathComponent()).getUserObject();
        return chosen instanceof Registry.Operation ? (Registry.Operation) chosen : null;
    }

    private void show(Registry.Operation operation) {
        open.setEnabled(operation != null && dialog(operation) != null);
        insert.setEnabled(operation != null && !MacroLine.of(operation).isEmpty());
        if (operation == null)
            return;
        URL url = Pages.of(operation);
        try {
            if (url != null)
                page.setPage(url);
            else
                page.setText(Pages.made(operation));
        } catch (IOException e) {
            page.setText(Pages.made(operation));
        }
        page.setCaretPosition(0);
    }

    /** Clears the search and selects an operation in the full list. */
    private void showOperation(Registry.Operation operation) {
        if (operation == null)
            return;
        if (!typed.getText().isEmpty())
            typed.setText("");
        for (int c = 0; c < root.getChildCount(); c++) {
            for (int i = 0; i < root.getChildAt(c).getChildCount(); i++) {
                DefaultMutableTreeNode node = (DefaultMutableTreeNode) root.getChildAt(c).getChildAt(i);
                if (node.getUserObject() != operation)
                    continue;
                TreePath path = new TreePath(node.getPath());
                tree.setSelectionPath(path);
                tree.scrollPathToVisible(path);
            }
        }
    }

    private void openDialog() {
        Registry.Operation operation = selected();
        PlugIn dialog = operation == null ? null : dialog(operation);
        if (dialog == null)
            IJ.beep();
        else
            new Thread(() -> dialog.run(operation.name), "Run$_" + operation.title()).start();
    }

    /** The plugin that asks for an operation's parameters, or null. */
    private static PlugIn dialog(Registry.Operation operation) {
        return OperationDialog.hasDialog(operation)   ? new OperationDialog()
            : operation.name.equals("microscope_psf") ? new PointSpreadDialog()
                                                      : null;
    }

    @Override
    public void typed() {
        fill();
    }

    /** Shows operations by their titles. */
    private static final class Titled extends DefaultTreeCellRenderer {
        private static final long serialVersionUID = 1;

        @Override
        public Component getTreeCellRendererComponent(
            JTree of, Object node, boolean isSelected, boolean isOpen, boolean leaf, int row, boolean focus) {
            super.getTreeCellRendererComponent(of, node, isSelected, isOpen, leaf, row, focus);
            Object value = ((DefaultMutableTreeNode) node).getUserObject();
            if (value instanceof Registry.Operation)
                setText(((Registry.Operation) value).title());
            setIcon(null);
            return this;
        }
    }
}
