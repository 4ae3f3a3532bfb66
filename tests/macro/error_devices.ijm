// SPDX-License-Identifier: BSD-3-Clause
// The error names a device that does not exist.
// error: Drua_eSRRF: devices must be 'all' or names of devices of this computer, separated by commas; no device is called 'nothing'
// error: in line 7
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_blinkingEmitters(movie, truth, 16, 16, 4, 20, 1.2, 5000, 20, 2, 0.3, 1, 0, 0);
Ext.Drua_eSRRF(movie, sharp, "magnification=2 devices=0,nothing");
