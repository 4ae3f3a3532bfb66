// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.WarmUp;
import ij.macro.Interpreter;
import ij.macro.Program;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Finds the calls of Ext functions in the text of a running macro, in order. */
final class CallsAhead {
    private CallsAhead() {}

    /** Returns an empty list if this ImageJ does not give access to the macro's tokens. */
    static List<WarmUp.Call> of(Interpreter interpreter) {
        try {
            Field field = Interpreter.class.getDeclaredField("pgm");
            field.setAccessible(true);
            Program program = (Program) field.get(interpreter);
            List<String> tokens = new ArrayList<>();
            int[] code = program.getCode();
            for (int i = 0; i < program.getSize(); i++)
                tokens.add(program.decodeToken(code[i]));
            return findCalls(tokens);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return Collections.emptyList();
        }
    }

    private static List<WarmUp.Call> findCalls(List<String> tokens) {
        List<WarmUp.Call> calls = new ArrayList<>();
        for (int i = 0; i + 3 < tokens.size(); i++) {
            if (tokens.get(i).equals("Ext") && tokens.get(i + 1).equals(".") && tokens.get(i + 3).equals("("))
                calls.add(new WarmUp.Call(tokens.get(i + 2), arguments(tokens.subList(i + 4, tokens.size()))));
        }
        return calls;
    }

    /** The arguments up to the closing parenthesis; "" for any expression other than a number, a text or a variable. */
    private static List<String> arguments(List<String> tokens) {
        List<String> arguments = new ArrayList<>(), parts = new ArrayList<>();
        int depth = 1;
        for (String token : tokens) {
            depth += token.equals("(") || token.equals("[") ? 1 : token.equals(")") || token.equals("]") ? -1 : 0;
            if (depth == 0 && !(parts.isEmpty() && arguments.isEmpty()) || depth == 1 && token.equals(",")) {
                boolean isSigned = parts.size() == 2 && parts.get(0).equals("-") && parts.get(1).matches("[\\d.].*");
                arguments.add(parts.size() == 1 ? parts.get(0) : isSigned ? "-" + parts.get(1) : "");
                parts.clear();
            } else {
                parts.add(token);
            }
            if (depth == 0)
                break;
        }
        return arguments;
    }
}
