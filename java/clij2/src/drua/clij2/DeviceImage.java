// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.Drua;
import drua.DruaException;
import drua.Image;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;

/** One image of a Drua under CLIJ2's names. Its pixels may move to another Image, but its size and type stay. */
public abstract class DeviceImage {
    private final Drua owner;
    private Image image;
    private String name = "";

    protected DeviceImage(Drua owner, Image image) {
        this.owner = owner;
        this.image = image;
    }

    /** The image in Drua's own Java API. Closing this object closes the image. */
    public Image image() {
        return image;
    }

    /** Takes over another image of the same size and type, and frees the present one. */
    void replace(Image other) {
        image.close();
        image = other;
    }

    public long[] getDimensions() {
        return getDimension() == 2 ? new long[] {getWidth(), getHeight()}
                                   : new long[] {getWidth(), getHeight(), getDepth()};
    }

    public long getDimension() {
        return image.getDimension();
    }

    public long getWidth() {
        return image.getWidth();
    }

    public long getHeight() {
        return image.getHeight();
    }

    public long getDepth() {
        return image.getDepth();
    }

    public long getVolume() {
        return getWidth() * getHeight() * getDepth();
    }

    public long getLength() {
        return getVolume();
    }

    public long getPixelSizeInBytes() {
        return getNativeType().getSizeInBytes();
    }

    public long getSizeInBytes() {
        return getVolume() * getPixelSizeInBytes();
    }

    public long getNumberOfChannels() {
        return 1;
    }

    public NativeTypeEnum getNativeType() {
        return NativeTypeEnum.ofDrua(image.getType());
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name == null ? "" : name;
    }

    /** Copies the pixels into an image of the same size and type. */
    protected final void copy(DeviceImage destination) {
        if (!Arrays.equals(getDimensions(), destination.getDimensions())
            || getNativeType() != destination.getNativeType())
            throw new DruaException(
                "copyTo: the destination must have the size and type of the source, " + this + ", got " + destination);
        owner.command("CLIJ2_copy", image, destination.image());
    }

    public void writeTo(Buffer buffer, boolean wait) {
        expect(buffer, "writeTo");
        for (Object slice : slices()) {
            if (slice instanceof byte[])
                ((ByteBuffer) buffer).put((byte[]) slice);
            else if (slice instanceof float[])
                ((FloatBuffer) buffer).put((float[]) slice);
            else if (slice instanceof int[])
                ((IntBuffer) buffer).put((int[]) slice);
            else if (buffer instanceof ShortBuffer)
                ((ShortBuffer) buffer).put((short[]) slice);
            else
                for (short value : (short[]) slice)
                    ((CharBuffer) buffer).put((char) value);
        }
    }

    public void readFrom(Buffer buffer, boolean wait) {
        expect(buffer, "readFrom");
        Object[] slices = new Object[(int) getDepth()];
        for (int z = 0; z < slices.length; z++)
            slices[z] = readArray(buffer, (int) (getWidth() * getHeight()));
        read(slices);
    }

    /** The pixels, one array per slice. */
    final Object[] slices() {
        return owner.pullArrays(image);
    }

    /** Replaces the pixels with one array for each slice. */
    void read(Object[] slices) {
        replace(owner.pushArrays(image.getType(), slices, getDimensions()));
    }

    private static Object readArray(Buffer buffer, int pixels) {
        if (buffer instanceof ByteBuffer) {
            byte[] slice = new byte[pixels];
            ((ByteBuffer) buffer).get(slice);
            return slice;
        }
        if (buffer instanceof FloatBuffer) {
            float[] slice = new float[pixels];
            ((FloatBuffer) buffer).get(slice);
            return slice;
        }
        if (buffer instanceof IntBuffer) {
            int[] slice = new int[pixels];
            ((IntBuffer) buffer).get(slice);
            return slice;
        }
        short[] slice = new short[pixels];
        if (buffer instanceof ShortBuffer)
            ((ShortBuffer) buffer).get(slice);
        else
            for (int i = 0; i < pixels; i++)
                slice[i] = (short) ((CharBuffer) buffer).get();
        return slice;
    }

    private static boolean isBufferOfType(Buffer buffer, NativeTypeEnum type) {
        switch ((int) type.getSizeInBytes()) {
        case 1:
            return buffer instanceof ByteBuffer;
        case 2:
            return buffer instanceof ShortBuffer || buffer instanceof CharBuffer;
        default:
            return type == NativeTypeEnum.Float ? buffer instanceof FloatBuffer : buffer instanceof IntBuffer;
        }
    }

    private void expect(Buffer buffer, String method) {
        boolean right = isBufferOfType(buffer, getNativeType());
        if (!right || buffer.remaining() < getVolume())
            throw new DruaException(method + ": the buffer must hold " + getVolume() + " elements of the type "
                + getNativeType() + ", got "
                + (buffer == null ? "nothing" : buffer.remaining() + " in a " + buffer.getClass().getSimpleName()));
    }

    public void close() {
        image.close();
    }

    @Override
    public String toString() {
        return (name.isEmpty() ? "" : name + ": ") + image;
    }
}
