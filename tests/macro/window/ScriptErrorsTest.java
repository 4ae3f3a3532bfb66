// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.WindowManager;
import java.awt.AWTEvent;
import java.awt.Dialog;
import java.awt.Toolkit;
import java.awt.Window;
import java.awt.event.WindowEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Mistakes in a Groovy script, in ImageJ with windows: exceptions and lines of the Log, but no window. */
public final class ScriptErrorsTest {
    private static final String START = "run('Drua Macro Extensions', 'cl_device=cpu');";
    private static final List<String> OPENED = Collections.synchronizedList(new ArrayList<>());

    private ScriptErrorsTest() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        Person.start(false);
        Class<?> groovy;
        try {
            groovy = Class.forName("groovy.lang.GroovyShell");
        } catch (ClassNotFoundException e) {
            Person.skip("Groovy's jar is missing");
            return;
        }
        Object shell = groovy.getConstructor().newInstance();
        IJ.log("start"); /* opens the window of the Log */
        Person.waitFor(() -> WindowManager.getWindow("Log") != null && WindowManager.getWindow("Log").isShowing());
        Person.settle();
        Toolkit.getDefaultToolkit().addAWTEventListener(event -> {
            if (event.getID() == WindowEvent.WINDOW_OPENED)
                OPENED.add(event.getSource().toString());
        }, AWTEvent.WINDOW_EVENT_MASK);

        String wrong = START + "Ext.Drua_gaussianBlur('nothing', b, 2, 2, 0);";
        fails(shell, groovy, "ij.IJ.runMacro(\"" + wrong + "\")", "there is no image 'nothing'");
        fails(shell, groovy, "ij.IJ.runMacro(\"eval(\\\"" + wrong + "\\\");\")", "there is no image 'nothing'");
        fails(shell, groovy, "ij.IJ.run('Drua Macro Extensions', 'memory=much')", "Macro canceled");
        Person.expect("the Log names the limit: " + IJ.getLog(), IJ.getLog().contains("much"));
        fails(shell, groovy, "ij.IJ.run('Drua Operation...', 'operation=no_such')", "Macro canceled");
        Person.expect("the Log names the operation: " + IJ.getLog(), IJ.getLog().contains("got 'no_such'"));
        fails(shell, groovy, "drua.Drua.open('cpu').op('gaussian_blur', 'no image')", "source must be an image");
        fails(shell, groovy, "new drua.dialog.OperationDialog().run('gaussian_blur'); throw new Exception('went on')",
            "went on");
        Person.expect("the Log names the missing image: " + IJ.getLog(), IJ.getLog().contains("no image is open"));
        evaluate(shell, groovy, "ij.IJ.run('Drua Macro Extensions', '')"); /* a person would be asked for the device */
        Person.pause(1000);
        Person.expect("opened windows", "[]", OPENED);
        Person.expect("text windows", 1, WindowManager.getNonImageTitles().length);
        Person.leave();
    }

    private static Object evaluate(Object shell, Class<?> groovy, String script) throws ReflectiveOperationException {
        return groovy.getMethod("evaluate", String.class).invoke(shell, script);
    }

    private static void fails(Object shell, Class<?> groovy, String script, String sentence) {
        try {
            Person.expect(script, "an exception", evaluate(shell, groovy, script));
        } catch (ReflectiveOperationException e) {
            String message = String.valueOf(e.getCause().getMessage());
            Person.expect(script + " says " + message, message.contains(sentence));
        }
        for (Window window : Window.getWindows())
            Person.expect(script + " opens no dialog", false, window.isShowing() && window instanceof Dialog);
    }
}
