// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.ProcessWatch;
import drua.engine.Quote;
import drua.imagej.LargeFile;
import ij.IJ;
import java.awt.EventQueue;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Processes a large image on a separate thread: plans it, then waits for begin(). begin() and stop() return at once;
 * progressed(), which the thread calls, waits for begin().
 */
final class LargeImageRun implements ProcessWatch {
    /** Receives events on the event thread. */
    interface Listener {
        void planned(String plan);

        /**
         * @param all  0 until the number is known
         * @param left remaining seconds, or 0
         */
        void progressed(String what, long done, long all, double left);

        void printed(String line);

        /** @param failure an error message, or "" on success */
        void ended(String failure);
    }

    private final String pipeline, named, settings;
    private final File input, output;
    private final Listener listener;
    /* Guarded by this. */
    private boolean begins, stops;

    /**
     * @param named the name that the pipeline file gets when processing starts; until then, it has a temporary name.
     *     For an operation with settings, the same text as `pipeline`
     */
    LargeImageRun(String pipeline, String named, File input, File output, String settings, Listener listener) {
        this.pipeline = pipeline;
        this.named = named;
        this.input = input;
        this.output = output;
        this.settings = settings;
        this.listener = listener;
        IJ.resetEscape();
        Thread thread = new Thread(this::runPlan, "Drua large image");
        thread.setDaemon(true);
        thread.start();
    }

    /** Accepts the plan. */
    synchronized void begin() {
        begins = true;
        notifyAll();
    }

    /** Stops; finished blocks are kept. */
    synchronized void stop() {
        stops = true;
        notifyAll();
    }

    /** The arguments of the equivalent call of Drua_processFile. */
    String[] arguments() {
        return new String[] {named, input.getPath(), output.getPath(), settings};
    }

    /** The equivalent shell command. */
    String shellLine() {
        List<String> words = new ArrayList<>(Arrays.asList("drua", "process"));
        boolean isFile = new File(pipeline).isFile();
        String[] parts = isFile ? new String[] {named} : named.trim().split("\\s+");
        words.addAll(Arrays.asList(parts[0], input.getPath(), output.getPath()));
        words.addAll(Arrays.asList(parts).subList(1, parts.length));
        for (String setting : settings.isEmpty() ? new String[0] : settings.split(" (?=\\w+=|anew\\b|overwrite\\b)"))
            words.addAll(
                Arrays.asList(("--" + setting.replaceFirst("_(?=\\w*=)", "-").replaceFirst("=(['\"])(.*)\\1$", "=$2"))
                                  .split("=", 2)));
        return words.stream().map(Quote::shell).collect(Collectors.joining(" "));
    }

    private void runPlan() {
        String failure = "";
        try {
            if (output.getParentFile() != null)
                output.getParentFile().mkdirs();
            LargeFile.process(pipeline, input, output, settings, this);
        } catch (EngineException e) {
            failure = e.getMessage();
        } catch (OutOfMemoryError e) {
            failure = "ImageJ is out of memory; close images, or raise its limit with Edit>Options>Memory & Threads";
        }
        String sentence = failure;
        EventQueue.invokeLater(() -> listener.ended(sentence));
    }

    @Override
    public boolean progressed(String what, long done, long all, double left, String plan, String line) {
        if (line != null)
            EventQueue.invokeLater(() -> listener.printed(line));
        if (plan != null) {
            EventQueue.invokeLater(() -> listener.planned(plan));
            return awaitBegin();
        }
        EventQueue.invokeLater(() -> listener.progressed(what, done, all, left));
        return !isStopped();
    }

    /** Waits until the user accepts or rejects the plan. */
    private synchronized boolean awaitBegin() {
        while (!begins && !isStopped()) {
            try {
                wait(100);
            } catch (InterruptedException e) {
                stops = true;
            }
        }
        return !stops;
    }

    private synchronized boolean isStopped() {
        stops |= IJ.escapePressed();
        return stops;
    }
}
