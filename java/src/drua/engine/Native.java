// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/**
 * The C engine, call by call. Marshals and nothing else: names, defaults, naming rules and checks are the engine's.
 * Every method may be called from any thread. A failed call throws {@link EngineException} with the engine's sentence.
 */
public final class Native {
    private Native() {}

    /** Version of the loaded library, to be compared with the jar's. */
    public static native String version();

    /** All operations and commands as JSON (see drua_describe in drua.h). */
    static native String describe();

    /**
     * One device a row: name, platform, driver, version, OpenCL version, "gpu" or "cpu", then the numbers of
     * drua_device_info as text, last the extensions. Best first.
     */
    public static native String[][] devices();

    /** Opens the device that fits the wish (null: the best). Returns the context. */
    public static native long open(String wish);

    public static native void close(long context);

    /** Stops the calls that are under way; returns at once. */
    public static native void cancel(long context);

    /** How far the transfer that goes on is, 0 to 1, or -1; returns at once. */
    public static native double progress(long context);

    /** Whether kernels are compiled that a call asked for; returns at once. */
    public static native boolean isCompiling(long context);

    /** The process is about to end: returns when nothing is being compiled any more. */
    static native void prepareExit();

    /** True if the device does not answer any more. */
    public static native boolean isLost(long context);

    /** Opens the device anew; all images are gone, the context stays the same. */
    public static native void restart(long context);

    /** The context's device, as one row of {@link #devices()}. */
    public static native String[] device(long context);

    /** How the device was chosen if the wish did not fit, else "". */
    public static native String note(long context);

    /** Which better device does not serve and why, else "". */
    public static native String warning(long context);

    /** How much device memory may be in use at once, as drua_set_memory takes it. */
    public static native void setMemory(long context, String budget);

    /** How many bytes of device memory may be in use at once. */
    public static native long budget(long context);

    /**
     * Runs a macro command. Argument i is arrays[i] (double[], or {String[], long[]}: texts, or images where there is a
     * handle) if that is not null, else texts[i] if not null, else numbers[i]. Outputs are written back into texts and
     * numbers.
     *
     * @return the command's table: its headings, a String[], and its numbers row by row, a double[]; null if it makes
     *     none
     */
    public static native Object[] command(
        long context, int line, String name, String[] texts, double[] numbers, Object[] arrays);

    /**
     * Runs an operation by its own name, arguments in the order of its parameters: images[i] != 0 is a handle, else
     * arrays[i], texts[i], numbers[i] as above; kinds[i] is a drua_argument_kind. Outputs are written back.
     *
     * @param part null, or which part of the first image that is made is wanted alone (see drua_part): first x, y, z
     *     and end x, y, z;
     *             then come, as outputs, width, height and depth of the whole image and whether images had to be read
     * as a whole
     */
    public static native Object[] invoke(long context, String operation, int[] kinds, long[] images, double[] numbers,
                                  String[] texts, Object[] arrays, long[] part);

    /**
     * Sends planes to the device; they are asked for one after the other.
     *
     * @param image an image of the same shape and type that is overwritten, or 0 for a new one
     * @param type  a drua_type
     */
    public static native long push(
        long context, long image, long width, long height, long depth, int dimension, int type, Planes planes);

    /** Fills the planes (one array a slice, of the image's type and size) with the image's pixels. */
    public static native void pull(long context, long image, Object[] planes);

    /** Width, height, depth, dimension, type, bytes, and 1 for a label map, else 0. */
    public static native long[] info(long context, long image);

    public static native void bind(long context, String name, long image);

    /** The image of that name; throws with the nearest names if there is none. */
    public static native long find(long context, String name);

    /** True if a name is bound. */
    public static native boolean exists(long context, String name);

    public static native void release(long context, long image);

    public static native void releaseName(long context, String name);

    public static native void clear(long context);

    /** All names, one a line, in the order in which they were bound. */
    public static native String names(long context);

    public static native void setMetadata(long context, long image, String text);

    public static native String metadata(long context, long image);

    public static native String resultName(String command);

    public static native void sync(long context);

    /**
     * Runs a pipeline on an image file block by block (see drua_process_file in drua.h), which needs no context;
     * returns when the output is whole.
     *
     * @param watch told on this thread how far it is
     */
    public static native void processFile(
        String pipeline, String input, String output, String settings, ProcessWatch watch);

    /** Tests this computer and its devices, which takes seconds; a text for people, whatever is found. */
    public static native String checkComputer();

    /** How far the check is that began last, 0 to 1; returns at once. */
    public static native double checkProgress();

    /** Ends that check before its next step; returns at once. */
    public static native void stopCheck();

    public static native String reportMemory(long context);

    /** What the last launches did, one line each. */
    public static native String explain(long context);

    /** What calls have left for people since this was asked last, a line each; empty if nothing. */
    public static native String takeLines(long context);

    /** The first command since this was asked last whose result did not fit the image of its name; empty if none. */
    public static native String takeMisfit(long context);

    public static native void trace(long context, boolean on);

    public static native void timeLaunches(long context, boolean on);

    public static native String traceText(long context);
}
