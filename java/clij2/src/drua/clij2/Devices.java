// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.Drua;
import drua.DruaException;
import drua.engine.Native;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Facts about devices. Callers have opened a device or asked {@link Drua#devices} before. */
public final class Devices {
    /* columns of Native.devices() */
    private static final int NAME = 0, PLATFORM = 1, DRIVER = 2, OPENCL = 4, KIND = 5, MEMORY = 6;
    private static final Pattern VERSION = Pattern.compile("(\\d+\\.\\d+)");

    private Devices() {}

    public static String name(int index) {
        String[] names = Drua.devices();
        if (index < 0 || index >= names.length)
            throw new DruaException("CLIJ: device " + index + " does not exist; this computer has " + names.length
                + " devices, counted from 0");
        return names[index];
    }

    public static boolean contains(String name, String part) {
        return name.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }

    public static double openCl(String name) {
        Matcher version = VERSION.matcher(row(name)[OPENCL]);
        return version.find() ? Double.parseDouble(version.group(1)) : 0;
    }

    public static long memory(String name) {
        return (long) Double.parseDouble(row(name)[MEMORY]);
    }

    private static String[] row(String name) {
        return Arrays.stream(Native.devices())
            .filter(row -> row[NAME].equals(name))
            .findFirst()
            .orElseThrow(
                () -> new DruaException("the device " + name + " is no longer available; start the program again"));
    }

    /** One line for each device. */
    public static String describe() {
        Drua.devices();
        StringBuilder text = new StringBuilder();
        for (String[] row : Native.devices())
            text.append(row[NAME])
                .append(", ")
                .append(row[KIND])
                .append(", ")
                .append(row[OPENCL])
                .append(", ")
                .append(row[PLATFORM])
                .append(", ")
                .append(row[DRIVER])
                .append('\n');
        return text.toString();
    }
}
