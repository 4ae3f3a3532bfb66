// SPDX-License-Identifier: BSD-3-Clause
// error: The file /dev/full is not complete
// error: in line 7
// If the disk is full, saving the Results table is an error.
setResult("x", 0, 7);
updateResults();
saveAs("Results", "/dev/full");
