/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs the program drua as a child process, so a crashing driver ends the child and not the executor. The child ends
 * with this process, because its input closes.
 */
record Program(String file, String folder) implements Serializable {
    private static final int ENDS_IN_SECONDS = 10;

    /** Runs the program and forwards its output. Returns its outcome; throws only if the task is cancelled. */
    Outcome run(BlockRange blocks, Map<String, String> environment, List<String> arguments)
        throws InterruptedException {
        List<String> said = new ArrayList<>();
        try {
            return new Outcome(blocks, start(environment, arguments, said, System.err::println), lastOf(said), host());
        } catch (IOException e) {
            return new Outcome(blocks, Outcome.NO_PROCESS,
                file + " cannot be run: " + e.getMessage() + "; use its path with --drua", host());
        }
    }

    /** Runs the program and returns the lines that it prints. */
    List<String> ask(String... arguments) throws IOException, InterruptedException {
        List<String> said = new ArrayList<>();
        if (start(Map.of(), List.of(arguments), said, line -> {}) != 0) {
            throw new IOException(lastOf(said));
        }
        return said;
    }

    private interface Listener {
        void hear(String line);
    }

    private int start(Map<String, String> environment, List<String> arguments, List<String> said, Listener listener)
        throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(file));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(new File(folder)).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try (BufferedReader lines =
                 new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
                listener.hear(line);
            }
            return process.waitFor();
        } finally {
            endProcess(process);
        }
    }

    private static void endProcess(Process process) throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(ENDS_IN_SECONDS, TimeUnit.SECONDS);
    }

    private static String lastOf(List<String> said) {
        return said.isEmpty() ? "" : said.get(said.size() - 1);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "";
        }
    }
}
