// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import ij.ImagePlus;
import ij.ImageStack;
import ij.plugin.filter.EDM;
import java.util.Map;

/** Pulls images from the device, applies ImageJ's filters on the host, and pushes the results. */
final class FilterCommands {
    private FilterCommands() {}

    public static void imageJWatershed(Call call) {
        long context = call.context(), source = call.image("source"), cut = 0;
        ImagePlus mask = Images.pullBinary(context, source, "mask");
        ImageStack planes = mask.getStack();
        for (int z = 1; z <= planes.getSize(); z++)
            new EDM().toWatershed(planes.getProcessor(z));
        Map<String, Registry.Operation> operations = Registry.get().operations;
        try {
            int dimension = (int) Native.info(context, source)[3];
            cut = Images.push(context, mask.getWidth(), mask.getHeight(), planes.getSize(), dimension, Images.UINT8,
                z -> planes.getPixels(z + 1), 0);
            Object[] arguments = {source, cut, null};
            call.put(call.destination("destination"), old -> {
                arguments[2] = old == 0 ? null : (Object) old;
                return (Long) Invocation.run(context, operations.get("binary_and"), arguments)[0];
            });
        } finally {
            if (cut != 0)
                Native.release(context, cut);
        }
    }
}
