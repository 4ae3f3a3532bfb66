// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import drua.engine.FileName;
import drua.engine.WholeFile;
import drua.imagej.Images;
import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.Menus;
import ij.Prefs;
import ij.WindowManager;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One macro run of {@link CommandLine}, which loads no class of ImageJ before this one. */
public final class MacroRun implements Runnable {
    /** A line of plugins.config or of ImageJ's own IJ_Props.txt: "Label[shortcut]",class. */
    private static final Pattern COMMAND = Pattern.compile("^[^#\"]*\"([^\"\\[]+)(?:\\[[^\"]*)?\"\\s*,\\s*(\\S.*)$");

    private final String macro, argument;
    private final Script script;
    private final File samples, out;
    private final String answers;
    private final boolean keepsGoing;
    private int status = 1;

    /**
     * @param script     the language and variables if the text is a script, or null for a macro
     * @param samples    folder of sample images, or null
     * @param out        folder for images, tables and the Log, or null
     * @param answers    values for the macro's own dialogs, or null if a dialog stops the macro
     * @param keepsGoing whether the macro continues after a failed ImageJ command
     */
    MacroRun(String macro, String argument, Script script, File samples, File out, String answers, boolean keepsGoing) {
        this.macro = macro;
        this.argument = argument;
        this.script = script;
        this.samples = samples;
        this.out = out;
        this.answers = answers;
        this.keepsGoing = keepsGoing;
    }

    /** A run of a macro whose dialogs stop it; parameters as above. */
    public MacroRun(String macro, String argument, File samples, File out, boolean keepsGoing) {
        this(macro, argument, null, samples, out, null, keepsGoing);
    }

    public boolean succeeded() {
        return status == 0;
    }

    /** The exit status: 0 if the macro or script ended normally. */
    int status() {
        return status;
    }

    @Override
    public void run() {
        try {
            addCommands();
            HiddenWindows.install();
            DialogAnswers.give(answers);
            if (samples != null)
                Prefs.setImagesURL(samples.getCanonicalFile().toPath().toUri().toString());
            if (out != null && !out.isDirectory() && !out.mkdirs())
                throw new IOException("the folder " + out + " cannot be created; choose one where you may write");
            PrintStream screen = System.out, messages = System.err;
            WithoutTraces errors = new WithoutTraces(messages);
            FailedCommand failure = FailedCommand.watch(keepsGoing);
            int ended;
            try (LogFile log = out == null ? null : new LogFile(new File(out, "log.txt"))) {
                System.setErr(errors);
                System.setOut(new Console(screen, log, failure));
                ended = script == null ? interpret() : script.run(macro);
                boolean failed = !DialogAnswers.allRead() || failure.happened() || errors.showedError();
                if (ended == 0 && (failed || (log != null && log.isCut())))
                    ended = 1;
            } finally {
                System.setOut(screen);
                System.setErr(messages);
                failure.end();
            }
            status = out == null || save() ? ended : 1;
        } catch (IOException | ReflectiveOperationException e) {
            System.err.println("The macro could not be run: " + e.getMessage());
            status = 1;
        }
    }

    private int interpret() {
        Interpreter interpreter = new Interpreter();
        try {
            String returned = interpreter.run(macro, argument);
            return interpreter.wasError() || "[aborted]".equals(returned) ? 1 : 0;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            if (!Macro.MACRO_CANCELED.equals(e.getMessage()))
                System.err.println(FailedCommand.sentence(e, interpreter.getLineNumber()));
            else if (!interpreter.wasError()) /* otherwise the error was printed where it occurred */
                System.err.println("The macro was aborted in line " + interpreter.getLineNumber());
        } catch (OutOfMemoryError e) {
            System.err.println(
                "Java ran out of memory in line " + interpreter.getLineNumber() + "; raise the limit with -Xmx");
        }
        return 1;
    }

    /**
     * Fills ImageJ's command table from every plugins.config on the class path. Without menus, also adds ImageJ's
     * own list, and the menu commands that this list lacks (commands.config).
     */
    private void addCommands() throws IOException, ReflectiveOperationException {
        @SuppressWarnings("unchecked") Hashtable<String, String> table = Menus.getCommands();
        if (table == null) {
            table = new Hashtable<>();
            Field field = Menus.class.getDeclaredField("pluginsTable");
            field.setAccessible(true);
            field.set(null, table);
            addCommands(table, IJ.class.getResource("/IJ_Props.txt"));
            addCommands(table, MacroRun.class.getResource("commands.config"));
        }
        for (URL config : Collections.list(MacroRun.class.getClassLoader().getResources("plugins.config")))
            addCommands(table, config);
        FijiColors.add(table);
        WindowCommand.add(table);
    }

    private static void addCommands(Hashtable<String, String> table, URL config) throws IOException {
        try (InputStream in = config.openStream();
             BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                Matcher command = COMMAND.matcher(line);
                if (command.matches())
                    table.put(command.group(1), command.group(2));
            }
        }
    }

    /** Saves images and tables. An error message names each result that cannot be saved; the others are still saved. */
    private boolean save() {
        boolean all = true;
        Set<String> used = new HashSet<>(Collections.singleton("results"));
        for (ImagePlus image : HiddenWindows.imagesOrLeft())
            all &= save("image " + image.getTitle(), FileName.of(image.getTitle(), used) + ".tif",
                part -> Images.saveAsTiff(image, part));
        ResultsTable results = ResultsTable.getResultsTable();
        if (results.size() > 0)
            all &= save("results table", "results.csv", part -> CsvFile.write(results, part));
        for (String title : WindowManager.getNonImageTitles()) {
            ResultsTable table = ResultsTable.getResultsTable(title);
            if (table != null && table != results)
                all &= save("table " + title, FileName.of(title, used) + ".csv", part -> CsvFile.write(table, part));
        }
        return all;
    }

    private boolean save(String what, String name, WholeFile.Writer writer) {
        File file = new File(out, name);
        try {
            WholeFile.write(file, writer);
            return true;
        } catch (IOException e) {
            System.err.println("The " + what + " could not be saved as " + file
                + "; check the disk space and the permissions of the folder (" + e.getMessage() + ")");
            return false;
        }
    }

    /** Standard output while a macro runs. ImageJ's reports of a failed command go to FailedCommand. */
    private static final class Console extends PrintStream {
        private final PrintStream screen;
        private final FailedCommand failure;

        /** @param log receives a copy of all output, or null */
        Console(PrintStream screen, LogFile log, FailedCommand failure) {
            super(log == null ? screen : new Both(screen, log), true);
            this.screen = screen;
            this.failure = failure;
        }

        @Override
        public void println(String line) {
            if (FailedCommand.isTrace(line)) {
                screen.flush();
                failure.stop(line);
            } else if (FailedCommand.isMissing(line)) {
                screen.flush();
                failure.stopWithout(line);
            } else {
                super.println(line);
            }
        }
    }

    /** A copy of the output in a file. If the disk is full, the output still appears on the screen. */
    private static final class LogFile extends OutputStream {
        private final File file;
        private final OutputStream out;
        private boolean isCut;

        LogFile(File file) throws IOException {
            this.file = file;
            out = new FileOutputStream(file);
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            if (isCut)
                return;
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                isCut = true;
                System.err.println(
                    "The rest of the Log is not in " + file + " (" + e.getMessage() + "); check the disk space");
            }
        }

        @Override
        public void close() throws IOException {
            out.close();
        }

        boolean isCut() {
            return isCut;
        }
    }

    /** Writes to two streams. */
    private static final class Both extends OutputStream {
        private final OutputStream first, second;

        Both(OutputStream first, OutputStream second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public void write(int b) throws IOException {
            first.write(b);
            second.write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            first.write(bytes, from, length);
            second.write(bytes, from, length);
        }

        @Override
        public void flush() throws IOException {
            first.flush();
            second.flush();
        }
    }
}
