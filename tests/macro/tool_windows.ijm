// SPDX-License-Identifier: BSD-3-Clause
// Windows with controls, such as B&C, can be selected, moved and closed without a display. An image is displayed as a
// whole.
// only: patched
// expect: Channels
// expect: B&C
// expect: open 1 0
// expect: zoom 1 0,0 40,30
newImage("image", "8-bit composite-mode", 40, 30, 2, 1, 1);
run("Channels Tool...");
selectWindow("Channels");
setLocation(0, 0);
print(getInfo("window.title"));
run("Brightness/Contrast...");
selectWindow("B&C");
setLocation(-5, 210);
print(getInfo("window.title"));
run("Close");
print("open", isOpen("Channels"), isOpen("B&C"));
selectWindow("image");
getDisplayedArea(x, y, width, height);
print("zoom", getZoom(), "" + x + "," + y, "" + width + "," + height);
