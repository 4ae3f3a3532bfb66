// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.engine.Native;
import java.util.Arrays;

/**
 * An image on the device of a {@link Drua}. Close it to free its memory; closing the Drua closes all. If the program
 * loses an image without closing it, a later call on its Drua frees it.
 */
public final class Image implements AutoCloseable {
    private static final String[] TYPES = {"", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"};

    private final Drua owner;
    private final String name;
    private Owned.Entry<Image> memory; /* null after close() */

    /**
     * The caller holds the owner's lock.
     *
     * @param origin the title of the pushed image or the command that made it, for error messages
     */
    Image(Drua owner, long handle, String origin) {
        this.owner = owner;
        name = "image " + owner.countImage() + " (" + origin.replaceAll("[^\\p{L}\\p{N} ._-]", "_") + ")";
        this.memory = owner.own(this, handle);
    }

    /** Pixels along x. */
    public int getWidth() {
        return (int) info()[0];
    }

    /** Pixels along y. */
    public int getHeight() {
        return (int) info()[1];
    }

    /** Slices. */
    public int getDepth() {
        return (int) info()[2];
    }

    /** 2 for a plane, 3 for a stack, which may have a single slice. */
    public int getDimension() {
        return (int) info()[3];
    }

    /** Element type: uint8, int8, uint16, int16, uint32, int32 or float32. */
    public String getType() {
        return TYPES[(int) info()[4]];
    }

    /** Frees the image. Calling it again does nothing; using the image afterwards throws DruaException. */
    @Override
    public void close() {
        synchronized (owner) {
            if (memory != null)
                owner.release(memory);
            memory = null;
        }
    }

    /** For Jython: with drua.push(imp) as image frees the image at the end of its block. */
    public Image __enter__() {
        return this;
    }

    public void __exit__(Object... ignored) {
        close();
    }

    @Override
    public String toString() {
        synchronized (owner) {
            return memory == null ? "closed image"
                                  : getWidth() + "x" + getHeight() + "x" + getDepth() + " " + getType();
        }
    }

    /** The engine's number (drua_type) of an element type. */
    static int typeNumber(String type) {
        int number = Arrays.asList(TYPES).indexOf(type);
        if (number < 1)
            throw new DruaException("type must be one of "
                + String.join(", ", Arrays.asList(TYPES).subList(1, TYPES.length)) + ", got '" + type + "'");
        return number;
    }

    /** The image's name on the device and in error messages; unique in its Drua. */
    String name() {
        return name;
    }

    long handle(Drua user) {
        if (user != owner)
            throw new DruaException("the image belongs to another Drua object; pull it there and push it to this one");
        if (memory == null)
            throw new DruaException("the image is already closed; close it after its last use");
        return memory.number;
    }

    private long[] info() {
        synchronized (owner) {
            return owner.ask(context -> Native.info(context, handle(owner)));
        }
    }
}
