// SPDX-License-Identifier: BSD-3-Clause
// error: The file /dev/full is not complete
// error: in line 6
// If the disk is full, saving a table with another name than Results is an error too.
Table.create("named"); Table.set("x", 0, 7);
Table.save("/dev/full");
