// SPDX-License-Identifier: BSD-3-Clause
// Commands of clijx-assistant-extensions that paint labels with a measure or a distance of MorphoLibJ. The expected
// values were worked out by hand for rectangles and a cube.
// expect: Area 0.0000 4.0000 6.0000
// expect: EulerNumber 0.0000 1.0000 1.0000
// expect: ConvexArea 0.0000 4.0000 6.0000
// expect: Convexity 0.0000 1.0000 1.0000
// expect: EllipseElongation 0.0000 1.0000 1.5000
// expect: EllipseMajorAxisLength 0.0000 1.1547 1.7321
// expect: EllipseMinorAxisLength 0.0000 1.1547 1.1547
// expect: EllipseOrientation 0.0000 0.0000 0.0000
// expect: MaximumFeret 0.0000 2.8284 3.6056
// expect: InscribedDiscRadius 0.0000 1.0000 3.0000
// expect: GeodesicElongation 0.0000 1.4142 0.6381
// expect: AverageThickness 0.0000 1.0000 3.0000
// expect: Volume 0.0000 8.0000
// expect: EulerNumber3D 0.0000 1.0000
// expect: EllipsoidMajorAxisLength 0.0000 1.2910
// expect: EllipsoidSecondMajorAxisLength 0.0000 1.2910
// expect: EllipsoidMinorAxisLength 0.0000 1.2910
// expect: InscribedBallRadius 0.0000 1.0000
// expect: 0.0 1.0 1.0 1.0 2.0 3.0
// expect: 0.0 1.0 1.0 1.0 2.0 3.0
// expect: 0.0 1.0 2.0 3.0 4.0 5.0
// expect: 0.0 1.0 2.0 3.0 4.0 5.0
// expect: 1.0 1.0 1.0 3.0 3.0 3.0
// expect: 1.0 1.0 1.0 3.0 3.0 3.0
// expect: 0.0 3.0 0.0 5.0 5.0 5.0 0.0 0.0 0.0
// expect: 2.0 0.0 3.0 0.0 1.0
// error: CLIJx_morphoLibJVolumeMap: column must be a column of measure_labels for planes, such as "AREA", got "VOLUME"
function show(name, map, places) {
    line = name;
    for (i = 0; i < places.length; i++) {
        Ext.CLIJ2_crop3D(map, one, places[i], 0, 0, 1, 1, 1);
        Ext.CLIJ2_getSumOfAllPixels(one, value);
        line += " " + d2s(value, 4);
    }
    print(line);
}
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray2D(labels, newArray(0, 1, 1, 3, 3, 3, 0, 1, 1, 3, 3, 3), 6, 2);
plane = newArray(0, 1, 3);
Ext.CLIJx_morphoLibJAreaMap(labels, map);
show("Area", map, plane);
Ext.CLIJx_morphoLibJEulerNumberMap(labels, map);
show("EulerNumber", map, plane);
Ext.CLIJx_morphoLibJConvexAreaMap(labels, map);
show("ConvexArea", map, plane);
Ext.CLIJx_morphoLibJConvexityMap(labels, map);
show("Convexity", map, plane);
Ext.CLIJx_morphoLibJEllipseElongationMap(labels, map);
show("EllipseElongation", map, plane);
Ext.CLIJx_morphoLibJEllipseMajorAxisLengthMap(labels, map);
show("EllipseMajorAxisLength", map, plane);
Ext.CLIJx_morphoLibJEllipseMinorAxisLengthMap(labels, map);
show("EllipseMinorAxisLength", map, plane);
Ext.CLIJx_morphoLibJEllipseOrientationMap(labels, map);
show("EllipseOrientation", map, plane);
Ext.CLIJx_morphoLibJMaximumFeretMap(labels, map);
show("MaximumFeret", map, plane);
Ext.CLIJx_morphoLibJInscribedDiscRadiusMap(labels, map);
show("InscribedDiscRadius", map, plane);
Ext.CLIJx_morphoLibJGeodesicElongationMap(labels, map);
show("GeodesicElongation", map, plane);
Ext.CLIJx_morphoLibJAverageThicknessMap(labels, map);
show("AverageThickness", map, plane);

Ext.CLIJ2_create3D(cubes, 4, 2, 2, 8);
Ext.CLIJ2_set(cubes, 0);
Ext.CLIJ2_drawBox(cubes, 1, 0, 0, 1, 1, 1, 1);
stack = newArray(0, 1);
Ext.CLIJx_morphoLibJVolumeMap(cubes, measures);
show("Volume", measures, stack);
Ext.CLIJx_morphoLibJEulerNumber3DMap(cubes, measures);
show("EulerNumber3D", measures, stack);
Ext.CLIJx_morphoLibJEllipsoidMajorAxisLengthMap(cubes, measures);
show("EllipsoidMajorAxisLength", measures, stack);
Ext.CLIJx_morphoLibJEllipsoidSecondMajorAxisLengthMap(cubes, measures);
show("EllipsoidSecondMajorAxisLength", measures, stack);
Ext.CLIJx_morphoLibJEllipsoidMinorAxisLengthMap(cubes, measures);
show("EllipsoidMinorAxisLength", measures, stack);
Ext.CLIJx_morphoLibJInscribedBallRadiusMap(cubes, measures);
show("InscribedBallRadius", measures, stack);

Ext.CLIJx_morphoLibJDistanceToLabelBorderMap(labels, border);
Ext.CLIJ2_print(border);
Ext.CLIJx_morphoLibJChamferDistanceMap(labels, distance);
Ext.CLIJ2_print(distance);
Ext.CLIJx_morphoLibJDilateLabels(labels, wider, 2);
Ext.CLIJ2_print(wider);
Ext.CLIJ2_pushArray2D(hills, newArray(0, 7, 0, 9, 8, 9, 0, 3, 0), 9, 1);
Ext.CLIJx_simpleITKHMaxima(hills, lower, 4);
Ext.CLIJ2_print(lower);
Ext.CLIJ2_pushArray2D(valleys, newArray(1, 3, 1, 2, 0), 5, 1);
Ext.CLIJ2_pushArray2D(everywhere, newArray(1, 1, 1, 1, 1), 5, 1);
Ext.CLIJx_morphoLibJClassicWatershed(valleys, everywhere, basins, 0, 255);
Ext.CLIJ2_print(basins);
Ext.CLIJx_morphoLibJVolumeMap(labels, map);
