// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Registry;
import drua.engine.Spelling;
import ij.macro.ExtensionDescriptor;
import ij.macro.Functions;
import ij.macro.Interpreter;
import ij.macro.Program;
import java.lang.reflect.Field;
import java.util.Comparator;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The commands of a running macro, as ImageJ looks them up. An unknown name stops the macro with a list of similar
 * names.
 */
final class KnownCommands extends Hashtable<Object, Object> {
    private static final long serialVersionUID = 1;
    private static final int LIMIT = 3;

    private final transient Interpreter interpreter;
    private final transient Function<String, ExtensionDescriptor> commands;

    private KnownCommands(Interpreter interpreter, Function<String, ExtensionDescriptor> commands) {
        this.interpreter = interpreter;
        this.commands = commands;
    }

    /**
     * Makes this the macro's table of commands. Returns false if this version of ImageJ has other fields than expected.
     *
     * @param commands describes a command when the macro first calls it; null for an unknown name
     */
    static boolean register(Interpreter interpreter, Function<String, ExtensionDescriptor> commands) {
        try {
            Object program = field(Functions.class, "pgm").get(KeptImage.functions(interpreter));
            field(Program.class, "extensionRegistry").set(program, new KnownCommands(interpreter, commands));
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    @Override
    public synchronized Object get(Object name) {
        Object found = super.get(name);
        if (found == null && (found = commands.apply(String.valueOf(name))) != null)
            put(name, found);
        if (found == null)
            MacroCommands.fail(interpreter, sentence(String.valueOf(name)));
        return found;
    }

    private static String sentence(String name) {
        String advice = Registry.get().advice(name);
        if (advice != null)
            return "there is no command Ext." + name + "; " + advice;
        int max = Math.max(2, nameWithoutPrefix(name).length() / 3);
        List<String> near =
            Registry.get()
                .commands.keySet()
                .stream()
                .filter(known -> prefix(known).equals(prefix(name)) || prefix(known).equals("Drua_"))
                .filter(known -> Spelling.distance(nameWithoutPrefix(name), nameWithoutPrefix(known)) <= max)
                .sorted(Comparator.comparingInt(
                    (String known)
                        -> Spelling.distance(nameWithoutPrefix(name), nameWithoutPrefix(known)) * 2
                        + (prefix(known).equals(prefix(name)) ? 0 : 1)))
                .limit(LIMIT)
                .collect(Collectors.toList());
        return "there is no command Ext." + name + "; "
            + (near.isEmpty() ? "see Plugins>Drua>Drua Help for all commands"
                              : "similar names are " + String.join(", ", near));
    }

    private static String prefix(String name) {
        return name.substring(0, name.indexOf('_') + 1);
    }

    private static String nameWithoutPrefix(String name) {
        return name.substring(name.indexOf('_') + 1).toLowerCase(Locale.ROOT);
    }
}
