// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import java.awt.Color;
import javax.swing.UIManager;

/** Colours that are visible on light and dark backgrounds. */
public enum Tint {
    FAILURE(0xb00000, 0xff8080),
    /** Values of the pixel that the user points at. */
    NOTE(0x0050a0, 0x80c0ff),
    /** The dot of a step, at which its lines begin and end. */
    MARK(0x404040, 0xc0c0c0);

    private final Color onLight, onDark;

    Tint(int onLight, int onDark) {
        this.onLight = new Color(onLight);
        this.onDark = new Color(onDark);
    }

    public Color on(Color background) {
        int brightness = (2 * background.getRed() + 5 * background.getGreen() + background.getBlue()) / 8;
        return brightness < 128 ? onDark : onLight;
    }

    /** The colour of plain text in components of a kind, such as "Label" or "TextField". */
    public static Color plain(String kind) {
        return UIManager.getColor(kind + ".foreground");
    }
}
