// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.engine.Native;

/** An image on the device of a {@link Drua}. Close it to free its memory; closing the Drua closes all. */
public final class Image implements AutoCloseable {
    private static final String[] TYPES = {"", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"};

    private final Drua owner;
    private long handle;

    Image(Drua owner, long handle) {
        this.owner = owner;
        this.handle = handle;
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

    /** Element type: uint8, int8, uint16, int16, uint32, int32 or float32. */
    public String getType() {
        return TYPES[(int) info()[4]];
    }

    /** Frees the image. Calling it again does nothing; using the image afterwards throws DruaException. */
    @Override
    public void close() {
        synchronized (owner) {
            if (handle != 0 && owner.isOpen())
                owner.ask(context -> {
                    Native.release(context, handle);
                    return null;
                });
            handle = 0;
        }
    }

    @Override
    public String toString() {
        synchronized (owner) {
            return handle == 0 ? "closed image" : getWidth() + "x" + getHeight() + "x" + getDepth() + " " + getType();
        }
    }

    long handle(Drua user) {
        if (user != owner)
            throw new DruaException("an image belongs to the Drua that made it; pull it and push it to the other");
        if (handle == 0)
            throw new DruaException("the image was closed before this use");
        return handle;
    }

    private long[] info() {
        synchronized (owner) {
            return owner.ask(context -> Native.info(context, handle(owner)));
        }
    }
}
