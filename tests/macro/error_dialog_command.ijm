// SPDX-License-Identifier: BSD-3-Clause
// The answers are for the macro's own dialogs, not for a command without options.
// only: patched
// options: --dialog width=4
// error: Size... needs a window, but there is no display
// expect: 4
Dialog.create("Settings");
Dialog.addNumber("Width", 3);
Dialog.show();
width = Dialog.getNumber();
print(width);
newImage("dots", "8-bit black", 9, 9, 1);
run("Size...");
