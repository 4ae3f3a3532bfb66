// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Registry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The commands that can be steps, and data about CLIJ2's commands: which ones CLIJ2 has, and how many public macros use
 * each operation. Only one command is offered for each operation. CLIJ2's command is preferred, so that the pipeline
 * also runs in CLIJ2.
 */
public final class Catalogue {
    private static final String TABLE = "clij2_commands.tsv";
    /*
     * Scores that outweigh the number of macros: EXPECTED if the operation expects this kind of image, ALONE if it has
     * a menu entry because users run it on its own.
     */
    private static final int EXPECTED = 100000, ALONE = 10000;

    private static Catalogue loaded;

    private final Registry registry;
    /** CLIJ2's commands without prefix, with the number of macros that use them under any prefix. */
    private final Map<String, Integer> clij2 = new HashMap<>();
    private final Map<Registry.Operation, Integer> macros = new HashMap<>();
    private final Map<Registry.Operation, Registry.Command> commands = new HashMap<>();

    private Catalogue(Registry registry) {
        this.registry = registry;
        read();
        for (Registry.Command command : registry.commands.values()) {
            String word = nameWithoutPrefix(command);
            if (clij2.containsKey(word))
                macros.merge(command.operation, clij2.get(word), Math::max);
            if (canBeStep(command) && rankCommand(command) > rankCommand(commands.get(command.operation)))
                commands.put(command.operation, command);
        }
    }

    /** The catalogue of the loaded engine. */
    public static synchronized Catalogue get() {
        if (loaded == null)
            loaded = new Catalogue(Registry.get());
        return loaded;
    }

    private void read() {
        try (InputStream in = Catalogue.class.getResourceAsStream(TABLE)) {
            if (in == null)
                throw new EngineException("Drua's jar is damaged: " + TABLE + " is missing; install Drua again");
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine())
                clij2.put(
                    line.substring(0, line.indexOf('\t')), Integer.valueOf(line.substring(line.indexOf('\t') + 1)));
        } catch (IOException e) {
            throw new EngineException("Drua's jar cannot be read (" + e.getMessage() + "); install Drua again");
        }
    }

    private static String nameWithoutPrefix(Registry.Command command) {
        return command.name.substring(command.name.indexOf('_') + 1);
    }

    /** Order of preference: CLIJ2's commands, then commands with more arguments, then Drua's commands. */
    private int rankCommand(Registry.Command command) {
        if (command == null)
            return -1;
        boolean own = isClij2(command);
        return (own ? 1000 : 0)
            + 10 * (int) command.arguments.stream().filter(a -> command.operation.parameter(a.name) != null).count()
            + (command.name.startsWith("Drua_") ? 1 : 0);
    }

    /** True if CLIJ2 itself has the command. */
    public boolean isClij2(Registry.Command command) {
        return command.name.startsWith("CLIJ2_") && clij2.containsKey(nameWithoutPrefix(command));
    }

    /** Number of public macros that use a CLIJ2 command, under any prefix; 0 for other commands. */
    public int macros(Registry.Command command) {
        return clij2.getOrDefault(nameWithoutPrefix(command), 0);
    }

    /** Number of public macros that use the most common command of an operation. */
    public int macros(Registry.Operation operation) {
        return macros.getOrDefault(operation, 0);
    }

    /**
     * The command that a new step of an operation calls, preferably with the given prefix; null if the operation cannot
     * be a step.
     */
    public Registry.Command command(Registry.Operation operation, String prefix) {
        Registry.Command command = commands.get(operation);
        if (command == null)
            return null;
        Registry.Command other = registry.commands.get(prefix + "_" + nameWithoutPrefix(command));
        return other != null && other.operation == operation && other.arguments.size() == command.arguments.size()
            ? other
            : command;
    }

    /**
     * The command with that name (without prefix, in any case) under a prefix; null if no such command can be a step.
     */
    public Registry.Command named(String word, String prefix) {
        for (Registry.Command command : registry.commands.values()) {
            if (command.name.equalsIgnoreCase(prefix + "_" + word.replaceFirst("^(?i)(drua|clij[2x]?)_", ""))
                && canBeStep(command))
                return command;
        }
        return null;
    }

    /** All operations that can be steps. */
    public Set<Registry.Operation> operations() {
        return new HashSet<>(commands.keySet());
    }

    /**
     * Operations that fit an image of that kind, the most used in public macros first. For a plane, operations that
     * need a stack are left out.
     */
    public List<Registry.Operation> suggestions(Kinds.Kind is, boolean isPlane) {
        List<Registry.Operation> fitting = new ArrayList<>();
        for (Registry.Operation operation : commands.keySet()) {
            if (scoreOf(operation, is) > 0 && !(isPlane && Kinds.needsStack(operation)))
                fitting.add(operation);
        }
        fitting.sort(Comparator.comparingInt((Registry.Operation o) -> - scoreOf(o, is))
                         .thenComparing(Registry.Operation::title));
        return fitting;
    }

    /**
     * True if a command can be a step: it makes images, tables or numbers from other images and changes no image in
     * place.
     */
    public static boolean canBeStep(Registry.Command command) {
        boolean makes = false;
        for (Registry.Parameter p : command.operation.parameters) {
            if (p.kind == Registry.Kind.IMAGE_INOUT || p.kind == Registry.Kind.PATH || p.kind.isArray())
                return false;
            makes |= p.kind.isOutput();
        }
        boolean passesAll = command.operation.parameters.stream()
                                .filter(p -> p.kind == Registry.Kind.IMAGE_IN || p.kind == Registry.Kind.IMAGE_OUT)
                                .allMatch(p -> command.arguments.stream().anyMatch(a -> a.name.equals(p.name)));
        return makes && passesAll && !command.operation.host;
    }

    /** A score; 0 means that the operation does not fit. */
    private int scoreOf(Registry.Operation operation, Kinds.Kind is) {
        boolean expected = false, fits = false;
        for (Registry.Parameter p : operation.parameters) {
            if (p.kind != Registry.Kind.IMAGE_IN)
                continue;
            fits |= Kinds.fits(Kinds.wanted(p), is);
            expected |= Kinds.wanted(p) == is;
        }
        boolean isExpected = expected && (is != Kinds.Kind.GREY || !Kinds.measuresLabels(operation));
        return !fits ? 0 : 1 + macros(operation) + (operation.menu ? ALONE : 0) + (isExpected ? EXPECTED : 0);
    }
}
