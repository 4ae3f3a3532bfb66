// SPDX-License-Identifier: BSD-3-Clause
var said = "";
newImage("one", "8-bit black", 9, 9, 1);
newImage("two", "8-bit black", 9, 9, 1);
say("" + front("two") + " " + getInfo("window.type") + " " + String.join(getList("image.titles")));
run("Text Window...", "name=Notes width=60 height=16");
print("[Notes]", "some text\n");
print("[Notes]", "more\n");
say("notes: " + isOpen("Notes"));
Table.create("Numbers");
Table.set("a", 0, 1);
Table.update;
selectImage("one");
say("image: " + getTitle());
selectWindow("Numbers");
say("front: " + front("Numbers") + " image " + getTitle());
newImage("three", "8-bit black", 9, 9, 1);
say("front: " + front("three"));
rename("four");
say("renamed: " + front("four") + " " + isOpen("four") + " " + isOpen("three"));
close("t*");
say("images: " + String.join(getList("image.titles")));
close("\\Others");
say("images: " + String.join(getList("image.titles")) + " tables " + isOpen("Numbers"));
run("Show Info...");
say("info: " + front("Info for four") + " " + (indexOf(getInfo("window.contents"), "Title: four") >= 0));
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
