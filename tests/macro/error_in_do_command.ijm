// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// error: Unrecognized command: "No Such Command"
doCommand("No Such Command");
wait(5000);
print("not reached");
