// SPDX-License-Identifier: BSD-3-Clause
// Cameras need separate plugins.
// error: there is no command Ext.CLIJx_captureWebcamImage; Drua takes no pictures: take them with a plugin for your camera
// error: in line 6
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJx_captureWebcamImage(picture, 0, 640, 480);
