// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Lets Jython pass keyword arguments to operations, which Jython refuses for methods of Java classes. */
final class Keywords {
    private static final String SCRIPT = "drua/keywords.py";

    private static boolean isTaught;

    private Keywords() {}

    /**
     * If the caller is a Jython script, replaces the operations in Jython's view of {@link Drua}. Does not load Jython
     * for other callers. If the replacement fails, the script can still pass arguments by position.
     */
    static synchronized void teachJython() {
        if (isTaught || !isJython())
            return;
        isTaught = true;
        ClassLoader loader = Keywords.class.getClassLoader();
        try (InputStream script = loader.getResourceAsStream(SCRIPT)) {
            Class<?> python = Class.forName("org.python.util.PythonInterpreter", true, loader);
            Object interpreter = python.getConstructor().newInstance();
            python.getMethod("execfile", InputStream.class, String.class).invoke(interpreter, script, SCRIPT);
        } catch (ReflectiveOperationException | IOException | LinkageError e) {
            return;
        }
    }

    private static boolean isJython() {
        return Arrays.stream(Thread.currentThread().getStackTrace())
            .anyMatch(frame -> frame.getClassName().startsWith("org.python.core."));
    }
}
