// SPDX-License-Identifier: BSD-3-Clause
var said = "";
say("open: " + isOpen("Log"));
print("first", 1);
print("second");
say("open: " + isOpen("Log") + " " + getInfo("log"));
selectWindow("Log");
say("front: " + front("Log") + " " + getInfo("window.type") + " " + getInfo("window.contents"));
print("\\Update:changed");
print("\\Update0:begin");
say(getInfo("log"));
selectWindow("Log");
saveAs("Text", getArgument() + "log.txt");
say(File.openAsString(getArgument() + "log.txt"));
print("\\Clear");
say("cleared: " + getInfo("log") + isOpen("Log"));
print("line\nline\n");
say(getInfo("log"));
selectWindow("Log");
run("Close");
say("closed: " + isOpen("Log") + getInfo("log"));
print("again");
say("again: " + getInfo("log"));
print("\\Close");
say("closed: " + isOpen("Log"));
newImage("image", "8-bit black", 5, 5, 1);
print("text");
close("Log");
say("closed: " + isOpen("Log") + " " + nImages);
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
