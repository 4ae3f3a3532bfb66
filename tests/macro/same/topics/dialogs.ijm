// SPDX-License-Identifier: BSD-3-Clause
// Dialogs with more than numbers: variables in options, text areas, folders, buttons, histograms, tools.
var said = "";

newImage("signed", "16-bit black", 4, 1, 1);
setPixel(0, 0, 32768 - 5);
run("Calibrate...", "function=[Straight Line] unit=[Gray Value] text1=[0 32768] text2=[-32768 0]");
say("calibrated " + calibrate(getPixel(0, 0)));
close();

newImage("stack", "8-bit ramp", 32, 16, 6);
total = 3;
label = "micron";
width = 0.25;
run("Properties...", "channels=1 slices=2 frames=total unit=&label pixel_width=width pixel_height=0.5 voxel_depth=0x10");
getDimensions(x, y, channels, slices, frames);
getVoxelSize(w, h, d, unit);
say("properties " + channels + " " + slices + " " + frames + " " + w + " " + h + " " + d + " " + unit);
method = "Min";
run("Bin...", "x=2 y=2 bin=&method");
say("binned " + getWidth() + " " + getPixel(7, 0));
sigma = 1.5;
run("Gaussian Blur...", "sigma=sigma stack");
say("blurred " + getPixel(7, 3));
run("Add...", "value=" + 3 + " stack");
say("added " + getPixel(7, 3));
folder = getArgument() + "sequence";
File.makeDirectory(folder);
run("Image Sequence... ", "dir=" + folder + "/ format=TIFF name=a");
list = getFileList(folder);
say("saved " + list.length + " " + list[0]);
run("Image Sequence...", "dir=" + folder + "/ filter=t002 sort");
say("opened " + nSlices + " " + getWidth());
close();
run("Convolve...", "text1=[0 0 0\n0 2 0\n0 0 0\n] stack");
say("convolved " + getPixel(7, 3));
makeRectangle(2, 2, 4, 3);
run("Enlarge...", "enlarge=1 pixel");
Roi.getBounds(rx, ry, rw, rh);
say("enlarged " + rx + " " + ry + " " + rw + " " + rh);
run("Specify...", "width=3 height=2 x=1 y=1 slice=2");
Roi.getBounds(rx, ry, rw, rh);
say("specified " + rx + " " + ry + " " + rw + " " + rh + " " + getSliceNumber());
close();

newImage("ramp", "16-bit ramp", 64, 64, 1);
run("Calibration Bar...", "location=[Upper Right] fill=White label=Black number=5 decimal=0 font=12 zoom=1 overlay");
say("bar " + Overlay.size);
Overlay.remove;
run("Histogram");
Plot.getValues(values, counts);
say(getTitle() + " " + getWidth() + " " + getHeight() + " " + values.length + " " + values[3] + " " + counts[3]);
close();
run("Histogram", "bins=16 x_min=0 x_max=65536 y_max=Auto");
Plot.getValues(values, counts);
say(getTitle() + " " + values.length + " " + values[3] + " " + counts[3]);
close();
run("Set Measurements...", "area mean redirect=None decimal=3");
for (i = 1; i < 9; i++) {
    makeRectangle(0, 0, i, i);
    run("Measure");
}
run("Distribution...", "parameter=Mean automatic");
Plot.getValues(values, counts);
say(getTitle() + " " + values.length + " " + values[1] + " " + counts[1]);
close();

setTool("oval");
say("tool " + IJ.getToolName() + " " + toolID);
setTool("multipoint");
say("tool " + IJ.getToolName());
setTool(4);
say("tool " + IJ.getToolName());
setTool("rectangle");
run("Line Width...", "line=3");
run("Arrow Tool...", "width=4 size=12 color=Red style=Notched");
makeArrow(1, 1, 9, 9, "");
say("arrow " + Roi.getType + " " + Roi.getStrokeWidth);
return said;
