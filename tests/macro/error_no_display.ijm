// SPDX-License-Identifier: BSD-3-Clause
// error: The macro needs a window, but there is no display (run ImageJ with a display, for example under xvfb-run) in line 5
// expect: before
print("before");
Dialog.create("Radius");
Dialog.addNumber("radius", 3);
Dialog.show();
