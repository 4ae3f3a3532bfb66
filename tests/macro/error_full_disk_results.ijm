// SPDX-License-Identifier: BSD-3-Clause
// error: The file /dev/full is not complete
// error: in line 7
// A table is not saved without a word if the disk is full.
setResult("x", 0, 7);
updateResults();
saveAs("Results", "/dev/full");
