// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Registry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The example macro of an operation, made from its descriptor: it takes the open image, prepares the inputs, calls the
 * command and shows the results. The name and description of an image parameter determine which input it gets.
 */
final class Example {
    /**
     * For the variable of each image: the macro lines that make this image. {name} is replaced with the variable of an
     * image that must be made first.
     */
    private static final Map<String, String[]> RECIPES = new LinkedHashMap<>();
    static {
        addRecipe("image", "image = getTitle();", "Ext.Drua_push(image);");
        addRecipe("stack", "stack = getTitle();", "Ext.Drua_push(stack);");
        addRecipe("title", "title = getTitle();");
        addRecipe("blurred", "Ext.Drua_gaussianBlur({image}, blurred, 5, 5, 1);");
        addRecipe("mask", "Ext.Drua_automaticThreshold({image}, mask, \"Otsu\");");
        addRecipe("otherMask", "Ext.Drua_circularShift({mask}, otherMask, 12, 8, 0);");
        addRecipe("labels", "Ext.Drua_voronoiOtsuLabeling({image}, labels, 3, 1);");
        addRecipe("otherLabels", "Ext.Drua_dilateLabels({labels}, otherLabels, 4);");
        addRecipe("inner", "Ext.Drua_excludeLabelsOnEdges({labels}, inner);");
        addRecipe("cells", "Ext.Drua_dilateLabels({labels}, cells, 12);");
        addRecipe("spots", "Ext.Drua_reduceLabelsToCentroids({labels}, centres);",
            "Ext.Drua_greaterConstant(centres, spots, 0);");
        addRecipe("tops", "Ext.Drua_labelSpots({otherSpots}, tops);");
        addRecipe("otherSpots", "Ext.Drua_detectMaxima({blurred}, otherSpots, 2, 2, 2, false);");
        addRecipe("points", "Ext.Drua_centroidsOfLabels({labels}, points);");
        addRecipe("allPoints", "Ext.Drua_centroidsOfBackgroundAndLabels({labels}, allPoints);");
        addRecipe(
            "valuePoints", "Ext.Drua_pushArray2d(valuePoints, newArray(20, 60, 100, 30, 70, 110, 1, 2, 3), 3, 3);");
        addRecipe("distances", "Ext.Drua_generateDistanceMatrix({allPoints}, allPoints, distances);");
        addRecipe("nearest", "Ext.Drua_nClosestPoints({distances}, nearest, 4);");
        addRecipe("touches", "Ext.Drua_generateTouchMatrix({cells}, touches);");
        addRecipe("adjacency", "Ext.Drua_touchMatrixToAdjacencyMatrix({touches}, adjacency);");
        addRecipe("flags", "Ext.Drua_flagLabelsOnEdges({labels}, flags);");
        addRecipe("perLabel", "Ext.Drua_countTouchingNeighbors({touches}, perLabel);");
        addRecipe("sizes", "Ext.Drua_pixelCountMap({cells}, sizes);");
        addRecipe("rgb", "Ext.Drua_subStack({stack}, rgb, 6, 8);");
        addRecipe("sharpness", "Ext.Drua_tenengrad({stack}, sharpness, false);");
        addRecipe("wave", "Ext.Drua_convertFloat({image}, ramp);", "Ext.Drua_setRampY(ramp);",
            "Ext.Drua_multiplyImageAndScalar(ramp, angle, 0.1);", "Ext.Drua_sine(angle, sine);",
            "Ext.Drua_multiplyImageAndScalar(sine, wave, 5);");
        addRecipe("result", "Ext.Drua_copy({image}, result);");
        addRecipe("soft", "Ext.Drua_gaussianBlur({image}, soft, 2, 2, 0);");
        addRecipe(
            "signed", "Ext.Drua_convertFloat({image}, values);", "Ext.Drua_addImageAndScalar(values, signed, -60);");
        addRecipe(
            "oneWay", "Ext.Drua_pushArray2d(oneWay, newArray(0, 9, 2, 7, 1, 0, 8, 3, 6, 4, 0, 5, 2, 1, 9, 0), 4, 4);");
        addRecipe("psf", "Ext.Drua_create2d(point, 15, 15, 32);", "Ext.Drua_drawBox(point, 7, 7, 0, 0, 0, 0, 1);",
            "Ext.Drua_gaussianBlur(point, psf, 2, 2, 0);");
        addRecipe("beads", "Ext.Drua_phantom(dots, \"beads\", 96, 96, 64, 1000, 1, 32, 1);",
            "Ext.Drua_gaussianBlur(dots, beads, 2, 2, 2);");
        addRecipe("spectrum", "Ext.Drua_forwardFft({image}, spectrum);");
        addRecipe("colorVectors",
            "Ext.Drua_pushArray(colorVectors, newArray(0.65, 0.07, 0.27, 0.70, 0.99, 0.57, 0.29, 0.11, 0.78), 3, 3, "
                + "1);");
        addRecipe("drift", "Ext.Drua_estimateDrift({stack}, drift, 4);");
        addRecipe("transforms", "Ext.Drua_estimateRegistration({swaying}, transforms, \"translation\", \"previous\");");
        addRecipe("transform",
            "Ext.Drua_pushArray2d(transform, newArray(0.9, 0.2, 0, 5, -0.2, 0.9, 0, 18, 0, 0, 1, 0), 4, 3);");
        addRecipe("area", "Ext.Drua_copySlice({mask}, area, 0);");
        addRecipe("landmarks",
            "Ext.Drua_pushArray2d(landmarks, newArray(10, 10, 20, 14, 110, 20, 104, 24, 20, 100, 16, 90, 100, 110, "
                + "110, 104), 4, 4);");
        addRecipe("deformation", "Ext.Drua_estimateDeformation({image}, {moved}, deformation);");
        addRecipe("moved", "Ext.Drua_circularShift({image}, moved, 2, 1, 0);");
        addRecipe("coefficients", "Ext.Drua_pushArray2d(coefficients, newArray(2, 1, 1, 3), 2, 2);");
        addRecipe("rightSide", "Ext.Drua_pushArray2d(rightSide, newArray(8, 9), 1, 2);");
        addRecipe("features",
            "Ext.Drua_generateFeatureStack({image}, features, \"original gaussianblur=1 sobelofgaussian=1\");");
        addRecipe("classes", "Ext.Drua_addImageAndScalar({mask}, classes, 1);");
        addRecipe(
            "forest", "Ext.Drua_pushArray2d(forest, newArray(1, 60, 1, 0, 0, -1, 0, 0, 1, 0, -1, 0, 0, 0, 1), 5, 3);");
        addRecipe("undefined", "Ext.Drua_divideImages({image}, {mask}, undefined);");
        addRecipe("cut", "Ext.Drua_mask({image}, {mask}, cut);");
        addRecipe("darker", "Ext.Drua_minimumBox({image}, darker, 4, 4, 0);");
        addRecipe("brighter", "Ext.Drua_maximumBox({image}, brighter, 4, 4, 0);");
        addRecipe("marked", "Ext.Drua_copy({mask}, marked);", "Ext.Drua_drawBox(marked, 0, 60, 0, 128, 2, 1, 2);");
        addRecipe("touching", "Ext.Drua_create2d(touching, 128, 128, 8);",
            "Ext.Drua_drawSphere(touching, 45, 60, 0, 26, 26, 1, 1);",
            "Ext.Drua_drawSphere(touching, 88, 68, 0, 24, 24, 1, 1);");
        addRecipe("swaying", "Ext.Drua_circularShift({image}, shifted, 12, 8, 0);",
            "Ext.Drua_concatenateStacks({image}, shifted, pair);", "Ext.Drua_concatenateStacks(pair, pair, swaying);");
        addRecipe("movedStack", "Ext.Drua_circularShift({stack}, movedStack, 5, 3, 0);");
        addRecipe("grid", "Ext.Drua_convertFloat({image}, columns);", "Ext.Drua_setRampX(columns);",
            "Ext.Drua_multiplyImageAndScalar(columns, angle, PI / 2);", "Ext.Drua_sine(angle, wave);",
            "Ext.Drua_addImageAndScalar(wave, bright, 3);", "Ext.Drua_multiplyImages({image}, bright, grid);");
        for (int i = 1; i <= 12; i++) // consecutive planes come from slices at least 5 apart
            addRecipe("plane" + i, "Ext.Drua_copySlice({stack}, plane" + i + ", " + 5 * i % 16 + ");");
        addRecipe("hot", "Ext.Drua_addImagesWeighted({image}, {spots}, hot, 1, 500);");
        addRecipe("still", "Ext.Drua_subtractImages({image}, image, still);");
        addRecipe("wandering", "Ext.Drua_circularShift({labels}, later, 4, 2, 0);",
            "Ext.Drua_concatenateStacks({labels}, later, pair);", "Ext.Drua_concatenateStacks(pair, pair, wandering);");
        addRecipe("spotList", "Ext.Drua_spotsOfLabels({wandering}, spotList, 4);");
        addRecipe("tracked", "Ext.Drua_trackLabels({wandering}, tracked, list, 4, \"\");");
        addRecipe("tracks", "Ext.Drua_trackLabels({wandering}, numbered, tracks, 4, \"\");");
        addRecipe("tiles", "Ext.Drua_crop({image}, left, 0, 0, 0, 80, 128, 1);",
            "Ext.Drua_crop({image}, right, 48, 0, 0, 80, 128, 1);", "Ext.Drua_concatenateStacks(left, right, tiles);");
        addRecipe("positions", "Ext.Drua_pushArray2d(positions, newArray(0, 46, 0, 1), 2, 2);");
    }

    /**
     * For each operation that would not visibly change the usual input: the recipe for its image inputs, other than
     * `transforms` and those whose names end in 2.
     */
    private static final Map<String, String> FIRST_IMAGES = pairs(
        "undefined_to_zero undefined replace_undefined undefined replace_pixels_if_zero cut flood_fill_diamond marked "
            + "image_j_watershed touching translation_registration_of_slices swaying macro_pixel_correction grid "
            + "estimate_registration swaying estimate_registration_masked swaying apply_registration swaying "
            + "register_stack swaying register_volumes movedStack replace_hot_pixels hot",
        recipe -> recipe);

    /**
     * Parameter values that show an effect on the example images, where the default shows none. An example value in the
     * descriptor takes precedence.
     */
    private static final Map<String, Double> VISIBLE_NUMBERS = pairs(
        "sigma_x 3 sigma_y 3 flip_x 1 translate_x 20 translate_y -10 angle_z 30 factor 1.5 factor_x 1.5 factor_y 1.5 "
            + "factor2 0.5 "
            + "voxel_size_z 2 width 64 height 48 start_x 30 start_y 20 start_z 9 end_z 14 slice_index 8 plane_index "
            + "7 row_index 40 column_index 40 "
            + "destination_x 30 destination_y 40 n 3 x 40 y 50 radius_x 3 radius_y 3 x1 10 y1 20 x2 110 y2 90 "
            + "thickness 3 constant 60 threshold 60 "
            + "scalar 60 value 200 exponent 2 label_index 3 value_replacement 100 margin_width 8 margin_height 8 "
            + "steps 3 "
            + "number_of_bins 64",
        Double::valueOf);

    /**
     * Values for one parameter of one operation. These values override VISIBLE_NUMBERS, defaults and the descriptor's
     * examples.
     */
    private static final Map<String, Double> NUMBERS_OF_OPERATIONS =
        pairs("flood_fill_diamond.value_to_replace 1 flood_fill_diamond.value_replacement 2 "
                + "macro_pixel_correction.magnification 4 "
                + "draw_sphere.radius_x 14 draw_sphere.radius_y 10 smooth_labels.radius 6 resample_psf.psf_pixel 0.05 "
                + "fit_psf.psf_pixel 0.05 "
                + "fit_psf.image_pixel 0.1 bilateral.sigma_intensity 40 bilateral.sigma_space 3 bilateral.radius_x 4 "
                + "bilateral.radius_y 4 "
                + "seeded_watershed.threshold 20",
            Double::valueOf);

    /** By operation: why the result looks like the input. The examples of all other operations show a difference. */
    private static final Map<String, String> WHY_ALIKE = new LinkedHashMap<>();
    static {
        WHY_ALIKE.put("copy", "A copy has the same pixels.");
        for (String type : "float uint8 uint16".split(" "))
            WHY_ALIKE.put("convert_" + type, "The pixels keep their values in another type.");
        for (String operation : "normalize normalize_percentiles".split(" "))
            WHY_ALIKE.put(operation,
                "Both pictures are stretched from their darkest to their brightest pixel; the numbers differ.");
        WHY_ALIKE.put("show_grey", "The window shows the image.");
    }

    /** The image that is open before the example: "nuclei" or "stack". */
    final String opens;
    /** before: lines that make the inputs. call: the command. after: lines that show the results. */
    final List<String> before = new ArrayList<>(), call = new ArrayList<>(), after = new ArrayList<>();
    /** The macro variable of each image parameter. */
    final Map<String, String> images = new LinkedHashMap<>();
    /** Why the result looks like the input; null if it differs. */
    final String whyAlike;

    private final boolean usesStack;
    private final List<String> madeImages = new ArrayList<>();

    Example(Registry.Operation operation, Registry.Command command) {
        usesStack = needsStack(operation);
        whyAlike = WHY_ALIKE.get(operation.name);
        opens = usesStack ? "stack" : "nuclei";
        before.add("run(\"Drua Macro Extensions\", \"cl_device=\");");
        List<String> passed = new ArrayList<>();
        for (Registry.Argument argument : command.arguments) {
            Registry.Parameter parameter = operation.parameter(argument.name);
            String value =
                parameter.kind.isOutput() ? outputVariable(parameter) : inputExpression(operation, parameter);
            if (parameter.kind.isImage())
                images.put(parameter.name, value);
            passed.add(value);
        }
        if (madeImages.isEmpty() && operation.parameters.stream().noneMatch(p -> p.kind == Registry.Kind.IMAGE_OUT))
            addImage("image");
        if (!operation.beforeExample.isEmpty()) {
            for (String line : operation.beforeExample.split("\n"))
                before.add(line);
        }
        call.add("Ext." + command.name + "(" + String.join(", ", passed) + ");");
        for (Registry.Parameter parameter : operation.parameters) {
            if (parameter.kind == Registry.Kind.IMAGE_OUT || parameter.kind == Registry.Kind.IMAGE_INOUT)
                after.add("Ext.Drua_pull(" + images.get(parameter.name) + ");");
            else if (parameter.kind == Registry.Kind.IMAGES)
                after.add("Ext.Drua_pull(result);");
            else if (parameter.kind == Registry.Kind.NUMBER_OUT || parameter.kind == Registry.Kind.TEXT_OUT)
                after.add("print(\"" + parameter.name + ":\", " + outputVariable(parameter) + ");");
        }
        if (operation.name.matches("push(_as|_tile|_grid_tile|_current.*)?"))
            after.add("Ext.Drua_pull(" + passed.get(operation.name.equals("push_as") ? 1 : 0) + ");");
    }

    /** The whole macro, as the reference page of the operation shows it. */
    String macro() {
        List<String> lines = new ArrayList<>(before);
        lines.addAll(call);
        lines.addAll(after);
        return String.join("\n", lines) + "\n";
    }

    /** Parses alternating keys and values, separated by spaces. */
    private static <V> Map<String, V> pairs(String words, Function<String, V> value) {
        Map<String, V> pairs = new LinkedHashMap<>();
        String[] all = words.split(" ");
        for (int i = 0; i < all.length; i += 2)
            pairs.put(all[i], value.apply(all[i + 1]));
        return pairs;
    }

    private static void addRecipe(String image, String... lines) {
        RECIPES.put(image, lines);
    }

    private static boolean needsStack(Registry.Operation operation) {
        if (operation.parameters.stream().anyMatch(
                p -> p.doc.matches("stack( of time points)?|(tiles or )?frames.*|planes, one.*|.*three slices.*")))
            return true;
        return !operation.host
            && operation.name.replace("_slice_by_slice", "")
                   .matches("(.*_)?(z|xz|yz|3d|stack|stacks|volumes|slice|isotropic|reslice|plane)(_.*)?");
    }

    /**
     * Adds the macro lines that make an image, unless they were added before. Images that a line needs are made first,
     * in the same way. Returns the variable of the image.
     */
    private String addImage(String image) {
        String wanted = usesStack && image.equals("image") ? "stack" : image;
        if (!madeImages.contains(wanted)) {
            for (String line : RECIPES.get(wanted))
                before.add(withImages(line));
            madeImages.add(wanted);
        }
        return wanted;
    }

    private String withImages(String line) {
        int start = line.indexOf('{'), end = line.indexOf('}');
        return start < 0 ? line
                         : line.substring(0, start) + addImage(line.substring(start + 1, end))
                + withImages(line.substring(end + 1).replace("image", usesStack ? "stack" : "image"));
    }

    private String outputVariable(Registry.Parameter parameter) {
        String name = Registry.camelCase(parameter.name);
        return RECIPES.containsKey(name) ? name + "Out" : name;
    }

    private String inputExpression(Registry.Operation operation, Registry.Parameter p) {
        if (p.kind == Registry.Kind.IMAGE_IN || p.kind == Registry.Kind.IMAGE_INOUT)
            return addImage(recipeFor(operation, p));
        boolean neutral = p.defaultValue instanceof Double && Math.abs((Double) p.defaultValue) <= 1;
        Double visible = neutral ? VISIBLE_NUMBERS.get(p.name) : null;
        boolean fits = visible != null && (p.min == null || visible >= p.min && visible <= p.max);
        Double own = NUMBERS_OF_OPERATIONS.get(operation.name + "." + p.name);
        Object value = fits ? visible : p.defaultValue;
        if (own != null)
            value = own;
        else if (p.example != null)
            value = p.example;
        if (operation.parameters.stream().anyMatch(other -> other.kind == Registry.Kind.ARRAY_IN))
            value = p.name.equals("width") ? 3.0 : p.name.equals("height") ? 2.0 : 1.0;
        if (p.kind == Registry.Kind.BOOLEAN)
            return value instanceof Double && (Double) value != 0 ? "true" : "false";
        if (p.kind == Registry.Kind.ARRAY_IN)
            return p.doc.equals("one number for each slice") ? "newArray(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, "
                    + "1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5)"
                                                             : "newArray(10, 20, 30, 40, 50, 60)";
        if (p.kind == Registry.Kind.IMAGES)
            return "newArray(\"source\", " + addImage("image") + ", \"result\", " + addImage("result") + ")";
        if (p.kind.isNumber())
            return Registry.number(value instanceof Double ? (Double) value : 0);
        if (p.kind == Registry.Kind.PATH || p.name.equals("path"))
            return "getDirectory(\"temp\") + \"" + exampleFile(p) + "\"";
        if (p.doc.startsWith("name of an image") || p.doc.startsWith("title of an open image"))
            return addImage(p.doc.startsWith("name") ? "image" : "title");
        return "\"" + (value == null ? p.choices.isEmpty() ? "" : p.choices.get(0) : value) + "\"";
    }

    private static String exampleFile(Registry.Parameter p) {
        if (p.example != null)
            return p.example.toString();
        return p.doc.startsWith("text file") ? "drua-example.txt" : "drua-example.tif";
    }

    /** The recipe for a parameter that only a few operations have; null for other parameters. */
    private static String rareRecipe(Registry.Parameter p) {
        if (p.doc.contains("for each equation"))
            return p.name.equals("matrix") ? "coefficients" : "rightSide";
        if (p.doc.contains("has moved"))
            return "moved";
        if (p.doc.startsWith("mask of the pixels to compare"))
            return "area";
        if (p.doc.startsWith("feature stack"))
            return "features";
        if (p.doc.startsWith("classes from"))
            return "classes";
        return p.name.equals("forest") ? "forest" : null;
    }

    /** The recipe for operations that would not change the usual input. */
    private static String changingRecipe(Registry.Operation operation, Registry.Parameter p) {
        if (operation.name.startsWith("tenengrad_fusion_of_"))
            return p.name.replace("source", "plane");
        if (p.name.equals("marker"))
            return operation.name.endsWith("_erosion") ? "brighter" : "darker";
        if (operation.name.startsWith("impose_") && p.name.equals("marked"))
            return "spots";
        String only = FIRST_IMAGES.get(operation.name);
        if (only != null && !p.name.endsWith("2") && !p.name.equals("transforms") && !"area".equals(rareRecipe(p)))
            return only;
        if (operation.name.startsWith("absolute") && !operation.name.contains("difference"))
            return "signed";
        if (operation.name.startsWith("symmetric_"))
            return "oneWay";
        if (operation.name.equals("subtract_labels") && p.name.endsWith("2"))
            return "inner";
        return null;
    }

    /** The recipe for an image parameter. */
    private static String recipeFor(Registry.Operation operation, Registry.Parameter p) {
        String doc = p.doc, name = p.name;
        boolean other = name.matches(".*(2|_b)");
        if (changingRecipe(operation, p) != null)
            return changingRecipe(operation, p);
        if (operation.category.equals("stitching"))
            return name;
        if (operation.category.equals("tracking") && name.endsWith("labels"))
            return operation.parameter("spots") != null || operation.name.equals("track_labels") ? "wandering"
                                                                                                 : "tracked";
        if (operation.category.equals("tracking"))
            return name.equals("spots") ? "spotList" : "tracks";
        if (name.equals("adjacency_matrix"))
            return "adjacency";
        if (doc.contains("touch matrix"))
            return "touches";
        if (rareRecipe(p) != null)
            return rareRecipe(p);
        if (name.equals("distance_matrix") || doc.contains("matrix"))
            return "distances";
        if (name.equals("index_list"))
            return "nearest";
        if (doc.contains("then the value"))
            return "valuePoints";
        if (doc.contains("point list"))
            return "points";
        if (name.matches("flags|drift|transforms?|deformation|landmarks"))
            return name;
        if (doc.startsWith("vector"))
            return "perLabel";
        if (doc.startsWith("values of labels"))
            return "sizes";
        if (name.equals("focus"))
            return "sharpness";
        if (name.equals("color_vectors"))
            return "colorVectors";
        if (doc.contains("three slices"))
            return "rgb";
        if (doc.contains("spectrum") || doc.contains("complex"))
            return "spectrum";
        if (doc.equals("label map of the tops"))
            return "tops";
        if (doc.equals("image to climb in"))
            return "blurred";
        if (doc.contains("image of beads"))
            return "beads";
        if (doc.contains("point spread function"))
            return "psf";
        if (doc.startsWith("blurred image"))
            return "soft";
        if (name.startsWith("vector_"))
            return name.equals("vector_x") ? "wave" : "still";
        if (doc.contains("spot") || doc.contains("single pixels"))
            return other ? "otherSpots" : "spots";
        if (doc.contains("label map") && !doc.contains("that becomes") || doc.startsWith("label image"))
            return other ? "otherLabels"
                : operation.category.equals("graph") || operation.name.contains("touch")
                    || operation.parameter("map") != null
                ? "cells"
                : "labels";
        if (doc.contains("binary") || doc.startsWith("mask")
            || operation.category.equals("binary") && !name.equals("source"))
            return other ? "otherMask" : "mask";
        if (operation.category.equals("binary") && operation.parameter("mask") == null)
            return "mask";
        if (other || doc.equals("image of thresholds"))
            return "blurred";
        return "image";
    }
}
