// SPDX-License-Identifier: BSD-3-Clause
// A name that no dialog has is an error, because the field that was meant kept its default.
// only: patched
// options: --dialog radus=4
// error: --dialog: no dialog of the macro has a field named radus
// expect: 3
Dialog.create("Settings");
Dialog.addNumber("Radius", 3);
Dialog.show();
radius = Dialog.getNumber();
print(radius);
