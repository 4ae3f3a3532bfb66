// SPDX-License-Identifier: BSD-3-Clause
// The report on this computer opens in a window whose text can be copied.
// expect: Java and ImageJ are told
// expect: 8 operations are right
// expect: Drua can work on this computer.
run("Check This Computer");
selectWindow("Drua on This Computer");
report = getInfo("window.contents");
if (startsWith(report, "Java ") && indexOf(report, "\nImageJ 1.") > 0)
    print("Java and ImageJ are told");
lines = split(report, "\n");
right = 0;
for (i = 0; i < lines.length; i++)
    right += endsWith(lines[i], " right");
print(right + " operations are right");
print(lines[lines.length - 1]);
