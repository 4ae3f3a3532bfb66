// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.FileName;
import drua.engine.Quote;
import drua.engine.Registry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Exports a pipeline as a C11 program that uses Drua's public interface. The program reads a TIFF file for each source
 * image. It writes the images that the macro would show as TIFF files, and measurements as tables.
 */
public final class CProgram extends Exporter {
    private static final String BEGIN = "pipeline_begin.c";

    private final Pipeline pipeline;
    private final StringBuilder body = new StringBuilder();
    private final Set<String> shown = new HashSet<>();
    private int tables;

    private CProgram(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Fails if the macro has parts that are not steps of Drua. */
    public static String of(Pipeline pipeline) {
        CProgram program = new CProgram(pipeline);
        program.addAll(pipeline);
        return program.programText();
    }

    private String programText() {
        List<String> sources = new ArrayList<>();
        for (Step source : pipeline.steps(Step.Role.SOURCE))
            sources.add(source.images().get(0).replaceAll("\\W", "") + ".tif");
        if (sources.isEmpty())
            throw new EngineException("the pipeline has no source image; add one with Edit>Add image...");
        String usage = String.join(" ", sources);
        StringBuilder text = new StringBuilder("/*\n * A pipeline from Drua's workbench. Compile it with\n"
            + " *     cc -std=c11 pipeline.c -ldrua -o pipeline\n * and run it with\n"
            + " *     ./pipeline " + usage
            + " FOLDER_OF_RESULTS\n * Exit status: 0 on success, 1 after an error message, 2 for wrong arguments.\n"
            + " */\n");
        text.append(readBeginning())
            .append("\nint main(int count, char **paths)\n{\n    if (count != ")
            .append(sources.size() + 2)
            .append(") {\n        fprintf(stderr, \"usage: %s ")
            .append(usage)
            .append(" FOLDER_OF_RESULTS\\n\", paths[0]);\n        return 2;\n    }\n    folder = paths[count - 1];\n")
            .append("    if (drua_open(NULL, &context) != DRUA_OK)\n        fail(\"no device\");\n");
        return text.append(body).append("    drua_close(context);\n    return 0;\n}\n").toString();
    }

    private static String readBeginning() {
        try (InputStream in = CProgram.class.getResourceAsStream(BEGIN)) {
            if (in == null)
                throw new EngineException("Drua's jar is damaged: " + BEGIN + " is missing; install Drua again");
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                .lines()
                .filter(line -> !line.contains("SPDX"))
                .collect(Collectors.joining("\n", "", "\n"));
        } catch (IOException e) {
            throw new EngineException("Drua's jar cannot be read (" + e.getMessage() + "); install Drua again");
        }
    }

    private void line(String code) {
        body.append("    ").append(code).append('\n');
    }

    @Override
    void addSource(Step step) {
        refuseShown(step, "a C program");
        line("read_image(paths[" + (pipeline.steps(Step.Role.SOURCE).indexOf(step) + 1) + "], "
            + name(step.images().get(0)) + ");");
    }

    @Override
    void addResult(String image) {
        FileName.check("the result", MacroText.plain(image));
        FileName.take(MacroText.plain(image), shown);
        line("write_image(" + name(image) + ");");
    }

    @Override
    void addNote(String note) {
        line("/* " + note.replace("*/", "* /") + " */");
    }

    @Override
    void addPassed(String image, String from) {
        line("RUN(\"Drua_copy\", text(" + name(from) + "), text(" + name(image) + "));");
    }

    @Override
    void addCall(Step step) {
        List<String> arguments = new ArrayList<>(), found = new ArrayList<>();
        for (int i = 0; i < step.values.size(); i++) {
            Registry.Kind kind = step.command.arguments.get(i).kind;
            Object value = step.values.get(i);
            if (kind == Registry.Kind.NUMBER_OUT || kind == Registry.Kind.TEXT_OUT)
                found.add("printf(\"%s: %" + (kind == Registry.Kind.NUMBER_OUT ? ".17g" : "s") + "\\n\", "
                    + Quote.c((String) value) + ", found[" + i
                    + (kind == Registry.Kind.NUMBER_OUT ? "].number);" : "].text);"));
            if (kind.isImage())
                arguments.add("text(" + name((String) value) + ")");
            else if (kind == Registry.Kind.TEXT_OUT)
                arguments.add("text(\"\")");
            else if (kind.isOutput())
                arguments.add("number(0)");
            else if (value instanceof Double)
                arguments.add(
                    "number(" + number((Double) value) + " /* " + step.command.arguments.get(i).name + " */)");
            else
                arguments.add("text(" + Quote.c((String) value) + ")");
        }
        boolean measures = step.command.operation.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.TABLE_OUT);
        String table = measures ? "\"results" + (tables++ == 0 ? "" : tables) + "\"" : "NULL",
               list = String.join(", ", arguments);
        if (found.isEmpty()) {
            line((measures ? "MEASURE(" + table + ", \"" : "RUN(\"") + step.command.name + "\", " + list + ");");
            return;
        }
        line("{");
        line("    drua_argument found[] = {" + list + "};");
        line("    run(\"" + step.command.name + "\", found, " + arguments.size() + ", " + table + ");");
        found.forEach(print -> line("    " + print));
        line("}");
    }

    /** Also accepts image names in quotation marks, which CLIJ's commands use. */
    private static String name(String image) {
        return Quote.c(MacroText.plain(image));
    }
}
