// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The text of a macro file without the byte order mark that some editors write. */
public final class MacroFile {
    private static final char MARK = '\uFEFF';

    public final String text;
    /** Charset for writing the text back: UTF-8, or Latin-1 if the file used it. */
    public final Charset charset;

    private MacroFile(String text, Charset charset) {
        this.text = text;
        this.charset = charset;
    }

    /** Decodes UTF-16 with a byte order mark, then UTF-8, then Latin-1, which ImageJ itself writes. */
    public static MacroFile of(byte[] bytes) {
        int first = bytes.length < 2 ? 0 : (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
        if (first == 0xfeff || first == 0xfffe)
            return new MacroFile(new String(bytes, StandardCharsets.UTF_16), StandardCharsets.UTF_8);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            boolean marked = !text.isEmpty() && text.charAt(0) == MARK;
            return new MacroFile(marked ? text.substring(1) : text, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            return new MacroFile(new String(bytes, StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1);
        }
    }
}
