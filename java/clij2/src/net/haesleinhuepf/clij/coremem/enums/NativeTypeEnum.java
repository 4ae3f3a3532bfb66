// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij.coremem.enums;

/** The element types that CLIJ2 names. Drua has no images of Long, UnsignedLong, HalfFloat and Double. */
public enum NativeTypeEnum {
    Byte(1, "int8"),
    UnsignedByte(1, "uint8"),
    Short(2, "int16"),
    UnsignedShort(2, "uint16"),
    Int(4, "int32"),
    UnsignedInt(4, "uint32"),
    Long(8, null),
    UnsignedLong(8, null),
    HalfFloat(2, null),
    Float(4, "float32"),
    Double(8, null);

    private final long bytes;
    private final String type;

    NativeTypeEnum(long bytes, String type) {
        this.bytes = bytes;
        this.type = type;
    }

    /** Bytes of one element. */
    public long getSizeInBytes() {
        return bytes;
    }

    /** The name of this type in Drua, such as float32; null if Drua does not have the type. */
    public String druaType() {
        return type;
    }

    /** The type with that name in Drua. */
    public static NativeTypeEnum ofDrua(String type) {
        for (NativeTypeEnum candidate : values())
            if (type.equals(candidate.type))
                return candidate;
        throw new IllegalArgumentException("CLIJ2 has no name for the type " + type);
    }
}
