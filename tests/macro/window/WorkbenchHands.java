// SPDX-License-Identifier: BSD-3-Clause
import drua.pipeline.Session;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Component;
import java.awt.EventQueue;
import java.awt.Frame;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import javax.swing.AbstractButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JMenu;
import javax.swing.JMenuItem;
import javax.swing.JTextField;

/** User actions in the workbench: clicks, typing, menus, and waiting for a result to appear. */
abstract class WorkbenchHands {
    static JFrame frame() {
        return Arrays.stream(Frame.getFrames())
            .filter(f -> f.isShowing() && f.getTitle().startsWith("Drua Workbench"))
            .map(JFrame.class ::cast)
            .findFirst()
            .orElse(null);
    }

    /** Opens the workbench from the menu, and waits until it stays in its place. */
    static void openWorkbench() {
        IJ.doCommand("Workbench");
        Person.expect("the workbench opens", Person.waitFor(() -> frame() != null && rows() == 1));
        Person.settle();
    }

    static <T extends Component> T named(Class<T> type, String name) {
        return Person.part(frame(), type, c -> name.equals(c.getName()));
    }

    static void event(Runnable event) {
        try {
            EventQueue.invokeAndWait(event);
        } catch (ReflectiveOperationException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Session session() {
        try {
            Field session = frame().getClass().getDeclaredField("session");
            session.setAccessible(true);
            return (Session) session.get(frame());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static int rows() {
        return named(JList.class, "steps").getModel().getSize();
    }

    static String status() {
        return named(JLabel.class, "status").getText().trim();
    }

    /** True while kernels compile or a result is computed. */
    static boolean isBusy() {
        return status().endsWith("...") || !session().live().isDone();
    }

    /** Types letters and presses the button. */
    static void type(String letters, String first, String button) {
        event(() -> named(JTextField.class, "find").setText(letters));
        JList<?> found = named(JList.class, "found");
        Person.expect("'" + letters + "' finds first", first,
            operation(found.getModel().getSize() == 0 ? "" : found.getModel().getElementAt(0)));
        press(button);
    }

    static String operation(Object listed) {
        return listed instanceof String ? (String) listed : ((drua.engine.Registry.Operation) listed).title();
    }

    static void press(String button) {
        event(() -> Person.part(frame(), AbstractButton.class, b -> button.equals(b.getText())).doClick(0));
    }

    static void choose(String menu, String item) {
        event(() -> {
            for (int m = 0; m < frame().getJMenuBar().getMenuCount(); m++) {
                JMenu of = frame().getJMenuBar().getMenu(m);
                for (int i = 0; of.getText().equals(menu) && i < of.getItemCount(); i++) {
                    JMenuItem entry = of.getItem(i);
                    if (entry != null && entry.getText().equals(item))
                        entry.doClick(0);
                }
            }
        });
    }

    /** Runs the rest of a window's action after its file dialog. */
    static void call(String action, Object... files) {
        try {
            Class<?>[] types = new Class<?>[ files.length ];
            Arrays.fill(types, java.nio.file.Path.class);
            Object actions = field(frame(), "actions");
            java.lang.reflect.Method method = actions.getClass().getDeclaredMethod(action, types);
            method.setAccessible(true);
            method.invoke(actions, files);
            java.lang.reflect.Method refresh = frame().getClass().getDeclaredMethod("refresh");
            refresh.setAccessible(true);
            refresh.invoke(frame());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object field(Object of, String name) throws ReflectiveOperationException {
        java.lang.reflect.Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    static ImagePlus view() {
        int[] ids = WindowManager.getIDList();
        return ids == null ? null
                           : Arrays.stream(ids)
                                 .mapToObj(WindowManager::getImage)
                                 .filter(i -> i != null && i.getTitle().startsWith("Workbench: "))
                                 .findFirst()
                                 .orElse(null);
    }

    /**
     * Waits until the view shows that step and no work is left; waits several times longer than usual while kernels
     * compile or a result is computed.
     */
    static ImagePlus seen(String title) {
        boolean there = isSeen(title);
        for (int more = 0; more < 4 && !there && isBusy(); more++)
            there = isSeen(title);
        Person.expect("the view of " + title + "; status: " + status(), there);
        return view();
    }

    static boolean isSeen(String title) {
        AtomicReference<String> before = new AtomicReference<>("");
        return Person.waitFor(() -> {
            Person.pause(250);
            String now = view() == null ? ""
                                        : view().getTitle()
                    + Arrays.hashCode((float[]) view().getProcessor().convertToFloatProcessor().getPixels()) + status();
            return now.startsWith("Workbench: " + title) && now.equals(before.getAndSet(now)) && !isBusy();
        });
    }
}
