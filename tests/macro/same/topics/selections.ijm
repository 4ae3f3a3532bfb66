// SPDX-License-Identifier: BSD-3-Clause
var said = "";
say("open: " + isOpen("ROI Manager"));
newImage("image", "8-bit ramp", 30, 20, 2);
makeRectangle(1, 2, 3, 4);
roiManager("add");
makeOval(5, 5, 10, 8);
roiManager("add");
setSlice(2);
makeLine(0, 0, 10, 10);
roiManager("add");
makePolygon(1, 1, 20, 3, 8, 15);
roiManager("add");
say("open: " + isOpen("ROI Manager") + " " + roiManager("count") + " " + getInfo("window.title"));
roiManager("select", 1);
Roi.getBounds(x, y, width, height);
say("second: " + Roi.getType + " " + x + " " + y + " " + width + " " + height + ", index " + roiManager("index"));
roiManager("rename", "oval");
roiManager("Set Color", "red");
roiManager("Set Line Width", 2);
say("" + Roi.getName + " " + RoiManager.getName(1) + " " + Roi.getStrokeColor);
run("Set Measurements...", "area mean redirect=None decimal=3");
roiManager("deselect");
roiManager("measure");
say("measured " + nResults + " " + isOpen("Results") + " " + getResult("Area", 1));
roiManager("select", newArray(0, 1));
roiManager("or");
say("or: " + selectionType());
roiManager("select", newArray(1, 3));
roiManager("and");
getStatistics(area);
say("and: " + area);
roiManager("xor");
say("xor: " + selectionType());
roiManager("select", newArray(0, 1));
roiManager("combine");
roiManager("add");
say("split of: " + roiManager("count"));
roiManager("select", 4);
roiManager("split");
say("split: " + roiManager("count"));
roiManager("deselect");
roiManager("multi-measure measure_all");
say("multi: " + nResults);
roiManager("save", getArgument() + "all.zip");
roiManager("reset");
say("reset: " + roiManager("count"));
roiManager("open", getArgument() + "all.zip");
say("again: " + roiManager("count"));
roiManager("sort");
roiManager("show all");
roiManager("show none");
roiManager("remove slice info");
roiManager("select", 0);
roiManager("update");
RoiManager.selectByName("oval");
say("by name: " + RoiManager.selected + " " + roiManager("index"));
roiManager("translate", 2, 3);
roiManager("select", 0);
roiManager("delete");
say("deleted: " + roiManager("count"));
run("From ROI Manager");
say("overlay: " + Overlay.size);
roiManager("reset");
run("To ROI Manager");
say("back: " + roiManager("count") + " " + Overlay.size);
selectWindow("ROI Manager");
say("front: " + front("ROI Manager") + " " + getInfo("window.type"));
run("Close");
say("closed: " + isOpen("ROI Manager") + " " + roiManager("count") + " " + isOpen("ROI Manager"));
close("Results");
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
