// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.IJ;
import ij.ImagePlus;
import ij.macro.Interpreter;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineManager;
import javax.script.ScriptException;

/** Runs a script in Jython, Groovy, JavaScript or BeanShell, whose jar must be on the class path. */
final class Script {
    private static final List<String> ENDINGS = Arrays.asList("py", "groovy", "js", "bsh");
    private static final String[] LANGUAGES = {"Jython", "Groovy", "JavaScript", "BeanShell"};
    /** How Jython reports sys.exit(). */
    private static final Pattern EXIT = Pattern.compile("(?m)^SystemExit(?:: (.*))?$");

    /** Values of script parameters. */
    final Map<String, Object> values = new LinkedHashMap<>();
    /** Names of the script parameters that are images; their values are files. */
    final List<String> images = new ArrayList<>();
    /** Names of variables to print at the end. */
    final List<String> outputs = new ArrayList<>();
    /** The words after the file, if the script has no parameters. */
    String[] arguments = {};

    private final String file, ending;

    private Script(String file, String ending) {
        this.file = file;
        this.ending = ending;
    }

    /** The script in a file; null if its name does not end as that of a script. */
    static Script of(String file) {
        String ending = file.substring(file.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return ENDINGS.contains(ending) ? new Script(file, ending) : null;
    }

    /** Runs the text of the script, prints its error if it fails, and returns its exit status. */
    int run(String code) {
        Interpreter.batchMode = true; /* images that the script shows need no window */
        try {
            for (String image : images)
                values.put(image, openFile((File) values.get(image)));
            Map<String, Object> variables = ending.equals("groovy") ? groovy(code) : evaluate(code);
            for (String output : outputs)
                System.out.println(output + " = " + variables.get(output));
            return 0;
        } catch (ScriptException | RuntimeException | IOException | StackOverflowError e) {
            return status(e);
        } catch (ReflectiveOperationException e) {
            return status(e.getCause() == null ? e : e.getCause());
        }
    }

    private static ImagePlus openFile(File file) {
        ImagePlus image = file.isFile() ? IJ.openImage(file.getPath()) : null;
        if (image == null)
            throw new IllegalStateException("ImageJ cannot open the image " + file);
        return image;
    }

    /** The variables after the script. */
    private Map<String, Object> evaluate(String code) throws ScriptException, IOException {
        ScriptEngine engine = new ScriptEngineManager(Script.class.getClassLoader()).getEngineByExtension(ending);
        if (engine == null)
            throw missingLanguage();
        engine.put(ScriptEngine.FILENAME, file);
        engine.put(ScriptEngine.ARGV, arguments);
        engine.put("args", arguments);
        values.forEach(engine::put);
        try {
            engine.eval(code);
        } finally {
            engine.getContext().getWriter().flush();
        }
        Map<String, Object> variables = new LinkedHashMap<>();
        outputs.forEach(name -> variables.put(name, engine.get(name)));
        return variables;
    }

    /** Calls Groovy itself, because its engine for javax.script is in a different jar. */
    private Map<String, Object> groovy(String code) throws ReflectiveOperationException {
        Class<?> type, binding;
        try {
            type = Class.forName("groovy.lang.GroovyShell");
            binding = Class.forName("groovy.lang.Binding");
        } catch (ClassNotFoundException e) {
            throw missingLanguage();
        }
        Map<String, Object> variables = new LinkedHashMap<>(values);
        variables.put("args", arguments);
        Object shell =
            type.getConstructor(binding).newInstance(binding.getConstructor(Map.class).newInstance(variables));
        type.getMethod("evaluate", String.class, String.class).invoke(shell, code, new File(file).getName());
        return variables;
    }

    private IllegalStateException missingLanguage() {
        return new IllegalStateException(file + " needs " + LANGUAGES[ENDINGS.indexOf(ending)]
            + ": add its jar to the class path, or run this from Fiji's folder with the class path "
            + "\"jars/*:plugins/*\"");
    }

    /** Returns the exit status of a script that failed or called sys.exit(). Prints the error, if there is one. */
    private int status(Throwable failure) {
        String text = String.valueOf(failure.getCause() == null ? failure : failure.getCause());
        Matcher exit = EXIT.matcher(text);
        if (exit.find()) {
            String status = exit.group(1) == null ? "0" : exit.group(1);
            if (status.matches("\\d{1,3}"))
                return Integer.parseInt(status);
            System.err.println(status);
            return 1;
        }
        String line = Arrays.stream(failure.getStackTrace())
                          .filter(call -> new File(file).getName().equals(call.getFileName()))
                          .findFirst()
                          .map(call -> " in line " + call.getLineNumber())
                          .orElse("");
        boolean isSentence = failure.getMessage() != null && !(failure instanceof Error);
        String message = isSentence ? failure.getMessage() : failure.toString();
        System.err.println(message.trim() + line);
        return 1;
    }
}
