// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/**
 * The C functions of the engine. This class only marshals arguments; the engine defines names, defaults, naming rules
 * and checks. Every method may be called from any thread. A failed call throws {@link EngineException} with the
 * engine's message.
 */
public final class Native {
    private Native() {}

    /** Version of the loaded library. The caller compares it with the jar's version. */
    public static native String version();

    /** All operations and commands as JSON (see drua_describe in drua.h). */
    static native String describe();

    /**
     * One row for each device, best first: name, platform, driver, version, OpenCL version, "gpu" or "cpu", the numbers
     * of drua_device_info as text, and the extensions.
     */
    public static native String[][] devices();

    /** Opens the device that matches `wanted` (null: the best one). Returns the context. */
    public static native long open(String wanted);

    public static native void close(long context);

    /** Stops the running calls of the context; returns at once. */
    public static native void cancel(long context);

    /** Progress of the running transfer from 0 to 1, or -1; returns at once. */
    public static native double progress(long context);

    /** True while a call waits for its kernels to compile; returns at once. */
    public static native boolean isCompiling(long context);

    /** Waits until no compilation is running. Call it before the process exits. */
    static native void prepareExit();

    /** True if the device no longer responds. */
    public static native boolean isLost(long context);

    /** Reopens the device. All images are lost; the context stays valid. */
    public static native void restart(long context);

    /** The context's device, as one row of {@link #devices()}. */
    public static native String[] device(long context);

    /** Says how the device was chosen if none matched the requested one, else "". */
    public static native String note(long context);

    /** Says which better device cannot be used and why, else "". */
    public static native String warning(long context);

    /** Sets the device memory budget in the format of drua_set_memory. */
    public static native void setMemory(long context, String budget);

    /** The device memory budget in bytes. */
    public static native long budget(long context);

    /**
     * Runs a macro command. Argument i is arrays[i] if that is not null, else texts[i] if that is not null, else
     * numbers[i]. An array is double[], or {String[], long[]}: a nonzero handle is an image, and the string counts if
     * the handle is 0. Outputs are written back into texts and numbers.
     *
     * @return the command's table: its headings (String[]) and its numbers row by row (double[]); null without a table
     */
    public static native Object[] command(
        long context, int line, String name, String[] texts, double[] numbers, Object[] arrays);

    /**
     * Runs an operation by its own name, with arguments in the order of its parameters: the handle images[i] if it is
     * not 0, else arrays[i], texts[i] or numbers[i] as in command(). kinds[i] is a drua_argument_kind. Outputs are
     * written back.
     *
     * @param part null, or the only part of the first output image to compute (see drua_part): first x, y, z and end x,
     *     y, z. On return the array also holds width, height and depth of the whole image and whether input images had
     *     to be read as a whole
     */
    public static native Object[] invoke(long context, String operation, int[] kinds, long[] images, double[] numbers,
        String[] texts, Object[] arrays, long[] part);

    /**
     * Sends planes to the device. The engine requests them one after the other.
     *
     * @param image an image of the same shape and type to overwrite, or 0 for a new one
     * @param type  a drua_type
     */
    public static native long push(
        long context, long image, long width, long height, long depth, int dimension, int type, Planes planes);

    /** Fills the planes (one array per slice, of the image's type and size) with the image's pixels. */
    public static native void pull(long context, long image, Object[] planes);

    /** Width, height, depth, dimension, type, bytes, and 1 for a label map or 0. */
    public static native long[] info(long context, long image);

    public static native void bind(long context, String name, long image);

    /** Returns the image with that name. If no image has it, the exception lists the most similar names. */
    public static native long find(long context, String name);

    /** True if a name is bound. */
    public static native boolean exists(long context, String name);

    public static native void release(long context, long image);

    public static native void releaseName(long context, String name);

    public static native void clear(long context);

    /** All names, one per line, in the order in which they were bound. */
    public static native String names(long context);

    public static native void setMetadata(long context, long image, String text);

    public static native String metadata(long context, long image);

    public static native String resultName(String command);

    /** Refuses the extension of an image for a file that will be a text. */
    public static native void checkTextPath(String path);

    public static native void sync(long context);

    /**
     * Runs a pipeline on an image file block by block (see drua_process_file in drua.h). Needs no context; returns when
     * the output is complete.
     *
     * @param watch gets the progress on this thread
     */
    public static native void processFile(
        String pipeline, String input, String output, String settings, ProcessWatch watch);

    /**
     * Tests this computer and its devices, which takes seconds. Returns a report for the user, also if a test fails.
     */
    public static native String checkComputer();

    /** Progress of the latest checkComputer() from 0 to 1; returns at once. */
    public static native double checkProgress();

    /** Stops the latest checkComputer() before its next step; returns at once. */
    public static native void stopCheck();

    public static native String reportMemory(long context);

    /** One line for each of the last kernel launches. */
    public static native String explain(long context);

    /** Notes for the user that calls left since the last takeLines(), one per line; empty without notes. */
    public static native String takeLines(long context);

    /**
     * The first command since the last takeMisfit() whose result did not fit the existing image of that name; empty if
     * there was no such command.
     */
    public static native String takeMisfit(long context);

    public static native void trace(long context, boolean on);

    public static native void timeLaunches(long context, boolean on);

    public static native String traceText(long context);
}
