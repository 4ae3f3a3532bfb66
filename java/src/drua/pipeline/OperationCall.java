// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Registry;
import java.util.ArrayList;
import java.util.List;

/** A step as a call of its operation, for languages that call operations instead of macro commands. */
final class OperationCall {
    /** A parameter of the operation and its value. */
    static final class Part {
        final Registry.Parameter parameter;
        /** The macro's variable of an image or output, else a Double or a text. Null: an unnamed output, a default. */
        final Object value;

        Part(Registry.Parameter parameter, Object value) {
            this.parameter = parameter;
            this.value = value;
        }

        boolean isImage() {
            return parameter.kind.isImage();
        }

        boolean isTable() {
            return parameter.kind == Registry.Kind.TABLE_OUT;
        }
    }

    /** The parameters in the order of the operation. */
    final List<Part> inputs = new ArrayList<>(), outputs = new ArrayList<>();

    /** Fails for a command whose image differs in type from that of its operation. language: for the message. */
    OperationCall(Step step, String language) {
        for (Registry.Parameter p : step.command.operation.parameters) {
            int i = argument(step, p);
            if (i >= 0 && step.command.arguments.get(i).typed)
                throw new EngineException(step.command.name
                    + " makes an image of another type than the same operation in " + language
                    + "; replace it with a command of CLIJ2 or Drua");
            Object left = p.kind.isOutput() ? null : step.command.fixed.getOrDefault(p.name, p.defaultValue);
            (p.kind.isOutput() ? outputs : inputs).add(new Part(p, i < 0 ? left : step.values.get(i)));
        }
    }

    private static int argument(Step step, Registry.Parameter p) {
        for (int i = 0; i < step.values.size(); i++) {
            if (step.command.arguments.get(i).name.equals(p.name))
                return i;
        }
        return -1;
    }
}
