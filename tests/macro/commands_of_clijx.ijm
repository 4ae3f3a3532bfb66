// SPDX-License-Identifier: BSD-3-Clause
// Published macros look for this command in the menus to find out whether clijx-assistant-extensions is installed.
// expect: both
List.setCommands;
if (List.get("CLIJ2 Macro Extensions") != "" &&
    List.get("MorphoLibJ Marker-controlled Watershed (CLIJx, experimental)") != "")
    print("both");
