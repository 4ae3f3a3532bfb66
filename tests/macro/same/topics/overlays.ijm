// SPDX-License-Identifier: BSD-3-Clause
var said = "";
newImage("image", "8-bit ramp", 30, 20, 1);
makeRectangle(1, 2, 3, 4);
Overlay.addSelection("red", 2);
makeOval(5, 5, 10, 8);
Roi.setName("oval");
run("Add Selection...", "stroke=yellow width=1");
Overlay.drawRect(2, 2, 5, 5);
Overlay.add;
Overlay.drawString("text", 10, 10);
Overlay.show;
say("size " + Overlay.size + ", hidden " + Overlay.hidden);
Overlay.activateSelection(1);
say("" + Roi.getName + " " + Roi.getType);
Overlay.removeSelection(0);
Overlay.getBounds(0, x, y, width, height);
say("" + x + " " + y + " " + width + " " + height);
run("Select None");
run("Set Measurements...", "area mean redirect=None decimal=3");
run("Measure Overlay");
say("measured " + nResults + " " + isOpen("Results") + " " + getResult("Area", 0));
Overlay.measure;
say("measured " + nResults + " " + isOpen("Results"));
run("List Elements");
say("listed: " + front("Overlay Elements of image") + " " + Table.size);
Overlay.hide;
say("hidden " + Overlay.hidden);
Overlay.copy;
newImage("other", "8-bit black", 30, 20, 1);
Overlay.paste;
say("pasted " + Overlay.size);
Overlay.flatten;
say(getTitle() + " " + bitDepth());
selectImage("other");
saveAs("Tiff", getArgument() + "overlay.tif");
close();
open(getArgument() + "overlay.tif");
say("opened " + Overlay.size);
Overlay.clear;
say("cleared " + Overlay.size);
Overlay.remove;
return said;

function say(text) {
    said += text + "\n";
}

// Windows come to the front a moment after they open.
function front(title) {
    for (k = 0; k < 200 && getInfo("window.title") != title; k++)
        wait(20);
    return getInfo("window.title");
}
