// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.engine.Registry;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** Checks that operations and commands that are parsed when they are needed equal those that are parsed at once. */
final class RegistryTest extends Expectations {
    private static final int THREADS = 4;

    private RegistryTest() {}

    public static void main(String[] args) throws Exception {
        NativeLibrary.load();
        Method describe = Class.forName("drua.engine.Native").getDeclaredMethod("describe");
        describe.setAccessible(true);
        String json = (String) describe.invoke(null);
        Registry atOnce = Registry.of(json), late = Registry.ofLines(json);
        expect("names of operations", names(atOnce.operations.keySet()), names(late.operations.keySet()));
        expect("names of commands", names(atOnce.commands.keySet()), names(late.commands.keySet()));
        expect("number of commands", atOnce.commands.size(), late.commands.values().size());
        for (String name : atOnce.operations.keySet())
            expect(name, text(atOnce.operations.get(name)), text(late.operations.get(name)));
        for (String name : atOnce.commands.keySet())
            expect(name, text(atOnce.commands.get(name)), text(late.commands.get(name)));
        expect("advice", atOnce.advice("CLIJ2_plot"), late.advice("CLIJ2_plot"));
        expect("an unknown command", null, late.commands.get("CLIJ2_nothing"));
        expect("an unknown operation", false, late.operations.containsKey("nothing"));
        expect("threads that share one object", 1, objects(json));
        try {
            Registry.ofLines("{\"version\":\"1\"}");
            expect("a description without commands", "an error", "no error");
        } catch (IllegalArgumentException e) {
            expect("a description without commands", true, e.getMessage().contains("lacks commands"));
        }
        System.exit(sum());
    }

    private static String names(Iterable<String> names) {
        return String.join(" ", names);
    }

    private static String text(Registry.Operation o) {
        return String.join("|", o.name, o.category, o.summary, o.source, o.expression, o.estimate, o.numeric,
            "" + o.host,
            o.parameters.stream()
                .map(p -> p.name + p.kind + p.doc + p.defaultValue + p.max)
                .collect(Collectors.toList())
                .toString());
    }

    private static String text(Registry.Command c) {
        return c.name + c.operation.name + c.fixed + c.fitsArguments
            + c.signatures()
                  .stream()
                  .map(s
                      -> s.signature()
                          + s.arguments.stream().map(a -> "" + a.kind + a.output).collect(Collectors.toList()))
                  .collect(Collectors.toList());
    }

    /** The number of different objects that threads get for the operation of one command. */
    private static long objects(String json) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        Registry registry = Registry.ofLines(json);
        List<Callable<Registry.Operation>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            calls.add(() -> registry.commands.get("CLIJ2_gaussianBlur2D").operation);
            calls.add(() -> registry.operations.get("gaussian_blur"));
        }
        List<Registry.Operation> found = new ArrayList<>();
        for (Future<Registry.Operation> call : threads.invokeAll(calls))
            found.add(call.get());
        threads.shutdown();
        return found.stream().map(System::identityHashCode).distinct().count();
    }
}
