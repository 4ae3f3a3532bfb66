// SPDX-License-Identifier: BSD-3-Clause
var said = "";
newImage("blobs", "8-bit black", 40, 30, 1);
setColor(255);
fillRect(2, 2, 5, 5);
fillRect(12, 3, 6, 4);
fillRect(20, 15, 10, 10);
run("Set Measurements...", "area mean centroid perimeter shape redirect=None decimal=3");
setThreshold(128, 255);
run("Analyze Particles...", "size=0-Infinity show=Nothing display clear summarize add");
say("rows " + nResults + ", selections " + roiManager("count") + " " + isOpen("Results") + " " + isOpen("Summary") + " " + isOpen("ROI Manager"));
say("" + getResult("Area", 0) + " " + getResult("Area", 2) + " " + getResult("Circ.", 1));
selectWindow("Summary");
say("" + front("Summary") + " " + getInfo("window.type") + " " + Table.size);
say(getInfo("window.contents"));
saveAs("Results", getArgument() + "summary.csv");
say(File.openAsString(getArgument() + "summary.csv"));
selectImage("blobs");
run("Analyze Particles...", "size=30-Infinity show=Masks display exclude clear");
say("rows " + nResults + ", " + getTitle() + " " + nImages);
selectImage("blobs");
run("Analyze Particles...", "size=0-Infinity display summarize");
say("rows " + nResults + " " + isOpen("Summary"));
run("Summarize");
say("summarized " + nResults + " " + getResultLabel(nResults - 1) + " " + getResult("Area", nResults - 4));
saveAs("Results", getArgument() + "summarized.csv");
say(File.openAsString(getArgument() + "summarized.csv"));
newImage("stack", "8-bit black", 20, 20, 3);
setColor(255);
for (i = 1; i <= 3; i++) {
    setSlice(i);
    fillRect(i, i, 4, 4);
}
setThreshold(128, 255);
run("Analyze Particles...", "  show=Nothing display clear summarize stack");
say("stack " + nResults + " " + isOpen("Summary of stack") + " " + Table.size("Summary of stack"));
run("Clear Results");
run("Set Measurements...", "mean min redirect=None decimal=1");
selectImage("stack");
for (i = 1; i <= 3; i++) {
    setSlice(i);
    run("Measure");
    setResult("Slice", nResults - 1, i);
}
updateResults();
say("" + nResults + " " + getResult("Slice", 2) + " " + Table.headings);
run("Set Measurements...", "area mean min redirect=None decimal=2");
makeRectangle(0, 0, 5, 5);
run("Measure");
selectWindow("Results");
say(getInfo("window.contents"));
makePoint(3, 3);
run("Measure");
makeLine(1, 1, 5, 4);
run("Measure");
say("" + nResults + " " + Table.headings + " " + getResult("Length", nResults - 1));
return said;
