// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Registry;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;

/**
 * The commands that need ImageJ: windows, tables, selections, files. The body of an operation is the public method of its name
 * (push_current_slice: pushCurrentSlice) in one of the classes below; names, parameters and pages are declared with the operation.
 */
public final class HostCommands {
    private static final List<Class<?>> BODIES = Arrays.asList(PushCommands.class, PullCommands.class, DisplayCommands.class,
        WindowCommands.class, TableCommands.class, FileCommands.class, HyperstackCommands.class, FilterCommands.class, ClassifierCommands.class, EngineCommands.class);

    private HostCommands() {}

    /** Runs the body of an operation. */
    public static void run(Call call, Registry.Operation operation) {
        for (Class<?> bodies : BODIES) {
            try {
                bodies.getMethod(operation.camelCase(), Call.class).invoke(null, call);
                return;
            } catch (NoSuchMethodException e) {
                continue;
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof Error)
                    throw (Error) e.getCause();
                throw (RuntimeException) e.getCause();
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        throw call.error("this version of the plugin cannot do it; update Drua");
    }
}
