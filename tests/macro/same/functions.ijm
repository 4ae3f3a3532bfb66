// SPDX-License-Identifier: BSD-3-Clause
// The end of each topic: what it returns is gathered in `said`.
function say(text) {
    said += text + "\n";
}

// Windows come to the front a moment after they open.
function front(title) {
    for (k = 0; k < 200 && getInfo("window.title") != title; k++)
        wait(20);
    return getInfo("window.title");
}
