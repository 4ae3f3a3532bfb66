// SPDX-License-Identifier: BSD-3-Clause
// error: The macro asks for a window, but there is no display; use ImageJ with its windows, which xvfb-run can hide, in line 5
// expect: before
print("before");
Dialog.create("Radius");
Dialog.addNumber("radius", 3);
Dialog.show();
