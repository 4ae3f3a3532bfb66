// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Invocation;
import drua.imagej.Watch;
import ij.IJ;
import ij.measure.ResultsTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Runs a step's command on images of a context and holds its results. */
final class StepCall {
    /** The device's image names, by variable. */
    final Map<String, String> images = new LinkedHashMap<>();
    /** Numbers and texts that the command has found, by variable. */
    final Map<String, Object> found = new LinkedHashMap<>();
    /** Native.info of the first image; null without an image. */
    final long[] info;
    /** Null without measurements. */
    final ResultsTable table;

    /**
     * Runs the command to its end. If it fails, no image remains.
     *
     * @param what  name of the work, see {@link Watch}
     * @param named maps a variable to the device's name of an input image
     * @param names provides names for new images
     * @param stop  whether the command should end; another thread calls this often
     */
    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    StepCall(long context, Step step, String what, UnaryOperator<String> named, Supplier<String> names,
        BooleanSupplier stop) {
        int count = step.values.size();
        String[] texts = new String[count];
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            Registry.Kind kind = step.command.arguments.get(i).kind;
            Object value = step.values.get(i);
            if (kind == Registry.Kind.IMAGE_IN)
                texts[i] = named.apply((String) value);
            else if (kind == Registry.Kind.IMAGE_OUT)
                images.put((String) value, texts[i] = names.get());
            else if (kind == Registry.Kind.TEXT_OUT)
                texts[i] = "";
            else if (value instanceof Double)
                numbers[i] = (Double) value;
            else if (!kind.isOutput())
                texts[i] = (String) value;
        }
        boolean complete = false;
        try (Watch watch = Watch.begin(context, what, stop)) {
            Object[] made = Invocation.command(context, 0, step.command, texts, numbers, new Object[count], IJ::log);
            Native.sync(context);
            for (int i = 0; i < count; i++) {
                Registry.Kind kind = step.command.arguments.get(i).kind;
                if (kind == Registry.Kind.NUMBER_OUT || kind == Registry.Kind.TEXT_OUT)
                    found.put(
                        (String) step.values.get(i), kind == Registry.Kind.NUMBER_OUT ? (Object) numbers[i] : texts[i]);
            }
            table = made == null ? null : new ResultsTable();
            if (made != null)
                Invocation.append(table, made);
            info = step.images().isEmpty()
                ? null
                : Native.info(context, Native.find(context, images.get(step.images().get(0))));
            complete = true;
        } finally {
            if (!complete)
                images.values().forEach(name -> release(context, name));
        }
    }

    /** Frees an image if it exists. */
    static void release(long context, String name) {
        if (Native.exists(context, name))
            Native.releaseName(context, name);
    }
}
