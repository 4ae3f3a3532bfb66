/* SPDX-License-Identifier: BSD-3-Clause */
/* Label maps, their statistics, and lists of points. */
#include "rows.h"

/* Keeps labels whose value is in the range, or is not; an undefined one always. */
static void keep_range(call *c, const reference_image *values, double low, double high, bool inside)
{
    reference_image kept = reference_make(DRUA_FLOAT32, values->shape);
    for (size_t i = 0; i < reference_count(values); i++)
        kept.pixels[i] = isnan(values->pixels[i]) || (values->pixels[i] >= low && values->pixels[i] <= high) == inside;
    reference_keep_labels(IN(c->input_count - 1), &kept, OUT(0));
    reference_free(&kept);
}

static void exclude(call *c)
{
    keep_range(c, IN(0), 0, 0, true);
}

static void keep_sizes(call *c)
{
    reference_image sizes = reference_make(DRUA_FLOAT32, reference_plane((int64_t)reference_reduce(IN(0), REFERENCE_MAXIMUM) + 1, 1));
    for (size_t i = 0; i < reference_count(IN(0)); i++)
        sizes.pixels[(size_t)IN(0)->pixels[i]]++;
    keep_range(c, &sizes, S(0), S(1), true);
    reference_free(&sizes);
}

/* Paints labels with a column of their statistics. */
static void statistic_map(call *c, const reference_image *intensity, const reference_image *labels, const char *column)
{
    double *rows;
    const size_t count = reference_statistics(intensity, labels, false, &rows), at = reference_statistics_column(column);
    reference_image vector = reference_make(DRUA_NO_TYPE, reference_plane((int64_t)count + 1, 1));
    for (size_t i = 0; i < count; i++)
        vector.pixels[i + 1] = rows[i * REFERENCE_STATISTICS_COLUMNS + at];
    reference_paint(labels, &vector, OUT(0));
    reference_free(&vector);
    free(rows);
}

static void merge(call *c)
{
    reference_image joined = row_like(IN(0), DRUA_FLOAT32);
    reference_join_touching_labels(IN(0), &joined);
    reference_close_index_gaps(&joined, OUT(0));
    reference_free(&joined);
}

static void erode(call *c)
{
    reference_image shrunk = row_like(IN(0), DRUA_FLOAT32);
    if (N(0) < 1)
        reference_copy(IN(0), OUT(0));
    else {
        reference_shrink_labels(IN(0), N(0), &shrunk);
        if (S(1) != 0)
            reference_connected_components(&shrunk, REFERENCE_DIAMOND, OUT(0));
        else
            reference_close_index_gaps(&shrunk, OUT(0));
    }
    reference_free(&shrunk);
}

static void octagon_borders(call *c)
{
    reference_image regions = row_like(IN(0), DRUA_FLOAT32);
    reference_voronoi_labeling(IN(0), &regions);
    reference_label_edges(&regions, OUT(0));
    reference_free(&regions);
}

static void fill_holes_of_slices(call *c)
{
    for (int64_t z = 0; z < IN(0)->shape.depth; z++) {
        reference_image slice = reference_make(DRUA_FLOAT32, reference_plane(IN(0)->shape.width, IN(0)->shape.height));
        reference_image filled = reference_make(DRUA_FLOAT32, slice.shape);
        reference_crop(IN(0), 0, 0, z, &slice);
        reference_fill_holes(&slice, &filled);
        reference_paste(&filled, 0, 0, z, OUT(0));
        reference_free(&slice);
        reference_free(&filled);
    }
}

/* ---- points */

static void list_centroids(call *c, bool with_background)
{
    reference_image points = reference_centroids(IN(0), with_background);
    reference_crop(&points, 0, 0, 0, OUT(0));
    reference_free(&points);
}

/* Columns by raster order, or by label. */
static void list_pixels(call *c, bool by_label)
{
    int64_t column = 0;
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const double label = reference_at(IN(0), x, y, z), position[3] = {(double)x, (double)y, (double)z};
        if (label == 0)
            continue;
        const int64_t at = by_label ? (int64_t)label - 1 : column++;
        for (int axis = 0; axis < 3; axis++)
            reference_put(OUT(0), at, axis, 0, position[axis]);
    }
}

/* Row `value` of each column at the position that the rows before it tell; -1: the column's number. */
static void write_points(const reference_image *points, int axes, int value, reference_image *output)
{
    for (int64_t i = 0; i < points->shape.width; i++) {
        int64_t at[3] = {0};
        bool defined = true;
        for (int axis = 0; axis < axes; axis++) {
            defined = defined && !isnan(reference_at(points, i, axis, 0));
            at[axis] = defined ? (int64_t)reference_at(points, i, axis, 0) : 0;
        }
        if (defined)
            reference_put(output, at[0], at[1], at[2], value < 0 ? (double)i + 1 : reference_at(points, i, value, 0));
    }
}

static void centroid_pixels(call *c)
{
    reference_image points = reference_centroids(IN(0), false);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, 0);
    write_points(&points, 3, -1, OUT(0));
    reference_free(&points);
}

static void read_points(call *c)
{
    const bool stack = IN(0)->shape.height > 2;
    for (int64_t i = 0; i < OUT(0)->shape.width; i++)
        reference_put(OUT(0), i, 0, 0, reference_at(IN(1), (int64_t)reference_at(IN(0), i, 0, 0), (int64_t)reference_at(IN(0), i, 1, 0),
                                                    stack ? (int64_t)reference_at(IN(0), i, 2, 0) : 0));
}

static void distance_from_centroid(call *c)
{
    reference_image points = reference_centroids(IN(0), false);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const int64_t label = (int64_t)reference_at(IN(0), x, y, z);
        double sum = 0;
        for (int axis = 0; axis < 3; axis++)
            sum += pow((double)(const int64_t[]){x, y, z}[axis] - reference_at(&points, label - 1, axis, 0), 2);
        reference_put(OUT(0), x, y, z, label > 0 ? sqrt(sum) : 0);
    }
    reference_free(&points);
}

/* Mean distance of spots to the nearest one of the other image. */
static double closest(const reference_image *from, const reference_image *to)
{
    double sum = 0, count = 0;
    REFERENCE_EACH_PIXEL(from->shape, x, y, z) {
        double least = INFINITY;
        if (reference_at(from, x, y, z) == 0)
            continue;
        REFERENCE_EACH_PIXEL(to->shape, u, v, w)
            if (reference_at(to, u, v, w) != 0)
                least = fmin(least, sqrt((double)((x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w))));
        sum += least;
        count++;
    }
    return sum / count;
}

static void mean_closest(call *c)
{
    c->columns = S(0) != 0 ? 2 : 1;
    c->rows = 1;
    c->table = reference_allocate(c->columns, sizeof *c->table);
    c->table[0] = closest(IN(0), IN(1));
    if (c->columns == 2)
        c->table[1] = closest(IN(1), IN(0));
}

/* The shares of a class in the leaf that a pixel comes to below a node. */
static double leaf_share(const reference_image *forest, const reference_image *features, int64_t node, int64_t x, int64_t y, int64_t class)
{
    const int64_t feature = (int64_t)reference_at(forest, 0, node, 0), child = (int64_t)reference_at(forest, 2, node, 0);
    if (feature < 0)
        return reference_at(forest, 3 + class, node, 0);
    return leaf_share(forest, features, reference_at(features, x, y, feature) < reference_at(forest, 1, node, 0) ? child : child + 1, x, y, class);
}

static void forest(call *c, bool classes)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double sums[2] = {0, 0};
        for (int64_t tree = 0; tree < N(0); tree++)
            for (int class = 0; class < 2; class++)
                sums[class] += leaf_share(IN(1), IN(0), tree, x, y, class);
        reference_put(OUT(0), x, y, z, classes ? (sums[1] > sums[0]) + 1 : z < 2 ? sums[z] / (double)N(0) : 0);
    }
}

#define ROWS(X)                                                                                                                  \
    X(random_forest_probabilities, "gF", forest(c, false))                                                                       \
    X(random_forest_classes, "gF", forest(c, true))                                                                              \
    X(connected_components_box, "=b", reference_connected_components(IN(0), REFERENCE_BOX, OUT(0)))                              \
    X(connected_components_diamond, "=b", reference_connected_components(IN(0), REFERENCE_DIAMOND, OUT(0)))                      \
    X(connected_components_in_place, "b", reference_connected_components(IN(0), REFERENCE_BOX, OUT(0)))                          \
    X(exclude_labels_on_edges, "=l", reference_exclude_labels_on_edges(IN(0), OUT(0)))                                           \
    X(exclude_labels, "^Vl", exclude(c))                                                                                         \
    X(exclude_labels_with_values_out_of_range, "^Ul", keep_range(c, IN(0), S(0), S(1), true))                                    \
    X(exclude_labels_with_values_within_range, "^Ul", keep_range(c, IN(0), S(0), S(1), false))                                   \
    X(exclude_labels_outside_size_range, "^l", keep_sizes(c))                                                                    \
    X(close_index_gaps_in_label_map, "=l", reference_close_index_gaps(IN(0), OUT(0)))                                            \
    X(join_touching_labels, "^l", reference_join_touching_labels(IN(0), OUT(0)))                                                 \
    X(merge_touching_labels, "^l", merge(c))                                                                                     \
    X(reduce_labels_to_label_edges, "l", reference_cut_label_edges(IN(0), S(0) != 0, OUT(0)))                                    \
    X(detect_label_edges, "l", reference_label_edges(IN(0), OUT(0)))                                                             \
    X(shrink_labels, "^l", reference_shrink_labels(IN(0), N(0), OUT(0)))                                                         \
    X(erode_labels, "^l", erode(c))                                                                                              \
    X(skeletonize, "b", reference_skeletonize(IN(0), OUT(0)))                                                                    \
    X(dilate_labels, "=l", reference_dilate_labels(IN(0), N(0), OUT(0)))                                                         \
    X(extend_labeling_via_voronoi, "^l", reference_extend_labels(IN(0), OUT(0)))                                                 \
    X(voronoi_labeling, "=p", reference_voronoi_labeling(IN(0), OUT(0)))                                                         \
    X(masked_voronoi_labeling, "=pb", reference_masked_voronoi_labeling(IN(0), IN(1), OUT(0)))                                   \
    X(voronoi_octagon, "^p", octagon_borders(c))                                                                                 \
    X(label_spots, "=p", reference_label_spots(IN(0), OUT(0)))                                                                   \
    X(binary_fill_holes, "^b", reference_fill_holes(IN(0), OUT(0)))                                                              \
    X(binary_fill_holes_slice_by_slice, "^b", fill_holes_of_slices(c))                                                           \
    X(replace_intensities, "lg", reference_replace_intensities(IN(0), IN(1), OUT(0)))                                            \
    X(flag_labels_on_edges, "^l", reference_flag_edges(IN(0), OUT(0)))                                                           \
    X(mean_intensity_map, "gl", statistic_map(c, IN(0), IN(1), "MEAN_INTENSITY"))                                                \
    X(minimum_intensity_map, "gl", statistic_map(c, IN(0), IN(1), "MINIMUM_INTENSITY"))                                          \
    X(maximum_intensity_map, "gl", statistic_map(c, IN(0), IN(1), "MAXIMUM_INTENSITY"))                                          \
    X(standard_deviation_intensity_map, "gl", statistic_map(c, IN(0), IN(1), "STANDARD_DEVIATION_INTENSITY"))                    \
    X(pixel_count_map, "l", statistic_map(c, IN(0), IN(0), "PIXEL_COUNT"))                                                       \
    X(mean_extension_map, "l", statistic_map(c, IN(0), IN(0), "MEAN_DISTANCE_TO_CENTROID"))                                      \
    X(maximum_extension_map, "l", statistic_map(c, IN(0), IN(0), "MAX_DISTANCE_TO_CENTROID"))                                    \
    X(extension_ratio_map, "l", statistic_map(c, IN(0), IN(0), "MAX_MEAN_DISTANCE_TO_CENTROID_RATIO"))                           \
    X(centroids_of_labels, "^+~l", list_centroids(c, false))                                                                     \
    X(centroids_of_background_and_labels, "^~l", list_centroids(c, true))                                                        \
    X(labelled_spots_to_point_list, "^+l", list_pixels(c, true))                                                                 \
    X(spots_to_point_list, "^+p", list_pixels(c, false))                                                                         \
    X(pointlist_to_labelled_spots, "q", write_points(IN(0), (int)IN(0)->shape.height, -1, OUT(0)))                               \
    X(write_values_to_positions, "w", write_points(IN(0), (int)IN(0)->shape.height - 1, (int)IN(0)->shape.height - 1, OUT(0)))   \
    X(read_values_from_positions, "^qg", read_points(c))                                                                         \
    X(reduce_labels_to_centroids, "^l", centroid_pixels(c))                                                                      \
    X(euclidean_distance_from_label_centroid_map, "l", distance_from_centroid(c))                                                \
    X(mean_closest_spot_distance, "+p", mean_closest(c))

DEFINE_ROWS(labels)
