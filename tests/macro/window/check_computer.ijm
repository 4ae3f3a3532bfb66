// SPDX-License-Identifier: BSD-3-Clause
// The report on this computer opens in a window whose text can be copied.
// expect: The answer comes first
// expect: Java and ImageJ are listed
// expect: 8 operations are correct
run("Check This Computer");
selectWindow("Drua on This Computer");
report = getInfo("window.contents");
if (startsWith(report, "Drua works on this computer and uses "))
    print("The answer comes first");
if (indexOf(report, "\nJava ") > 0 && indexOf(report, "\nImageJ 1.") > 0)
    print("Java and ImageJ are listed");
lines = split(report, "\n");
correct = 0;
for (i = 0; i < lines.length; i++)
    correct += endsWith(lines[i], " correct");
print(correct + " operations are correct");
