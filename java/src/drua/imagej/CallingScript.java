// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.EngineException;
import ij.IJ;
import ij.Macro;
import ij.macro.Interpreter;
import java.lang.reflect.Field;
import java.util.Arrays;

/**
 * The script in another language, such as Groovy, that started a macro or a command of ImageJ. A script may run
 * unattended, so an error must reach the script and must not open a dialog.
 */
public final class CallingScript {
    /** Packages of the languages of Fiji and of Java's script engines. */
    private static final String[] LANGUAGES = {"org.python.", "groovy.lang.", "org.codehaus.groovy.",
        "org.apache.groovy.", "bsh.", "jdk.nashorn.", "org.openjdk.nashorn.", "org.mozilla.javascript.", "org.graalvm.",
        "org.jruby.", "clojure.lang.", "org.renjin.", "scala.tools.nsc.", "kotlin.script."};

    private CallingScript() {}

    /** Whether a script called ImageJ on the current thread. */
    public static boolean exists() {
        return Arrays.stream(Thread.currentThread().getStackTrace())
            .anyMatch(call -> Arrays.stream(LANGUAGES).anyMatch(call.getClassName()::startsWith));
    }

    /**
     * The exception with which a macro ends if {@link #exists}. ImageJ catches all exceptions of macros and hands them
     * to its exception handler. This method sets a handler that throws these exceptions again, so that the script gets
     * them. Other exceptions go where they went before.
     */
    public static EngineException failure(String sentence) {
        IJ.ExceptionHandler before = exceptionHandler();
        if (!(before instanceof Thrower))
            IJ.setExceptionHandler(new Thrower(before));
        return new EngineException(sentence);
    }

    /**
     * Reports the failure of a menu command: in a dialog, or in the Log if a script called the command. ImageJ passes
     * no exception of a command to its caller. If the script called the command through a macro, the macro stops.
     * Otherwise ImageJ, if it has windows, throws "Macro canceled" in the script.
     */
    public static void report(String sentence) {
        if (!exists()) {
            IJ.error("Drua", sentence);
            return;
        }
        Interpreter macro = Interpreter.getInstance();
        if (macro == null || !QuietMacro.keep(macro, sentence))
            IJ.log(sentence);
        if (macro == null)
            Macro.abort();
        else
            macro.abort((String) null);
    }

    /** ImageJ has no getter for its exception handler. */
    private static IJ.ExceptionHandler exceptionHandler() {
        try {
            Field field = IJ.class.getDeclaredField("exceptionHandler");
            field.setAccessible(true);
            return (IJ.ExceptionHandler) field.get(null);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static final class Thrower implements IJ.ExceptionHandler {
        private final IJ.ExceptionHandler before;

        Thrower(IJ.ExceptionHandler before) {
            this.before = before;
        }

        @Override
        public void handle(Throwable failure) {
            if (failure instanceof EngineException)
                throw(EngineException) failure;
            IJ.setExceptionHandler(before);
            try {
                IJ.handleException(failure);
            } finally {
                IJ.setExceptionHandler(this);
            }
        }
    }
}
