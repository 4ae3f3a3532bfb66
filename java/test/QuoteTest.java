// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import com.eclipsesource.json.Json;
import drua.engine.FileName;
import drua.engine.Quote;
import ij.macro.Interpreter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;

/**
 * Lets the interpreter of each output language read Drua's literals. The value must be the title, and no part of the
 * title may run as code. DRUA_SEED chooses random titles.
 */
final class QuoteTest extends Expectations {
    private static final String ZERO = "a\0b", HALF = "a\ud83db";

    private final File folder;
    private final Hostile hostile;
    private final List<String> titles;

    private QuoteTest(File folder, long seed) {
        this.folder = folder;
        hostile = new Hostile(new File(folder, "ran").getPath());
        titles = hostile.titles(seed, 200);
    }

    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(System.getenv().getOrDefault("DRUA_SEED", "1"));
        QuoteTest test = new QuoteTest(Files.createTempDirectory("quote").toFile(), seed);
        test.macro();
        test.scripts();
        test.checkJava();
        test.groovy();
        test.jython();
        test.c();
        test.shell();
        test.json();
        test.python();
        test.csv();
        test.html();
        test.xml();
        settings();
        expect("no title has run, DRUA_SEED=" + seed, false, new File(test.hostile.ran).exists());
        fileNames();
        newNames(test.titles);
        System.exit(sum());
    }

    /** Compares title by title; a failure shows the literal. */
    private void expectSame(
        String language, List<String> expected, List<String> got, Function<String, String> literal) {
        expect(language + ": titles read", expected.size(), got.size());
        for (int i = 0; i < Math.min(expected.size(), got.size()); i++) {
            String shown = literal.apply(expected.get(i));
            expect(
                language + " " + shown.substring(0, Math.min(400, shown.length())), units(expected.get(i)), got.get(i));
        }
    }

    /** Writes a text as the numbers of its UTF-16 code units, which any output can carry. */
    private static String units(String text) {
        return text.chars().mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    private List<String> with(String... more) {
        List<String> all = new ArrayList<>(titles);
        all.addAll(Arrays.asList(more));
        return all;
    }

    // ---- languages in this process

    private void macro() {
        List<String> got = new ArrayList<>(), expected = with(ZERO, HALF);
        for (String title : expected) {
            String q = Quote.macro(title);
            String macro = "x = " + q + ";\ny = f(" + q + ");\nif (x != y) exit(\"differs\");\nreturn y;\n"
                + "/* */ function f(x) { return x; }\n";
            got.add(units(String.valueOf(new Interpreter().run(macro, ""))));
        }
        expectSame("macro", expected, got, Quote::macro);
    }

    /** The recorder's literal in Java, JavaScript, BeanShell and Python, which all read JSON's escapes. */
    private void scripts() throws Exception {
        List<String> lines =
            titles.stream().map(t -> "rename(" + Quote.macro(t) + ");\n\t").collect(Collectors.toList());
        lines.removeIf(line -> line.length() > 60000); /* maximum size of a constant in a Java class file */
        expectSame("script", lines,
            lines.stream().map(l -> units(Json.parse(Quote.script(l)).asString())).collect(Collectors.toList()),
            Quote::script);
        checkJava(lines, Quote::script);
    }

    private void checkJava(List<String> texts, Function<String, String> literal) throws Exception {
        StringBuilder source = new StringBuilder("public class Lines { public static final String[] ALL = {");
        for (String text : texts)
            source.append("new String(").append(literal.apply(text)).append("),\n");
        File file = new File(folder, "Lines.java");
        Files.write(file.toPath(), source.append("}; }\n").toString().getBytes(StandardCharsets.US_ASCII));
        expect("javac", 0, ToolProvider.getSystemJavaCompiler().run(null, null, null, file.getPath()));
        try (
            java.net.URLClassLoader loader = new java.net.URLClassLoader(new java.net.URL[] {folder.toURI().toURL()})) {
            String[] read = (String[]) loader.loadClass("Lines").getField("ALL").get(null);
            expectSame("Java", texts, Arrays.stream(read).map(QuoteTest::units).collect(Collectors.toList()), literal);
        }
    }

    private void checkJava() throws Exception {
        checkJava(with(ZERO, HALF), Quote::java);
    }

    // ---- languages in separate processes

    private String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder);
        builder.environment().remove("LD_PRELOAD");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] part = new byte[65536];
        try (InputStream in = process.getInputStream()) {
            for (int n = in.read(part); n > 0; n = in.read(part))
                bytes.write(part, 0, n);
        }
        expect("exit status of " + command[0], 0, process.waitFor());
        return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    }

    private void write(String name, String text) throws IOException {
        Files.write(new File(folder, name).toPath(), text.getBytes(StandardCharsets.US_ASCII));
    }

    private static List<String> splitAt(String text, String end) {
        List<String> parts = new ArrayList<>(Arrays.asList(text.split(end, -1)));
        parts.remove(parts.size() - 1);
        return parts;
    }

    /** Skipped if Groovy's jar is not beside ImageJ's. */
    private void groovy() throws Exception {
        File groovy = LiveRunTest.jar("groovy-");
        if (groovy == null) {
            System.out.println("Groovy is not tested: its jar is not beside ImageJ's");
            return;
        }
        StringBuilder script = new StringBuilder("def units(text) { println text.chars().toArray().join(' ') }\n");
        List<String> expected = with(ZERO, HALF);
        for (int i = 0; i < expected.size(); i++) /* a method of Java has at most 64 KB */
            script.append("def f" + i + "() { units(")
                .append(Quote.groovy(expected.get(i)))
                .append(") }\nf" + i + "()\n");
        write("script.groovy", script.toString());
        String printed = run(System.getProperty("java.home") + "/bin/java", "-cp", groovy.getPath(),
            "groovy.ui.GroovyMain", "script.groovy");
        expectSame("Groovy", expected, splitAt(printed, "\n"), Quote::groovy);
    }

    private void jython() throws Exception {
        File jython = LiveRunTest.jython();
        if (jython == null) {
            System.out.println("Jython is not tested: its jar is not beside ImageJ's");
            return;
        }
        StringBuilder script = new StringBuilder("from java.lang import String\ndef units(text):\n"
            + "    print(' '.join([str(c) for c in String(text).chars().toArray()]))\n");
        List<String> expected = with(ZERO);
        for (String title : expected)
            script.append("units(").append(Quote.jython(title)).append(")\n");
        write("script.py", script.toString());
        String printed = run(System.getProperty("java.home") + "/bin/java", "-Dpython.cachedir.skip=true", "-cp",
            jython.getPath(), "org.python.util.jython", "script.py");
        expectSame("Jython", expected, splitAt(printed, "\n"), Quote::jython);
        expect("Jython refuses half a pair", true, failure(() -> Quote.jython(HALF)).contains("cannot be written"));
    }

    private void c() throws Exception {
        StringBuilder program = new StringBuilder("#include <stdio.h>\nstatic const char *const all[] = {\n");
        for (String title : titles)
            program.append(Quote.c(title)).append(",\n");
        program.append("};\nint main(void)\n{\n    for (size_t i = 0; i < sizeof all / sizeof *all; i++)\n"
            + "        fwrite(all[i], 1, __builtin_strlen(all[i]) + 1, stdout);\n    return 0;\n}\n");
        write("all.c", program.toString());
        run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-trigraphs", "all.c", "-o", "all");
        expectSame("C", titles, splitAt(run("./all"), "\0").stream().map(QuoteTest::units).collect(Collectors.toList()),
            Quote::c);
        for (String title : new String[] {ZERO, HALF})
            expect(
                "C refuses " + Quote.macro(title), true, failure(() -> Quote.c(title)).contains("cannot be written"));
    }

    private void shell() throws Exception {
        StringBuilder script = new StringBuilder("set -eu\n");
        for (String title : titles)
            script.append("printf '%s\\000' ").append(Quote.shell(title)).append('\n');
        Files.write(new File(folder, "all.sh").toPath(), script.toString().getBytes(StandardCharsets.UTF_8));
        expectSame("shell", titles,
            splitAt(run("sh", "all.sh"), "\0").stream().map(QuoteTest::units).collect(Collectors.toList()),
            Quote::shell);
    }

    private void json() throws Exception {
        List<String> expected = with(ZERO);
        String all = expected.stream().map(Quote::json).collect(Collectors.joining(",\n", "[", "]"));
        expectSame("JSON", expected,
            Json.parse(all).asArray().values().stream().map(v -> units(v.asString())).collect(Collectors.toList()),
            Quote::json);
        write("all.json", all);
        python(
            "import json\nfor t in json.load(open('all.json')): units(t)\n", "JSON in Python", expected, Quote::json);
    }

    /** UTF-8 refuses the two halves of a character, so that a literal with halves fails. */
    private void python() throws Exception {
        write("titles.py", titles.stream().map(Quote::python).collect(Collectors.joining(",\n", "titles = [", "]\n")));
        python("from titles import titles\nfor t in titles:\n    t.encode('utf-8')\n    units(t)\n", "Python", titles,
            Quote::python);
    }

    /** The cells that macros/examples/batch.ijm writes with its own function. */
    private void csv() throws Exception {
        byte[] batch = Files.readAllBytes(new File("macros/examples/batch.ijm").toPath());
        String text = new String(batch, StandardCharsets.UTF_8), cell = text.substring(text.indexOf("function cell("));
        cell = cell.substring(0, cell.indexOf("\n}\n") + 3);
        StringBuilder all = new StringBuilder();
        for (String title : titles)
            all.append(new Interpreter().run("x = cell(" + Quote.macro(title) + ");\nreturn x;\n" + cell, ""))
                .append(",1\r\n");
        Files.write(new File(folder, "all.csv").toPath(), all.toString().getBytes(StandardCharsets.UTF_8));
        python("import csv\nfor row in csv.reader(open('all.csv', newline='', encoding='utf-8')):\n"
                + "    assert len(row) == 2 and row[1] == '1', row\n    units(row[0])\n",
            "CSV", titles, Quote::macro);
    }

    private void html() throws Exception {
        String all = titles.stream().map(t -> Quote.html(t) + "\0").collect(Collectors.joining());
        Files.write(new File(folder, "all.html").toPath(), all.getBytes(StandardCharsets.UTF_8));
        python("import html\nfor t in open('all.html', newline='', encoding='utf-8').read().split('\\0')[:-1]:\n"
                + "    assert not set('<>\"') & set(t), t\n    units(html.unescape(t))\n",
            "HTML", titles, Quote::html);
    }

    private void xml() throws Exception {
        StringBuilder all = new StringBuilder("<all>");
        List<String> given = new ArrayList<>(titles);
        given.addAll(Arrays.asList(HALF, ZERO, "\u0001", "\ufffe\uffff", "]]>", "<!-- -- -->"));
        given.forEach(title -> all.append("<t a=\"").append(Quote.xml(title)).append("\"/>"));
        byte[] bytes = all.append("</all>").toString().getBytes(StandardCharsets.UTF_8);
        expect("elements of XML", given.size(),
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(bytes))
                .getElementsByTagName("t")
                .getLength());
        expect("marks of XML", "&lt;&amp;\ufffd&gt;\ud83d\ude00", Quote.xml("<&\uffff>\ud83d\ude00"));
    }

    private static void settings() {
        expect("a setting without spaces", "4G", Quote.setting("4G"));
        expect("a setting with a space", "'my device'", Quote.setting("my device"));
        expect("a setting with an apostrophe", "\"it's\"", Quote.setting("it's"));
        expect("a setting with both kinds of quotation marks", true,
            failure(() -> Quote.setting("it's \"x\"")).contains("both kinds"));
    }

    private void python(String script, String language, List<String> expected, Function<String, String> literal)
        throws Exception {
        write("read.py",
            "import csv\ncsv.field_size_limit(10 ** 6)\ndef units(text):\n"
                + "    code = text.encode('utf-16-le', 'surrogatepass')\n"
                + "    print(' '.join(str(code[i] + 256 * code[i + 1]) for i in range(0, len(code), 2)))\n" + script);
        try {
            expectSame(language, expected, splitAt(run("python3", "read.py"), "\n"), literal);
        } catch (IOException e) {
            System.out.println(language + " is not tested: " + e.getMessage());
        }
    }

    // ---- file names

    private static void fileNames() {
        String[] refused = {"", ".", "..", "../x", "/x", "a/b", "a\\b", "C:x", "a\nb", "a\u007f", ZERO, HALF, ".x",
            "x.", "x ", " x", "con", "NUL.tif", "Com1", "lpt9.x", "aux .x", "a*", "a?", "a\"", "a<", "a>", "a|",
            new String(new char[201]).replace('\0', 'x'), new String(new char[101]).replace('\0', '\u00b5')};
        for (String name : refused)
            expect("a name that is no file name is refused: " + Quote.macro(name), true,
                !failure(() -> FileName.check("the result", name)).isEmpty());
        String[] taken = {"x", "result1", "my result (2)", "a.b", "\u00b5m", "console", "com", "nul1", "a;b", "$(x)",
            "a'b", new String(new char[200]).replace('\0', 'x')};
        for (String name : taken)
            expect("a file name is accepted: " + name, "", failure(() -> FileName.check("the result", name)));
        Set<String> used = new HashSet<>();
        FileName.take("Blur", used);
        expect("two names that are one file on some systems are refused",
            "two results would be saved in the same file 'blur'; give them different names",
            failure(() -> FileName.take("blur", used)));
    }

    private static void newNames(List<String> titles) {
        Set<String> used = new HashSet<>(), names = new HashSet<>();
        List<String> all = new ArrayList<>(titles);
        all.addAll(Arrays.asList("A", "a", "a-2", "a", "CON", "nul.tif", "..", ".hidden", "x.tif", "x", ZERO, HALF));
        for (String title : all) {
            String name = FileName.of(title, used);
            expect("a name for " + Quote.macro(title), "", failure(() -> FileName.check("the image", name)));
            expect("the new name is not used yet: " + name, true, names.add(name.toLowerCase(java.util.Locale.ROOT)));
        }
    }
}
