// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.img.cell;

import net.imglib2.img.basictypeaccess.DataAccess;
import net.imglib2.type.NativeType;

public class LazyCellImg<T extends NativeType<T>, A extends DataAccess> {
    public LazyCellImg(CellGrid grid, T type, Get<Cell<A>> get) {
        throw new UnsupportedOperationException();
    }

    public interface Get<T> {
        T get(long index);
    }
}
