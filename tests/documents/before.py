# SPDX-License-Identifier: BSD-3-Clause
# The image that scripts in the documents take from ImageJ.
from ij import IJ, WindowManager
from ij.macro import Interpreter

Interpreter.batchMode = True
opened = IJ.createImage("image", "8-bit ramp", 40, 32, 4)
WindowManager.setTempCurrentImage(opened)
