// SPDX-License-Identifier: BSD-3-Clause
// The end of each topic; `said` collects its result. A new window is in front at once in ImageJ, later on the desktop.
function say(text) {
    said += text + "\n";
    if (getInfo("java.awt.headless") != "true")
        call("Display.waitForWindows");
}

function front(title) {
    for (k = 0; k < 200 && getInfo("window.title") != title; k++)
        wait(20);
    if (getInfo("java.awt.headless") != "true")
        call("Display.waitUntilActive", title);
    return getInfo("window.title");
}
