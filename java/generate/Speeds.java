// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measured times of operations, read from the tables of `./dev bench` and of comparisons. For each device and size the
 * newest time counts.
 */
final class Speeds {
    /** One measured call. */
    static final class Time {
        final String device, size, day, milliseconds;

        private Time(String device, String size, String day, String milliseconds) {
            this.device = device;
            this.size = size;
            this.day = day;
            this.milliseconds = milliseconds;
        }
    }

    private static final Pattern DAY = Pattern.compile("-(\\d{4}-\\d\\d-\\d\\d)[.-]"),
                                 DEVICE = Pattern.compile("# device: ([^,(]*[^,( ]).*");
    /** The two image sizes of `drua-bench`; comparisons also have others. */
    private static final List<String> SIZES = Arrays.asList("512x512x512", "2048x2048x1");

    private final Map<String, Map<String, Time>> times = new LinkedHashMap<>();

    Speeds(Path folder) throws IOException {
        List<Path> tables;
        try (Stream<Path> files = Files.list(folder)) {
            tables = files.filter(file -> file.toString().endsWith(".tsv")).sorted().collect(Collectors.toList());
        }
        for (Path table : tables)
            read(table);
    }

    /** The times of an operation, by device and size. */
    List<Time> of(String operation) {
        return new ArrayList<>(times.getOrDefault(operation, Collections.emptyMap()).values());
    }

    private void read(Path table) throws IOException {
        Matcher day = DAY.matcher(table.getFileName().toString());
        String device = null;
        List<String> heads = null;
        for (String line : Files.readAllLines(table, StandardCharsets.UTF_8)) {
            Matcher named = DEVICE.matcher(line);
            if (device == null && named.matches())
                device = named.group(1);
            if (line.startsWith("#"))
                continue;
            List<String> cells = Arrays.asList(line.split("\t", -1));
            if (heads == null)
                heads = cells;
            else if (day.find(0) && device != null)
                keep(device, day.group(1), heads, cells);
        }
    }

    private void keep(String device, String day, List<String> heads, List<String> cells) {
        String size = cellOf(heads, cells, "size"), ms = cellOf(heads, cells, "ms") + cellOf(heads, cells, "after_ms");
        if (!SIZES.contains(size) || ms.isEmpty())
            return;
        String image = size.replaceFirst("x1$", "").replace("x", " x ") + " " + cellOf(heads, cells, "type");
        Map<String, Time> own =
            times.computeIfAbsent(cellOf(heads, cells, "name"), name -> new TreeMap<>(Collections.reverseOrder()));
        Time other = own.get(device + image);
        if (other == null || other.day.compareTo(day) <= 0)
            own.put(device + image, new Time(device, image, day, ms));
    }

    private static String cellOf(List<String> heads, List<String> cells, String head) {
        int column = heads.indexOf(head);
        return column < 0 || column >= cells.size() ? "" : cells.get(column);
    }
}
