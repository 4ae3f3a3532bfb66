// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonValue;
import drua.engine.Engine;
import drua.engine.Native;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs a folder of JSON cases: {@code Cases FOLDER MAPPINGS}. A folder with inputs.json holds macro calls with their
 * results; any other folder holds single operations and chains of operations. MAPPINGS is a folder with cases.tsv and
 * golden.tsv, which its README describes. Prints one line for each failure and ends with 'N passed, N failed, N
 * skipped'. Exit status 1 if a case failed.
 */
final class Cases {
    private int passed, failed, skipped;

    private Cases() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: drua.test.Cases FOLDER MAPPINGS");
            System.exit(2);
        }
        String note = Native.note(Engine.context());
        if (!note.isEmpty())
            throw new IllegalStateException("not the device that DRUA_DEVICE names: " + note);
        Cases cases = new Cases();
        File inputs = new File(args[0], "inputs.json");
        if (inputs.exists()) {
            GoldenCases golden =
                new GoldenCases(read(inputs.toPath()), new Mapping(new File(args[1], "golden.tsv")), cases);
            for (Path file : files(args[0]))
                if (!file.endsWith("inputs.json"))
                    golden.run(read(file));
        } else {
            OperationCases operations = new OperationCases(new Mapping(new File(args[1], "cases.tsv")), cases);
            for (Path file : files(args[0]))
                operations.run(file.getFileName().toString().replace(".json", ""), read(file));
        }
        System.out.println(cases.passed + " passed, " + cases.failed + " failed, " + cases.skipped + " skipped");
        System.exit(cases.failed == 0 && cases.passed + cases.skipped > 0 ? 0 : 1);
    }

    private static List<Path> files(String folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(new File(folder).toPath())) {
            all.filter(file -> file.toString().endsWith(".json")).sorted().forEach(files::add);
        }
        return files;
    }

    private static Object read(Path file) throws IOException {
        return toPlainObjects(Json.parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)));
    }

    /** Converts objects to LinkedHashMap, arrays to ArrayList, and numbers to Double. */
    private static Object toPlainObjects(JsonValue json) {
        if (json.isObject()) {
            Map<String, Object> map = new LinkedHashMap<>();
            json.asObject().forEach(member -> map.put(member.getName(), toPlainObjects(member.getValue())));
            return map;
        }
        if (json.isArray()) {
            List<Object> list = new ArrayList<>();
            json.asArray().forEach(element -> list.add(toPlainObjects(element)));
            return list;
        }
        if (json.isNumber())
            return json.asDouble();
        return json.isString() ? json.asString() : json.isNull() ? null : (Object) json.asBoolean();
    }

    /** Counts a case. `wrong` is null for a pass, else the description of the failure. */
    void result(String name, String wrong) {
        if (wrong == null) {
            passed++;
        } else {
            failed++;
            String line = wrong.trim().replaceAll("\\s+", " ");
            System.out.println("FAIL " + name + ": " + (line.length() > 500 ? line.substring(0, 500) + " ..." : line));
        }
    }

    void skip() {
        skipped++;
    }
}
