// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.type.logic;

public class BitType {
    public void set(boolean value) {
        throw new UnsupportedOperationException();
    }
}
