/* SPDX-License-Identifier: BSD-3-Clause */
/* Classification with models from files. The host program (Fiji) reads, trains and writes the models. */
#include "op.h"

#define HOST_BY(name_, source_, summary_, before_, params_, ...)                                                       \
    {                                                                                                                  \
        .name = #name_, .category = "classification", .summary = summary_, .traits = DRUA_HOST, params_,               \
        .source = source_, .before_example = before_, DRUA_ALIASES(__VA_ARGS__)                                        \
    }
#define HOST(name_, summary_, before_, params_, ...)                                                                   \
    {                                                                                                                  \
        .name = #name_, .category = "classification", .summary = summary_, .traits = DRUA_HOST, params_,               \
        .source = FILES, .before_example = before_, DRUA_ALIASES(__VA_ARGS__)                                          \
    }
#define FILES                                                                                                          \
    "files of CLIJx and of Fiji's Trainable Weka Segmentation: a FastRandomForest; each tree learns from equally "     \
    "many samples of each class and splits by entropy"
#define MODEL                                                                                                          \
    {                                                                                                                  \
        .name = "path", .doc = "file of the model", .kind = DRUA_KIND_PATH, .example_text = "drua-example.model"       \
    }
#define MODEL_TO_WRITE                                                                                                 \
    {                                                                                                                  \
        .name = "path", .doc = "file of the model to write", .kind = DRUA_KIND_PATH, .written = true,                  \
        .example_text = "drua-example.model"                                                                           \
    }
#define FEATURES     DRUA_IMAGE_IN("features", "feature stack: a slice for each feature")
#define TRUTH        DRUA_IMAGE_IN("ground_truth", "classes from 1 on of some pixels, 0 elsewhere")
#define SOURCE       DRUA_IMAGE_IN("source", "image to classify")
#define LABELS       DRUA_IMAGE_IN("source", "image to measure"), DRUA_IMAGE_IN("labels", "label map")
#define WORDS                                                                                                          \
    DRUA_TEXT("features", "words of generateFeatureStack", .default_text = "original gaussianblur=1 sobelofgaussian=1")
#define MEASUREMENTS                                                                                                   \
    DRUA_TEXT("features", "names of measurements, separated by spaces", .default_text = "pixel_count mean_intensity")
#define FOREST                                                                                                         \
    DRUA_INTEGER("trees", "number of trees", DRUA_RANGE(1, 100000), .default_value = 200, .example = 20),              \
        DRUA_INTEGER("features_per_split",                                                                             \
                     "features that a node tests; 0: one more than the base-2 logarithm of their number",              \
                     DRUA_RANGE(0, 1000), .default_value = 2),                                                         \
        DRUA_INTEGER("depth", "largest number of splits on the way to a leaf; 0: no limit", DRUA_RANGE(0, 1000),       \
                     .default_value = 0)
#define ITERATIONS                                                                                                     \
    DRUA_INTEGER("iterations", "rounds in which the probabilities of the previous round are features too",             \
                 DRUA_RANGE(0, 100), .default_value = 1)
#define NEAR(statistic, what_, default_)                                                                               \
    DRUA_NUMBER("radius_of_" statistic,                                                                                \
                "the " what_ " over all labels whose centroids are at most this far away is a feature too; 0: it is "  \
                "not",                                                                                                 \
                .unit = "pixel", DRUA_RANGE(0, 1e6), .default_value = default_)
#define CLASSES(doc_) DRUA_IMAGE_OUT("destination", doc_, .type = DRUA_FLOAT32)
#define FOREST_NAMES  "trees, features_per_split, depth"
#define USUAL         "trees=200, features_per_split=2, depth=0"
#define TILED         ", ~tile_width, ~tile_height, ~tile_depth, ~margin_width, ~margin_height, ~margin_depth"

#define FILE_NAME "getDirectory(\"temp\") + \"drua-example.model\""
#define TRAIN(stack)                                                                                                   \
    "Ext.Drua_automaticThreshold(image, marks, \"Otsu\");\nExt.Drua_addImageAndScalar(marks, truth, 1);\n"             \
    "Ext.Drua_trainWekaModel(" stack ", truth, " FILE_NAME ", 20, 2, 0);"
#define TRAIN_PIXELS                                                                                                   \
    "Ext.Drua_generateFeatureStack(image, stackOfFeatures, \"original gaussianblur=1 sobelofgaussian=1\");\n" TRAIN(   \
        "stackOfFeatures")
#define TABLE_OF_CLASSES                                                                                               \
    "for (i = 0; i < 10; i++) {\n    setResult(\"Area\", i, 10 * i);\n    setResult(\"Class\", i, 1 + (i > 4));\n}"
#define TRAIN_TABLE                                                                                                    \
    TABLE_OF_CLASSES "\nExt.Drua_trainWekaFromTable(\"Class\", " FILE_NAME                                             \
                     ", 20, 2, 0);\nTable.deleteColumn(\"Class\");"
#define TRAIN_LABELS                                                                                                   \
    "for (i = 0; i < 10; i++) {\n    setResult(\"X0\", i, 100 * i);\n    setResult(\"X1\", i, 10);\n    "              \
    "setResult(\"Class\", i, 1 + (i > 4));\n}\n"                                                                       \
    "Ext.Drua_trainWekaFromTable(\"Class\", " FILE_NAME ", 20, 2, 0);"

DRUA_OP(train_weka_model) = HOST(
    train_weka_model, "Trains a random forest to classify pixels by their features, and writes it to a file.", NULL,
    DRUA_PARAMS(FEATURES, TRUTH, MODEL_TO_WRITE, FOREST), "CLIJx trainWekaModel: features, ground_truth, path, " USUAL,
    "CLIJx trainWekaModelWithOptions: features, ground_truth, path, " FOREST_NAMES,
    "CLIJxt trainWekaModel: features, ground_truth, path, " USUAL TILED,
    "CLIJxt trainWekaModelWithOptions: features, ground_truth, path, " FOREST_NAMES TILED);
DRUA_OP(apply_weka_model) = HOST(apply_weka_model,
                                 "Classifies pixels by their features and a random forest from a file. The result is "
                                 "the most probable class, counted from 1.",
                                 TRAIN("features"), DRUA_PARAMS(FEATURES, CLASSES("plane of classes"), MODEL),
                                 "CLIJx applyWekaModel: features, destination, path",
                                 "CLIJx applyOCLWekaModel: features, destination, path",
                                 "CLIJxt applyWekaModel: features, destination, path" TILED);
DRUA_OP(generate_weka_probability_maps) =
    HOST(generate_weka_probability_maps,
         "Estimates for each pixel the probability of each class, by a random forest from a file.", TRAIN("features"),
         DRUA_PARAMS(FEATURES, CLASSES("stack: a slice for each class"), MODEL),
         "CLIJx generateWekaProbabilityMaps: features, destination, path");
DRUA_OP(binary_weka_pixel_classifier) = HOST(
    binary_weka_pixel_classifier,
    "Finds objects in a plane by a random forest of two classes from a file: 0 for the first class, 1 for the second.",
    TRAIN_PIXELS, DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "mask"), WORDS, MODEL),
    "CLIJx binaryWekaPixelClassifier: source, &destination, features, path");
DRUA_OP(train_auto_context_weka_model) = HOST(
    train_auto_context_weka_model,
    "Trains random forests in rounds and writes a file for each round. From the second round on, the probabilities of "
    "the previous round are features too.",
    NULL, DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to learn from"), TRUTH, MODEL_TO_WRITE, WORDS, ITERATIONS, FOREST),
    "CLIJx trainAutoContextWekaModel: source, ground_truth, path, features, iterations, " FOREST_NAMES,
    "CLIJxt trainAutoContextWekaModel: source, ground_truth, path, features, iterations, " FOREST_NAMES TILED);
DRUA_OP(apply_auto_context_weka_model) =
    HOST(apply_auto_context_weka_model, "Classifies pixels by random forests that were trained in rounds.",
         "Ext.Drua_automaticThreshold(image, marks, \"Otsu\");\nExt.Drua_addImageAndScalar(marks, truth, "
         "1);\nExt.Drua_trainAutoContextWekaModel(image, "
         "truth, " FILE_NAME ", \"original gaussianblur=1 sobelofgaussian=1\", 1, 20, 2, 0);",
         DRUA_PARAMS(SOURCE, CLASSES("plane of classes"), MODEL, WORDS, ITERATIONS),
         "CLIJx applyAutoContextWekaModel: source, destination, path, features, iterations",
         "CLIJxt applyAutoContextWekaModel: source, destination, path, features, iterations" TILED);
DRUA_OP(train_weka_from_table) =
    HOST(train_weka_from_table,
         "Trains a random forest to classify rows of the Results table by its other columns, in the order of their "
         "headings.",
         TABLE_OF_CLASSES,
         DRUA_PARAMS(DRUA_TEXT("ground_truth_column",
                               "heading of the column with classes from 1 on; rows with 0 do not count",
                               .example_text = "Class"),
                     MODEL_TO_WRITE, FOREST),
         "CLIJx trainWekaFromTable: ground_truth_column, path, " FOREST_NAMES);
DRUA_OP(apply_weka_to_table) = HOST(
    apply_weka_to_table,
    "Adds a column of classes to the Results table, computed from its other columns by a random forest from a file.",
    TRAIN_TABLE,
    DRUA_PARAMS(DRUA_TEXT("prediction_column", "heading of the column to write", .example_text = "Predicted"), MODEL),
    "CLIJx applyWekaToTable: prediction_column, path");
DRUA_OP(generate_label_feature_image) = HOST_BY(
    generate_label_feature_image, "statistics_of_labelled_pixels, and the number and distances of neighbouring labels",
    "Measures labels: a row for each label, a column for each named measurement.", NULL,
    DRUA_PARAMS(LABELS, DRUA_IMAGE_OUT("destination", "image of the measurements", .type = DRUA_FLOAT32), MEASUREMENTS),
    "CLIJx generateLabelFeatureImage: source, labels, destination, features");
DRUA_OP(weka_label_classifier) = HOST(
    weka_label_classifier, "Paints every label with its class, by its measurements and a random forest from a file.",
    TRAIN_LABELS, DRUA_PARAMS(LABELS, CLASSES("label map of classes"), MEASUREMENTS, MODEL),
    "CLIJx wekaLabelClassifier: source, labels, &destination, features, path");
DRUA_OP(weka_regional_label_classifier) = HOST(
    weka_regional_label_classifier,
    "Paints every label with its class, by its own measurements, those of labels near it, and a random forest from a "
    "file.",
    "for (i = 0; i < 10; i++) {\n    for (k = 0; k < 4; k++)\n        setResult(\"X\" + k, i, 100 * i);\n    "
    "setResult(\"Class\", i, 1 + (i > "
    "4));\n}\n"
    "Ext.Drua_trainWekaFromTable(\"Class\", " FILE_NAME ", 20, 2, 0);",
    DRUA_PARAMS(LABELS, CLASSES("label map of classes"), MEASUREMENTS, MODEL, NEAR("maximum", "maximum", 0),
                NEAR("minimum", "minimum", 0), NEAR("mean", "mean", 1),
                NEAR("standard_deviation", "standard deviation", 0)),
    "CLIJx wekaRegionalLabelClassifier: source, labels, &destination, features, path, radius_of_maximum, "
    "radius_of_minimum, radius_of_mean, "
    "radius_of_standard_deviation");
DRUA_OP(k_means_label_clusterer) = HOST_BY(
    k_means_label_clusterer, "k-means (Lloyd 1982) with start centres chosen far apart (Arthur and Vassilvitskii 2007)",
    "Groups labels whose measurements are similar, and paints every label with the number of its group.", NULL,
    DRUA_PARAMS(LABELS, CLASSES("label map of groups"), MEASUREMENTS,
                {.name = "path",
                 .doc = "table of the groups' centres, read or written",
                 .kind = DRUA_KIND_PATH,
                 .written = true,
                 .example_text = "drua-example.csv"},
                DRUA_INTEGER("number_of_classes", "number of groups", DRUA_RANGE(1, 1000), .default_value = 2),
                DRUA_INTEGER(
                    "neighbor_radius",
                    "a label takes the most frequent group of neighbours within this number of steps; 0: its own group",
                    DRUA_RANGE(0, 1000)),
                DRUA_BOOLEAN("train", "on: finds the groups and writes their centres; off: reads the centres",
                             .default_value = 1)),
    "CLIJx kMeansLabelClusterer: source, labels, &destination, features, path, number_of_classes, neighbor_radius, "
    "train");
