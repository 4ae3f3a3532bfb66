// SPDX-License-Identifier: BSD-3-Clause
// error: The file /dev/full is not complete
// error: in line 6
// A table with a name of its own, too.
Table.create("named"); Table.set("x", 0, 7);
Table.save("/dev/full");
