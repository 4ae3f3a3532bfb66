// SPDX-License-Identifier: BSD-3-Clause
// error: full.txt is not complete
// error: in line 9
// ImageJ buffers lines, so the failure shows only when the file is closed.
path = getDirectory("temp") + "full.txt";
exec("ln", "-sf", "/dev/full", path);
f = File.open(path);
print(f, "a line");
File.close(f);
