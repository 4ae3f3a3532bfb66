// SPDX-License-Identifier: BSD-3-Clause
package drua.scijava;

import drua.Drua;
import drua.DruaException;
import drua.Image;
import drua.engine.Registry;
import ij.IJ;
import ij.ImagePlus;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.scijava.command.Command;

/** A SciJava command that runs an operation on images of ImageJ. Generated commands have its parameters as fields. */
public abstract class OperationCommand implements Command {
    /** Outputs by the name of their parameter. */
    protected static final class Results {
        private final Map<String, Object> values = new HashMap<>();

        public Object get(String name) {
            return values.get(name);
        }
    }

    /** The image, or the content of the file if a file is given. */
    protected static ImagePlus image(String operation, String parameter, ImagePlus image, File file) {
        if (file == null && image == null)
            throw new DruaException(operation + ": " + parameter + " is missing; choose an image or a file");
        if (file == null)
            return image;
        ImagePlus read = file.isFile() ? IJ.openImage(file.getPath()) : null;
        if (read == null)
            throw new DruaException(operation + ": ImageJ cannot open " + file);
        return read;
    }

    /**
     * Runs an operation on the device that all commands share. Images are pushed and pulled.
     *
     * @param named the name and the value of each input, alternately; null for inputs that take their defaults
     */
    protected static Results call(String name, Object... named) {
        Drua drua = Shared.drua(); /* loads the engine, which the registry needs */
        Registry.Operation operation = Registry.get().operations.get(name);
        List<Image> used = new ArrayList<>();
        try {
            Map<String, Object> inputs = new LinkedHashMap<>();
            String title = name;
            for (int i = 0; i < named.length; i += 2) {
                Object value = named[i + 1];
                if (value instanceof ImagePlus) {
                    title = inputs.isEmpty() ? name + " of " + ((ImagePlus) value).getTitle() : title;
                    used.add(drua.push((ImagePlus) value));
                    value = used.get(used.size() - 1);
                }
                if (value != null)
                    inputs.put((String) named[i], value instanceof File ? ((File) value).getPath() : value);
            }
            return results(drua, operation, inputs, outputs(operation, drua.op(name, inputs)), title, used);
        } finally {
            used.forEach(Image::close);
        }
    }

    private static Results results(Drua drua, Registry.Operation operation, Map<String, Object> inputs,
        Object[] outputs, String title, List<Image> used) {
        Results results = new Results();
        int o = 0;
        for (Registry.Parameter p : operation.parameters) {
            Object value = p.kind.isOutput()          ? outputs[o++]
                : p.kind == Registry.Kind.IMAGE_INOUT ? inputs.get(p.name)
                                                      : null;
            if (value instanceof Image && p.kind.isOutput())
                used.add((Image) value);
            results.values.put(p.name, value instanceof Image ? drua.pull((Image) value, title) : value);
        }
        return results;
    }

    /** The outputs in order, from the result of {@link Drua#op}. */
    private static Object[] outputs(Registry.Operation operation, Object result) {
        long count = operation.parameters.stream().filter(p -> p.kind.isOutput()).count();
        if (count == 1)
            return new Object[] {result};
        if (!(result instanceof double[]))
            return (Object[]) result;
        List<Object> numbers = new ArrayList<>();
        for (double number : (double[]) result)
            numbers.add(number);
        return numbers.toArray();
    }
}
