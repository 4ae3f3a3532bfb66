// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2;

import java.util.Iterator;

public interface Cursor<T> extends Iterator<T> {}
