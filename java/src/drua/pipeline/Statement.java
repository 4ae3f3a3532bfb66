// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

/** A piece of a macro: a {@link Step}, or text that stays unchanged. Immutable. All pieces together form the macro. */
public abstract class Statement {
    /** The piece as written in the macro, with its line end. */
    public abstract String source();

    /** Text that the workbench does not show as a step: comments, loops, functions, other commands. */
    public static final class Text extends Statement {
        private final String text;

        public Text(String text) {
            this.text = text;
        }

        @Override
        public String source() {
            return text;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Text && text.equals(((Text) other).text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }
}
