// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.Prefs;
import java.awt.Rectangle;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Places of windows that ImageJ keeps between sessions: one for each size of the screen. */
public final class KeptPlace {
    private KeptPlace() {}

    private static String key(String window, Rectangle screen) {
        return "drua.place." + window + "." + screen.width + "x" + screen.height;
    }

    /** @param dividers further numbers, such as places of dividers */
    public static void keep(String window, Rectangle screen, Rectangle place, int... dividers) {
        String numbers = Arrays.stream(dividers).mapToObj(number -> "," + number).collect(Collectors.joining());
        Prefs.set(key(window, screen),
            (place.x - screen.x) + "," + (place.y - screen.y) + "," + place.width + "," + place.height + numbers);
    }

    /** The kept position; null if none is on the screen. */
    public static Rectangle of(String window, Rectangle screen) {
        int[] kept = numbers(window, screen);
        if (kept.length < 4)
            return null;
        Rectangle place = new Rectangle(screen.x + kept[0], screen.y + kept[1], kept[2], kept[3]);
        return !place.isEmpty() && screen.contains(place) ? place : null;
    }

    /** A kept divider; 0 if none is kept. */
    public static int divider(String window, Rectangle screen, int index) {
        int[] kept = numbers(window, screen);
        return kept.length > 4 + index ? Math.max(0, kept[4 + index]) : 0;
    }

    private static int[] numbers(String window, Rectangle screen) {
        String text = Prefs.get(key(window, screen), "");
        boolean areNumbers = text.matches("(-?\\d{1,6},)+-?\\d{1,6}");
        return areNumbers ? Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray() : new int[0];
    }
}
