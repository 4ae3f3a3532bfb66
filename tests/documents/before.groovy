// SPDX-License-Identifier: BSD-3-Clause
// The image that scripts in the documents take from ImageJ.
ij.macro.Interpreter.batchMode = true
ij.WindowManager.setTempCurrentImage(ij.IJ.createImage("image", "8-bit ramp", 40, 32, 4))
