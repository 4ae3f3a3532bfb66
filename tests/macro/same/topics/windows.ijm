// SPDX-License-Identifier: BSD-3-Clause
var said = "";
newImage("one", "8-bit black", 9, 9, 1);
newImage("two", "8-bit black", 9, 9, 1);
say(getInfo("window.title") + " " + getInfo("window.type") + " " + String.join(getList("image.titles")));
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
say("front: " + getInfo("window.title") + " image " + getTitle());
newImage("three", "8-bit black", 9, 9, 1);
say("front: " + getInfo("window.title"));
rename("four");
say("renamed: " + getInfo("window.title") + " " + isOpen("four") + " " + isOpen("three"));
close("t*");
say("images: " + String.join(getList("image.titles")));
close("\\Others");
say("images: " + String.join(getList("image.titles")) + " tables " + isOpen("Numbers"));
run("Show Info...");
say("info: " + getInfo("window.title") + " " + (indexOf(getInfo("window.contents"), "Title: four") >= 0));
return said;

function say(text) {
    said += text + "\n";
}
