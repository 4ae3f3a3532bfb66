// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a macro into statements, with their blocks, and the comments between them. All pieces together form the macro.
 */
final class Statements {
    /**
     * A statement, or a line between statements. Between statements, code is ""; tail is the text from the code to the
     * line end.
     */
    static final class Piece {
        final String code, tail;

        Piece(String code, String tail) {
            this.code = code;
            this.tail = tail;
        }
    }

    private static final Pattern
        START = Pattern.compile(
            "|run\\s*\\(\\s*\"(\\w+ Macro Extensions\".*|Select None\"\\s*\\)\\s*;)|selectImage\\(\\w+\\);"),
        NAMING = Pattern.compile("(?s)\\w+\\s*=(.*);"), PLAIN = Pattern.compile("getTitle\\s*\\(\\s*\\)|[-+.\\w]+");

    private final String text;
    private int at;

    private Statements(String text) {
        this.text = text;
    }

    static List<Piece> of(String macro) {
        Statements scan = new Statements(macro);
        List<Piece> pieces = new ArrayList<>();
        while (scan.at < macro.length())
            pieces.add(scan.nextPiece());
        return pieces;
    }

    /** Fails for text that does more than start Drua and name images, because it has no meaning outside a macro. */
    static void requirePlain(String text) {
        for (Piece piece : of(text)) {
            if (Take.LINE.matcher(piece.tail).matches())
                throw new EngineException("a pipeline that runs for each channel or frame cannot be exported; choose "
                    + "'" + Take.SHOWN.label + "' at its image first");
            if (!isPlain(piece.code.trim()))
                throw new EngineException(
                    "this part of the macro is not a step and cannot be exported; save the pipeline as a macro "
                    + "instead: " + piece.code.trim().split("\n")[0]);
        }
    }

    private static boolean isPlain(String code) {
        Matcher naming = NAMING.matcher(code);
        return START.matcher(code).matches()
            || naming.matches()
            && (PLAIN.matcher(naming.group(1).trim()).matches() || MacroText.read(naming.group(1)) != null);
    }

    /** Code without comments; if texts is false, each text literal becomes "". */
    static String bare(String code, boolean texts) {
        Statements scan = new Statements(code);
        StringBuilder bare = new StringBuilder();
        while (scan.at < code.length()) {
            int start = scan.at;
            char c = code.charAt(start);
            boolean isText = c == '"' || c == '\'';
            if (scan.isComment()) {
                scan.skipComment();
                continue;
            }
            if (isText)
                scan.skipText(c);
            scan.at = Math.min(scan.at + 1, code.length());
            bare.append(isText && !texts ? "\"\"" : code.substring(start, scan.at));
        }
        return bare.toString();
    }

    /** Fails for a window that is opened by a command other than pull. */
    static void requirePull(Step step) {
        if (!step.command.operation.name.equals("pull"))
            throw new EngineException(
                step.command.name + " opens an ImageJ window and cannot be exported; use pull instead");
    }

    private Piece nextPiece() {
        int start = at;
        Matcher loop = Take.LINE.matcher(text).region(at, text.length());
        if (loop.lookingAt()) {
            at = loop.end();
            return new Piece("", text.substring(start, at));
        }
        skipSpaces();
        if (at == text.length() || text.charAt(at) == '\n' || isComment()) {
            if (isComment())
                skipComment();
            endLine();
            return new Piece("", text.substring(start, at));
        }
        int code = at;
        skipStatement();
        int end = at;
        endLine();
        return new Piece(text.substring(start, end), text.substring(Math.max(end, code), at));
    }

    private void skipSpaces() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t' || text.charAt(at) == '\r'))
            at++;
    }

    private boolean isComment() {
        return text.startsWith("//", at) || text.startsWith("/*", at);
    }

    /** A one-line comment ends before its line end. */
    private void skipComment() {
        boolean line = text.startsWith("//", at);
        int end = text.indexOf(line ? "\n" : "*/", at + 2);
        at = end < 0 ? text.length() : line ? end : end + 2;
    }

    /** Includes spaces, a one-line comment and the line end if nothing else follows on the line. */
    private void endLine() {
        skipSpaces();
        if (text.startsWith("//", at))
            skipComment();
        if (at < text.length() && text.charAt(at) == '\n')
            at++;
    }

    /** Skips to the semicolon, or to the end of a block and the parts that belong to it. */
    private void skipStatement() {
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (isComment()) {
                skipComment();
                continue;
            }
            if (c == '"' || c == '\'')
                skipText(c);
            at++;
            if (c == '(' || c == '[' || c == '{')
                depth++;
            else if (c == ')' || c == ']' || c == '}')
                depth--;
            if (depth <= 0 && (c == ';' || c == '}' && !isContinued()))
                return;
        }
    }

    /** Skips to the closing mark, or to the end of a line without one. */
    private void skipText(char mark) {
        for (at++; at < text.length() && text.charAt(at) != mark && text.charAt(at) != '\n'; at++) {
            if (text.charAt(at) == '\\')
                at++;
        }
        at = Math.min(at, text.length() - 1);
    }

    private boolean isContinued() {
        String rest = text.substring(at, Math.min(text.length(), at + 200)).trim();
        return rest.matches("(?s)(else|while)\\b.*");
    }

    /**
     * Where the arguments of a call begin and end, without the spaces around them.
     *
     * @param first the place after the opening bracket
     */
    static List<int[]> places(String code, int first) {
        List<int[]> places = new ArrayList<>();
        int depth = 0, start = first;
        char mark = 0;
        for (int i = first; i < code.length() && depth >= 0; i++) {
            char c = code.charAt(i);
            if (mark != 0) {
                if (c == '\\')
                    i++;
                else if (c == mark)
                    mark = 0;
                continue;
            }
            mark = c == '"' || c == '\'' ? c : 0;
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            if (depth < 0 || c == ',' && depth == 0) {
                String part = code.substring(start, i), word = part.trim();
                int from = start + part.indexOf(word);
                if (depth == 0 || !word.isEmpty())
                    places.add(new int[] {from, from + word.length()});
                start = i + 1;
            }
        }
        return places;
    }

    /** Splits at commas outside brackets and texts; an empty text has no parts. */
    static List<String> arguments(String list) {
        List<String> parts = new ArrayList<>();
        for (int[] place : places(list + ")", 0))
            parts.add(list.substring(place[0], place[1]));
        return parts;
    }
}
