// SPDX-License-Identifier: BSD-3-Clause
var said = "";
newImage("image", "8-bit ramp", 20, 10, 1);
run("Set Measurements...", "area mean min display redirect=None decimal=3");
say("open at first: " + isOpen("Results"));
makeRectangle(0, 0, 5, 5);
run("Measure");
makeRectangle(5, 5, 10, 5);
run("Measure");
say("open: " + isOpen("Results") + ", rows " + nResults + ", mean " + getResult("Mean", 1) + ", label " + getResultLabel(0));
selectWindow("Results");
say("front: " + front("Results") + ", " + getInfo("window.type"));
say(getInfo("window.contents"));
saveAs("Results", getArgument() + "results.csv");
say(File.openAsString(getArgument() + "results.csv"));
IJ.renameResults("Results", "First");
say("renamed: " + isOpen("Results") + " " + isOpen("First") + ", rows " + nResults);
selectImage("image");
run("Measure");
say("after another: " + nResults + " " + isOpen("Results"));
selectWindow("First");
say("first has " + Table.size + ", " + Table.get("Mean", 0));
IJ.renameResults("Second");
say("front: " + front("Second"));
setResult("More", nResults, 7);
say("pending: " + nResults);
updateResults();
selectWindow("Results");
saveAs("Text", getArgument() + "text.txt");
say(File.openAsString(getArgument() + "text.txt"));
IJ.deleteRows(0, 0);
say("less: " + nResults);
selectWindow("Results");
run("Close");
say("closed: " + isOpen("Results") + ", " + nResults);
setResult("Value", 0, 3);
selectImage("image");
run("Measure");
say("measured: " + nResults + ", " + Table.headings);
run("Clear Results");
say("cleared: " + nResults + " " + isOpen("Results"));
close("Results");
say("closed: " + isOpen("Results"));
close("Second");
say("closed: " + isOpen("Second"));
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
