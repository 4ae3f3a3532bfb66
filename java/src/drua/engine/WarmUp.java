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
 * Kernels of commands that a macro will call later are compiled in processes of their own, as PoCL and NVIDIA's driver
 * compile one after another in each process. These processes share the commands and run them on a small picture; the
 * compiled kernels get into Drua's or the driver's cache, where the macro's process finds them. What was warmed up once
 * is noted for the device and not done again. A failure there has no meaning: who needs the kernel finds out why it
 * cannot be had.
 */
public final class WarmUp {
    private static final String POCL = "Portable Computing Language", NVIDIA = "NVIDIA CUDA", BUDGET = "10%",
                                PICTURE = "warm up", LABELS = "warm up labels";
    private static final int WIDTH = 96, HEIGHT = 80, APART = 24, RADIUS = 8, DARK = 20, BRIGHT = 150, UINT8 = 1,
                             FLOAT32 = 7;
    /** These the macro needs before a process could have them. */
    private static final int FIRST = 2;
    /** Processes for a GPU: each holds a context of some hundred MB there. */
    private static final int MOST = 3;

    /** How a line says what an argument is. */
    private static final char IN = '<', LABELS_IN = '@', OUT = '>', NUMBER = '#', TEXT = '"';

    /**
     * A command with what the macro's text says of its arguments: a number, a quoted text, a variable, or "" for what
     * it does not say.
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
    /** Kept, as a process that Java forgets loses its input, which tells it that the macro's process has ended. */
    private static final List<Process> working = new ArrayList<>();

    private WarmUp() {}

    /** Starts the processes where Drua was never used before, so that they are there when the macro begins. */
    public static synchronized void prepare() {
        if (!Files.exists(NativeLibrary.cache()))
            startUntil(most());
    }

    /** As many as compile at once on this computer, for whichever device the macro chooses. */
    private static int most() {
        return "0".equals(System.getenv("DRUA_AHEAD")) ? 0
                                                       : Math.min(MOST, Runtime.getRuntime().availableProcessors() / 2);
    }

    /** The cores on which PoCL compiles are those that compute. */
    private static int wanted(String platform) {
        return platform.equals(NVIDIA) ? most() : platform.equals(POCL) ? Math.min(1, most()) : 0;
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
     * Begins to compile for the later of these calls and then the first ones, if this device's kernels are best
     * compiled so and they were not before.
     *
     * @param calls asked for only where that may be
     */
    public static synchronized void begin(long context, Supplier<List<Call>> calls) {
        try {
            String[] device = Native.device(context);
            int count = wanted(device[1]);
            Path notes = notes(device);
            List<Call> cold = count > 0 ? cold(notes, calls.get()) : Collections.emptyList();
            count = Math.min(count, cold.size() - FIRST);
            if (count > 0 || !prepared.isEmpty())
                NativeLibrary.makePrivate(notes.getParent()); /* also says that Drua was used */
            startUntil(count);
            count = Math.min(count, prepared.size());
            Collections.rotate(cold, -FIRST);
            for (int i = 0; i < count; i++) {
                send(prepared.get(0), device[0], notes, share(cold, i, count));
                working.add(prepared.remove(0));
            }
        } catch (IOException e) {
            /* without them the macro compiles them itself */
        } finally {
            prepared.forEach(WarmUp::close);
            prepared.clear();
        }
    }

    /** A process that gets no work ends with its input. */
    private static void close(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            /* it has ended */
        }
    }

    private static List<Call> share(List<Call> calls, int number, int count) {
        List<Call> share = new ArrayList<>();
        for (int i = number; i < calls.size(); i += count)
            share.add(calls.get(i));
        return share;
    }

    /** The first call of each command that was not warmed up before. */
    private static List<Call> cold(Path notes, List<Call> calls) throws IOException {
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

    /** A command that reads an image, and neither touches files nor needs ImageJ. */
    private static boolean isPossible(Call call) {
        Registry.Command command = Registry.get().commands.get(call.command);
        return command != null && !command.operation.host && command.arguments.size() == call.arguments.size()
            && command.arguments.stream().anyMatch(a -> a.kind == Registry.Kind.IMAGE_IN)
            && command.arguments.stream().noneMatch(
                a -> a.kind == Registry.Kind.PATH || a.kind == Registry.Kind.OPTIONS || a.kind.isArray())
            && !line(call).contains("\n");
    }

    /** The command and its arguments, with tabs between: what the macro does not say is the parameter's preset. */
    private static String line(Call call) {
        Registry.Command command = Registry.get().commands.get(call.command);
        StringBuilder line = new StringBuilder(call.command);
        for (int i = 0; i < command.arguments.size(); i++) {
            Registry.Argument argument = command.arguments.get(i);
            String said = call.arguments.get(i).replaceAll("[\\t\\r]", " ");
            line.append('\t');
            if (argument.kind.isImage())
                line.append(argument.kind == Registry.Kind.IMAGE_OUT ? OUT
                            : isLabels(command, argument)            ? LABELS_IN
                                                                     : IN)
                    .append(said.isEmpty() ? "made" + i : said);
            else if (argument.kind.isNumber())
                line.append(NUMBER).append(said.matches("-?[\\d.]+") ? said : preset(command, argument, "0"));
            else
                line.append(TEXT).append(
                    said.startsWith("\"") ? said.substring(1, said.length() - 1) : preset(command, argument, ""));
        }
        return line.toString();
    }

    private static boolean isLabels(Registry.Command command, Registry.Argument argument) {
        Registry.Parameter parameter = command.operation.parameter(argument.name);
        return parameter != null && parameter.doc.startsWith("label ");
    }

    private static Object preset(Registry.Command command, Registry.Argument argument, String otherwise) {
        Registry.Parameter parameter = command.operation.parameter(argument.name);
        Object preset = parameter == null ? null : parameter.preset != null ? parameter.preset : parameter.example;
        return preset instanceof Double == argument.kind.isNumber() && preset != null ? preset : otherwise;
    }

    /** Null if there cannot be one. */
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
        to.flush(); /* and stays open until this process ends */
    }

    /**
     * What the process runs; standard input has the device, the file of notes and a call on each line, and ends with
     * the process for which this is done.
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
                run(context, parts);
            } catch (RuntimeException e) {
                /* the macro will say so, if that is not because of the picture */
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
            /* that is the end, too */
        }
        Runtime.getRuntime().halt(0);
    }

    /** Images that were not made by a call before are the picture. */
    private static void run(long context, String[] parts) {
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

    /** Bright discs, or numbered ones; by a name that no variable can have. */
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
