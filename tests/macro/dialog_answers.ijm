// SPDX-License-Identifier: BSD-3-Clause
// The option --dialog answers the macro's own dialogs. Fields that it does not name keep their defaults.
// only: patched
// options: --dialog radius=4 --dialog method=Li --dialog folder=/nowhere --dialog action=Stop --dialog fill
// expect: 4 2 Li 1
// expect: /nowhere Stop
Dialog.create("Settings");
Dialog.addMessage("A message", 12, "#000080");
Dialog.addNumber("Radius of the ball", 3, 1, 4, "pixels");
Dialog.addSlider("Sigma", 0, 9, 2);
Dialog.addChoice("Method", newArray("Otsu", "Li"));
Dialog.addCheckbox("Fill holes", false);
Dialog.setLocation(10, 10);
Dialog.show();
radius = Dialog.getNumber();
sigma = Dialog.getNumber();
print(radius, sigma, Dialog.getChoice(), Dialog.getCheckbox());
Dialog.createNonBlocking("Next");
Dialog.addDirectory("Folder", "/somewhere");
Dialog.addRadioButtonGroup("Action", newArray("Go on", "Stop"), 2, 1, "Go on");
Dialog.show();
print(Dialog.getString(), Dialog.getRadioButton());
