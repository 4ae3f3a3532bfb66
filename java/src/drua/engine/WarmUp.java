// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Compiles the kernels of commands that a macro will call later, in separate processes, because PoCL and NVIDIA's
 * driver compile one kernel after another in each process. Each process runs some of the commands on a small test
 * image. The compiled kernels enter Drua's or the driver's cache, where the macro's process finds them. A file for each
 * device lists the commands that were warmed up, so each is warmed up only once. Failures are ignored here, because the
 * macro reports them when it needs the kernel.
 */
public final class WarmUp {
    private static final String POCL = "Portable Computing Language", NVIDIA = "NVIDIA CUDA", BUDGET = "10%",
                                PICTURE = "warm up", LABELS = "warm up labels";
    private static final int WIDTH = 96, HEIGHT = 80, APART = 24, RADIUS = 8, DARK = 20, BRIGHT = 150, UINT8 = 1,
                             FLOAT32 = 7;
    /** The macro needs the kernels of this many first commands before another process could compile them. */
    private static final int FIRST = 2;
    /** Largest number of processes for a GPU. Each holds a context of some hundred MB on the GPU. */
    private static final int LIMIT = 3;

    /** First character of an argument in a line; it gives the kind of the argument. */
    private static final char IN = '<', LABELS_IN = '@', OUT = '>', NUMBER = '#', TEXT = '"';

    /**
     * A command and the arguments as far as the macro's text shows them: a number, a quoted text, a variable, or "" if
     * unknown.
     */
    public static final class Call {
        public final String command;
        public final List<String> arguments;

        public Call(String command, List<String> arguments) {
            this.command = command;
            this.arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
        }
    }

    private static final List<Process> prepared = new ArrayList<>();
    /**
     * Keeps the processes reachable. If Java collected one of them, its input would close, and the process would end as
     * if the macro's process had ended.
     */
    private static final List<Process> working = new ArrayList<>();

    private WarmUp() {}

    /** Starts the processes before the macro begins if this computer has never used Drua. */
    public static synchronized void prepare() {
        if (!Files.exists(NativeLibrary.cache()))
            startUntil(maxProcesses());
    }

    /** The largest number of parallel compilations on this computer for any device that the macro may choose. */
    private static int maxProcesses() {
        return "0".equals(System.getenv("DRUA_AHEAD"))
            ? 0
            : Math.min(LIMIT, Runtime.getRuntime().availableProcessors() / 2);
    }

    /** PoCL compiles on the same cores that compute. */
    private static int processesFor(String platform) {
        return platform.equals(NVIDIA) ? maxProcesses() : platform.equals(POCL) ? Math.min(1, maxProcesses()) : 0;
    }

    private static void startUntil(int count) {
        while (prepared.size() < count) {
            Process process = start();
            if (process == null)
                return;
            prepared.add(process);
        }
    }

    /**
     * Starts to compile for these calls, the first ones last, if this device benefits from it and they were not
     * compiled before.
     *
     * @param calls requested only if compilation is possible
     */
    public static synchronized void begin(long context, Supplier<List<Call>> calls) {
        try {
            String[] device = Native.device(context);
            int count = processesFor(device[1]);
            Path notes = notes(device);
            List<Call> cold = count > 0 ? callsNotWarmedUp(notes, calls.get()) : Collections.emptyList();
            count = Math.min(count, cold.size() - FIRST);
            if (count > 0 || !prepared.isEmpty())
                NativeLibrary.makePrivate(notes.getParent()); /* this folder also records that Drua was used */
            startUntil(count);
            count = Math.min(count, prepared.size());
            Collections.rotate(cold, -FIRST);
            for (int i = 0; i < count; i++) {
                send(prepared.get(0), device[0], notes, share(cold, i, count));
                working.add(prepared.remove(0));
            }
        } catch (IOException e) {
            /* ignored: the macro's process then compiles these kernels */
        } finally {
            prepared.forEach(WarmUp::close);
            prepared.clear();
        }
    }

    /** A process without work ends when its input closes. */
    private static void close(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            /* the process has already ended */
        }
    }

    private static List<Call> share(List<Call> calls, int number, int count) {
        List<Call> share = new ArrayList<>();
        for (int i = number; i < calls.size(); i += count)
            share.add(calls.get(i));
        return share;
    }

    /** The first call of each command that was not warmed up before. */
    private static List<Call> callsNotWarmedUp(Path notes, List<Call> calls) throws IOException {
        Set<String> known = new HashSet<>(
            Files.isRegularFile(notes) ? Files.readAllLines(notes, StandardCharsets.UTF_8) : Collections.emptyList());
        List<Call> cold = new ArrayList<>(calls);
        cold.removeIf(call -> !isPossible(call) || !known.add(call.command));
        return cold;
    }

    private static Path notes(String[] device) {
        return NativeLibrary.cache().resolve(
            "warm-" + Integer.toHexString(Arrays.asList(device[0], device[2], device[3]).hashCode()) + ".txt");
    }

    /** True for a command that reads an image, does not touch files and does not need ImageJ. */
    private static boolean isPossible(Call call) {
        Registry.Command command = Registry.get().command(call.command, call.arguments.size());
        return command != null && !command.operation.host
            && command.arguments.stream().anyMatch(a -> a.kind == Registry.Kind.IMAGE_IN)
            && command.arguments.stream().noneMatch(
                a -> a.kind == Registry.Kind.PATH || a.kind == Registry.Kind.OPTIONS || a.kind.isArray())
            && !line(call).contains("\n");
    }

    /** The command and its arguments, separated by tabs. Arguments that the macro does not show take their defaults. */
    private static String line(Call call) {
        Registry.Command command = Registry.get().command(call.command, call.arguments.size());
        StringBuilder line = new StringBuilder(call.command);
        for (int i = 0; i < command.arguments.size(); i++) {
            Registry.Argument argument = command.arguments.get(i);
            String written = call.arguments.get(i).replaceAll("[\\t\\r]", " ");
            line.append('\t');
            if (argument.kind.isImage())
                line.append(argument.kind == Registry.Kind.IMAGE_OUT ? OUT
                            : isLabels(command, argument)            ? LABELS_IN
                                                                     : IN)
                    .append(written.isEmpty() ? "made" + i : written);
            else if (argument.kind.isNumber())
                line.append(NUMBER).append(written.matches("-?[\\d.]+") ? written : preset(command, argument, "0"));
            else
                line.append(TEXT).append(written.startsWith("\"") ? written.substring(1, written.length() - 1)
                                                                  : preset(command, argument, ""));
        }
        return line.toString();
    }

    private static boolean isLabels(Registry.Command command, Registry.Argument argument) {
        Registry.Parameter parameter = command.operation.parameter(argument.name);
        return parameter != null && parameter.doc.startsWith("label ");
    }

    private static Object preset(Registry.Command command, Registry.Argument argument, String otherwise) {
        Registry.Parameter parameter = command.operation.parameter(argument.name);
        Object preset = parameter == null    ? null
            : parameter.defaultValue != null ? parameter.defaultValue
                                             : parameter.example;
        return preset instanceof Double == argument.kind.isNumber() && preset != null ? preset : otherwise;
    }

    /** Starts a process; returns null if that fails. */
    private static Process start() {
        boolean isWindows = NativeLibrary.platform().startsWith("win");
        File nothing = new File(isWindows ? "NUL" : "/dev/null");
        try {
            File jar = new File(WarmUp.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            List<String> command =
                new ArrayList<>(Arrays.asList(System.getProperty("java.home") + "/bin/java" + (isWindows ? ".exe" : ""),
                    "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.awt.headless=true"));
            command.addAll(NativeLibrary.options());
            command.addAll(Arrays.asList("-cp", jar.getPath(), WarmUp.class.getName()));
            return new ProcessBuilder(command).redirectOutput(nothing).redirectError(nothing).start();
        } catch (IOException | URISyntaxException e) {
            return null;
        }
    }

    private static void send(Process process, String device, Path notes, List<Call> calls) throws IOException {
        Writer to = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        to.write(device + "\n" + notes + "\n");
        for (Call call : calls)
            to.write(line(call) + "\n");
        to.write("\n");
        to.flush(); /* stays open until this process ends */
    }

    /**
     * Entry point of a warm-up process. Each line of standard input holds the device, the file of notes, or a call. The
     * input closes when the macro's process ends.
     */
    public static void main(String[] args) throws IOException {
        NativeLibrary.load();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String device = in.readLine(), notes = in.readLine();
        if (notes == null)
            return;
        List<String> calls = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine())
            calls.add(line);
        Thread end = new Thread(() -> leaveAfter(in));
        end.setDaemon(true);
        end.start();
        long context = Native.open(device);
        Native.setMemory(context, BUDGET);
        for (String call : calls) {
            String[] parts = call.split("\t", -1);
            try {
                runCommand(context, parts);
            } catch (RuntimeException e) {
                /* if the cause is not the test image, the macro reports it */
            }
            Files.write(new File(notes).toPath(), (parts[0] + "\n").getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        Native.close(context);
    }

    private static void leaveAfter(BufferedReader in) {
        try {
            while (in.read() >= 0)
                continue;
        } catch (IOException e) {
            /* also the end of the input */
        }
        Native.prepareExit(); /* halt runs no shutdown hook, and an exit while a driver compiles can crash */
        Runtime.getRuntime().halt(0);
    }

    /** Images that no earlier call made are replaced by the test image. */
    private static void runCommand(long context, String[] parts) {
        int count = parts.length - 1;
        String[] texts = new String[count];
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            char kind = parts[i + 1].charAt(0);
            String value = parts[i + 1].substring(1);
            if (kind == NUMBER)
                numbers[i] = Double.parseDouble(value);
            else
                texts[i] = (kind == IN || kind == LABELS_IN) && !Native.exists(context, value)
                    ? picture(context, kind == LABELS_IN)
                    : value;
        }
        Native.command(context, 0, parts[0], texts, numbers, new Object[count]);
        Native.sync(context);
    }

    /** Makes a test image of bright or numbered discs. No variable of a macro can have the image's name. */
    private static String picture(long context, boolean isLabels) {
        String name = isLabels ? LABELS : PICTURE;
        if (Native.exists(context, name))
            return name;
        byte[] bytes = new byte[WIDTH * HEIGHT];
        float[] labels = new float[WIDTH * HEIGHT];
        for (int i = 0; i < bytes.length; i++) {
            int x = i % WIDTH, y = i / WIDTH, dx = x % APART - APART / 2, dy = y % APART - APART / 2;
            boolean isInside = dx * dx + dy * dy < RADIUS * RADIUS;
            bytes[i] = (byte) (isInside ? BRIGHT : DARK);
            labels[i] = isInside ? 1 + x / APART + y / APART * (WIDTH / APART) : 0;
        }
        Native.bind(context, name,
            Native.push(context, 0, WIDTH, HEIGHT, 1, 2, isLabels ? FLOAT32 : UINT8, z -> isLabels ? labels : bytes));
        return name;
    }
}
