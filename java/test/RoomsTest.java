// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Packages use only the packages that the table in java/README.md allows, and drua.pipeline has no windows. As
 * docs/security.md promises, only WarmUp starts a process, and no class opens a network connection. Runs in the
 * project's folder.
 */
final class RoomsTest {
    private static final Pattern ROW = Pattern.compile("\\| `(drua[.a-z]*)` \\|.*\\| ([a-z, ]*)\\|");
    private static final Pattern USE = Pattern.compile("import (?:static )?(drua(?:\\.[a-z]+)?)\\.[A-Z].*");
    private static final Pattern OUTSIDE =
        Pattern.compile("openConnection|Socket|HttpClient|ProcessBuilder|getRuntime\\(\\)\\.exec");

    private RoomsTest() {}

    public static void main(String[] args) throws IOException {
        Map<String, List<String>> rooms = new LinkedHashMap<>();
        for (String line : lines(Paths.get("java/README.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches())
                rooms.put(row.group(1), Arrays.asList(row.group(2).trim().split(", ")));
        }
        int passed = 0, failed = 0;
        for (Path file : sources()) {
            String room = file.getParent().toString().replaceAll(".*\\bsrc.", "").replaceAll("\\W", "."),
                   wrong = findFault(file, room, rooms);
            passed += wrong == null ? 1 : 0;
            failed += wrong == null ? 0 : 1;
            if (wrong != null)
                System.out.println("FAIL " + file + ": " + wrong);
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    private static String findFault(Path file, String room, Map<String, List<String>> rooms) throws IOException {
        if (!rooms.containsKey(room))
            return "java/README.md has no room " + room;
        for (String line : lines(file)) {
            Matcher use = USE.matcher(line);
            if (use.matches() && !rooms.get(room).contains(use.group(1).replace("drua.", "")))
                return room + " may not use " + use.group(1);
            if (room.equals("drua.pipeline") && line.matches("import (javax\\.swing|drua\\.dialog)\\..*"))
                return "it has windows";
            Matcher outside = OUTSIDE.matcher(line);
            if (outside.find() && !file.endsWith("WarmUp.java"))
                return "it uses " + outside.group() + ", which docs/security.md excludes";
        }
        return null;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(Paths.get("java/src"))) {
            return all.filter(file -> file.toString().endsWith(".java")).sorted().collect(Collectors.toList());
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.UTF_8);
    }
}
