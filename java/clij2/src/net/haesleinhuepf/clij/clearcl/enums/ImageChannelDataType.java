// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij.clearcl.enums;

import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;

/**
 * The element types of OpenCL images. Drua stores pixels in buffers, so pixels of normalized types stay integers and
 * are not scaled to 0..1.
 */
public enum ImageChannelDataType {
    SignedNormalizedInt8(NativeTypeEnum.Byte),
    SignedNormalizedInt16(NativeTypeEnum.Short),
    UnsignedNormalizedInt8(NativeTypeEnum.UnsignedByte),
    UnsignedNormalizedInt16(NativeTypeEnum.UnsignedShort),
    SignedInt8(NativeTypeEnum.Byte),
    SignedInt16(NativeTypeEnum.Short),
    SignedInt32(NativeTypeEnum.Int),
    UnsignedInt8(NativeTypeEnum.UnsignedByte),
    UnsignedInt16(NativeTypeEnum.UnsignedShort),
    UnsignedInt32(NativeTypeEnum.UnsignedInt),
    HalfFloat(NativeTypeEnum.HalfFloat),
    Float(NativeTypeEnum.Float);

    private final NativeTypeEnum type;

    ImageChannelDataType(NativeTypeEnum type) {
        this.type = type;
    }

    public NativeTypeEnum getNativeType() {
        return type;
    }
}
