// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.type;

public interface NativeType<T extends NativeType<T>> {}
