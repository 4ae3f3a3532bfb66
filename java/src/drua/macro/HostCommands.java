// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Registry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Commands that need ImageJ: windows, tables, selections, files. One of the classes below has a public method for each
 * operation (push_current_slice: pushCurrentSlice). The operation's descriptor declares names and parameters.
 */
public final class HostCommands {
    private static final List<Class<?>> BODIES = Arrays.asList(PushCommands.class, PullCommands.class,
        DisplayCommands.class, WindowCommands.class, TableCommands.class, FileCommands.class, HyperstackCommands.class,
        FilterCommands.class, ClassifierCommands.class, EngineCommands.class);

    /** Caches lookups, because a failed lookup throws an exception that takes as long as processing a small image. */
    private static final Map<String, Optional<Method>> FOUND = new ConcurrentHashMap<>();

    private HostCommands() {}

    /** Runs the method of an operation. */
    public static void run(Call call, Registry.Operation operation) {
        Method body = FOUND.computeIfAbsent(operation.camelCase(), HostCommands::findMethod).orElse(null);
        if (body == null)
            throw call.error("this version of the plugin lacks the command; update Drua");
        try {
            body.invoke(null, call);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error)
                throw(Error) e.getCause();
            throw(RuntimeException) e.getCause();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<Method> findMethod(String name) {
        for (Class<?> bodies : BODIES) {
            try {
                return Optional.of(bodies.getMethod(name, Call.class));
            } catch (NoSuchMethodException e) {
                continue;
            }
        }
        return Optional.empty();
    }
}
