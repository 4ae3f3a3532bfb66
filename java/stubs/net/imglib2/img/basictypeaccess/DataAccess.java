// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.img.basictypeaccess;

public interface DataAccess {}
