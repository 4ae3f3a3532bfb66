// SPDX-License-Identifier: BSD-3-Clause
// The end of each topic: what it returns is gathered in `said`. A window is in front at once for ImageJ, for the window manager later.
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
