/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of operations on label maps, statistics of labels and lists of points. */
#include "rows.h"

/* Keeps labels whose value lies inside (or outside) the range; an undefined value always keeps the label. */
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
    reference_image sizes =
        reference_make(DRUA_FLOAT32, reference_plane((int64_t)reference_reduce(IN(0), REFERENCE_MAXIMUM) + 1, 1));
    for (size_t i = 0; i < reference_count(IN(0)); i++)
        sizes.pixels[(size_t)IN(0)->pixels[i]]++;
    keep_range(c, &sizes, S(0), S(1), true);
    reference_free(&sizes);
}

/* Paints labels with a column of their statistics. */
static void statistic_map(call *c, const reference_image *intensity, const reference_image *labels, const char *column)
{
    double *rows;
    const size_t count = reference_statistics(intensity, labels, false, &rows),
                 at = reference_statistics_column(column);
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

static void mask_labels(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z,
                      (reference_at(IN(1), x, y, z) != 0) == (S(0) != 0) ? reference_at(IN(0), x, y, z) : 0);
}

static void overlay_labels(call *c)
{
    const double max = reference_reduce(IN(0), REFERENCE_MAXIMUM);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
    {
        const double above = reference_at(IN(1), x, y, z);
        reference_put(OUT(0), x, y, z, above != 0 ? above + max : reference_at(IN(0), x, y, z));
    }
}

static void grow_in_mask(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
    {
        const double own = reference_at(IN(0), x, y, z);
        double label = own;
        for (int n = 0; own == 0 && n < 27; n++) {
            const int dx = n % 3 - 1, dy = n / 3 % 3 - 1, dz = n / 9 - 1;
            if (S(0) != 0 || abs(dx) + abs(dy) + abs(dz) < 2)
                label = fmax(label, reference_at(IN(0), x + dx, y + dy, z + dz));
        }
        reference_put(OUT(0), x, y, z, reference_at(IN(1), x, y, z) != 0 ? label : 0);
    }
}

static void peel_labels(call *c)
{
    reference_image min = row_like(IN(0), DRUA_FLOAT32);
    reference_window(IN(0), REFERENCE_WINDOW_MINIMUM, false, (const int64_t[]){1, 1, 1}, &min);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
    {
        const double label = reference_at(IN(0), x, y, z);
        reference_put(OUT(0), x, y, z, reference_at(&min, x, y, z) == label ? label : 0);
    }
    reference_free(&min);
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

/* Lists pixels as columns in raster order, or one per label. */
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

/* Writes row `value` of each column at the position in the rows above it; -1 writes the column's number. */
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
        reference_put(OUT(0), i, 0, 0,
                      reference_at(IN(1), (int64_t)reference_at(IN(0), i, 0, 0), (int64_t)reference_at(IN(0), i, 1, 0),
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

/* The mean distance of spots to the nearest spot of the other image. */
static double closest(const reference_image *from, const reference_image *to)
{
    double sum = 0, count = 0;
    REFERENCE_EACH_PIXEL(from->shape, x, y, z) {
        double min = INFINITY;
        if (reference_at(from, x, y, z) == 0)
            continue;
        REFERENCE_EACH_PIXEL(to->shape, u, v, w)
            if (reference_at(to, u, v, w) != 0)
                min = fmin(min, sqrt((double)((x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w))));
        sum += min;
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

/* The share of a class in the leaf that a pixel reaches below a node. */
static double leaf_share(const reference_image *forest, const reference_image *features, int64_t node, int64_t x,
                         int64_t y, int64_t class)
{
    const int64_t feature = (int64_t)reference_at(forest, 0, node, 0),
                  child = (int64_t)reference_at(forest, 2, node, 0);
    if (feature < 0)
        return reference_at(forest, 3 + class, node, 0);
    return leaf_share(forest, features,
                      reference_at(features, x, y, feature) < reference_at(forest, 1, node, 0) ? child : child + 1, x,
                      y, class);
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

static void run_random_forest_probabilities(call *c) { forest(c, false); }
static void run_random_forest_classes(call *c) { forest(c, true); }
static void run_connected_components_box(call *c) { reference_connected_components(IN(0), REFERENCE_BOX, OUT(0)); }
static void run_connected_components_diamond(call *c)
{
    reference_connected_components(IN(0), REFERENCE_DIAMOND, OUT(0));
}
static void run_connected_components_in_place(call *c) { reference_connected_components(IN(0), REFERENCE_BOX, OUT(0)); }
static void run_exclude_labels_on_edges(call *c) { reference_exclude_labels_on_edges(IN(0), OUT(0)); }
static void run_exclude_labels_with_values_out_of_range(call *c) { keep_range(c, IN(0), S(0), S(1), true); }
static void run_exclude_labels_with_values_within_range(call *c) { keep_range(c, IN(0), S(0), S(1), false); }
static void run_close_index_gaps_in_label_map(call *c) { reference_close_index_gaps(IN(0), OUT(0)); }
static void run_join_touching_labels(call *c) { reference_join_touching_labels(IN(0), OUT(0)); }
static void run_reduce_labels_to_label_edges(call *c) { reference_cut_label_edges(IN(0), S(0) != 0, OUT(0)); }
static void run_detect_label_edges(call *c) { reference_label_edges(IN(0), OUT(0)); }
static void run_shrink_labels(call *c) { reference_shrink_labels(IN(0), N(0), OUT(0)); }
static void run_skeletonize(call *c) { reference_skeletonize(IN(0), OUT(0)); }
/* The label of the nearest labelled pixel within the distance; of equally near ones, the smallest. */
static void expand(call *c)
{
    const drua_shape s = IN(0)->shape;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double nearest = INFINITY, label = 0;
        const double cx = fmin((double)x, (double)s.width - 1), cy = fmin((double)y, (double)s.height - 1),
                     cz = fmin((double)z, (double)s.depth - 1);
        REFERENCE_EACH_PIXEL(s, i, j, k) {
            const double other = reference_at(IN(0), i, j, k), dx = (double)i - cx, dy = (double)j - cy,
                         dz = (double)k - cz, square = dx * dx + dy * dy + dz * dz;
            if (other >= 1 && (square < nearest || (square == nearest && other < label))) {
                nearest = square;
                label = trunc(other);
            }
        }
        reference_put(OUT(0), x, y, z, nearest <= S(0) * S(0) * (1 + 1e-6) ? label : 0);
    }
}

static void run_dilate_labels(call *c) { reference_dilate_labels(IN(0), N(0), OUT(0)); }
static void run_extend_labeling_via_voronoi(call *c) { reference_extend_labels(IN(0), OUT(0)); }
static void run_voronoi_labeling(call *c) { reference_voronoi_labeling(IN(0), OUT(0)); }
static void run_masked_voronoi_labeling(call *c) { reference_masked_voronoi_labeling(IN(0), IN(1), OUT(0)); }
static void run_label_spots(call *c) { reference_label_spots(IN(0), OUT(0)); }
static void run_binary_fill_holes(call *c) { reference_fill_holes(IN(0), OUT(0)); }
static void run_replace_intensities(call *c) { reference_replace_intensities(IN(0), IN(1), OUT(0)); }
static void run_flag_labels_on_edges(call *c) { reference_flag_edges(IN(0), OUT(0)); }
static void run_mean_intensity_map(call *c) { statistic_map(c, IN(0), IN(1), "MEAN_INTENSITY"); }
static void run_minimum_intensity_map(call *c) { statistic_map(c, IN(0), IN(1), "MINIMUM_INTENSITY"); }
static void run_maximum_intensity_map(call *c) { statistic_map(c, IN(0), IN(1), "MAXIMUM_INTENSITY"); }
static void run_standard_deviation_intensity_map(call *c)
{
    statistic_map(c, IN(0), IN(1), "STANDARD_DEVIATION_INTENSITY");
}
static void run_pixel_count_map(call *c) { statistic_map(c, IN(0), IN(0), "PIXEL_COUNT"); }
static void run_mean_extension_map(call *c) { statistic_map(c, IN(0), IN(0), "MEAN_DISTANCE_TO_CENTROID"); }
static void run_maximum_extension_map(call *c) { statistic_map(c, IN(0), IN(0), "MAX_DISTANCE_TO_CENTROID"); }
static void run_extension_ratio_map(call *c) { statistic_map(c, IN(0), IN(0), "MAX_MEAN_DISTANCE_TO_CENTROID_RATIO"); }
static void run_centroids_of_labels(call *c) { list_centroids(c, false); }
static void run_centroids_of_background_and_labels(call *c) { list_centroids(c, true); }
static void run_labelled_spots_to_point_list(call *c) { list_pixels(c, true); }
static void run_spots_to_point_list(call *c) { list_pixels(c, false); }
static void run_pointlist_to_labelled_spots(call *c) { write_points(IN(0), (int)IN(0)->shape.height, -1, OUT(0)); }
static void run_write_values_to_positions(call *c)
{
    write_points(IN(0), (int)IN(0)->shape.height - 1, (int)IN(0)->shape.height - 1, OUT(0));
}

/* Keeps the label with the most pixels (the smallest of several), or all others. */
static void sort_out_largest(const reference_image *labels, bool keeps, reference_image *output)
{
    double best = 0, max = 0;
    for (double label = 1; label <= reference_reduce(labels, REFERENCE_MAXIMUM); label++) {
        double pixels = 0;
        for (size_t i = 0; i < reference_count(labels); i++)
            pixels += labels->pixels[i] == label;
        if (pixels > max) {
            max = pixels;
            best = label;
        }
    }
    REFERENCE_EACH_PIXEL (output->shape, x, y, z) {
        const double label = reference_at(labels, x, y, z);
        reference_put(output, x, y, z, (label == best) == keeps ? label : 0);
    }
}

static void keep_label(call *c)
{
    sort_out_largest(IN(0), true, OUT(0));
}
static void remove_label(call *c)
{
    sort_out_largest(IN(0), false, OUT(0));
}

static void sort_out_object(call *c, bool keeps)
{
    const bool box = N(0) == 8 || N(0) == 26;
    reference_image labels = row_like(IN(0), DRUA_UINT32), rest = row_like(IN(0), DRUA_UINT32);
    reference_connected_components(IN(0), box ? REFERENCE_BOX : REFERENCE_DIAMOND, &labels);
    sort_out_largest(&labels, keeps, &rest);
    REFERENCE_EACH_PIXEL (OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, reference_at(&rest, x, y, z) != 0 ? (float)S(1) : 0);
    reference_free(&labels);
    reference_free(&rest);
}

static void keep_object(call *c)
{
    sort_out_object(c, true);
}
static void remove_object(call *c)
{
    sort_out_object(c, false);
}

/* Keeps (0) or removes (1) label 1. */
static void edit_first(call *c, bool removes)
{
    for (size_t i = 0; i < reference_count(OUT(0)); i++) {
        const double label = IN(0)->pixels[i];
        OUT(0)->pixels[i] = (label == 1) == removes ? 0 : label;
    }
}

static void keep_first(call *c)
{
    edit_first(c, false);
}
static void remove_first(call *c)
{
    edit_first(c, true);
}
/* The preset merges label 2 into label 1. */
static void merge_first(call *c)
{
    for (size_t i = 0; i < reference_count(OUT(0)); i++) {
        const double label = IN(0)->pixels[i];
        OUT(0)->pixels[i] = label == 2 ? 1 : label;
    }
}

const call_row rows_labels[] = {
    ROW(keep_labels, "^l", keep_first),
    ROW(remove_labels, "^l", remove_first),
    ROW(merge_labels, "^l", merge_first),
    ROW(keep_largest_label, "l", keep_label),
    ROW(remove_largest_label, "l", remove_label),
    ROW(keep_largest_object, "b", keep_object),
    ROW(remove_largest_object, "b", remove_object),
    ROW(random_forest_probabilities, "gF", run_random_forest_probabilities),
    ROW(random_forest_classes, "gF", run_random_forest_classes),
    ROW(connected_components_box, "=b", run_connected_components_box),
    ROW(connected_components_diamond, "=b", run_connected_components_diamond),
    ROW(connected_components_in_place, "b", run_connected_components_in_place),
    ROW(exclude_labels_on_edges, "=l", run_exclude_labels_on_edges),
    ROW(exclude_labels, "^Vl", exclude),
    ROW(exclude_labels_with_values_out_of_range, "^Ul", run_exclude_labels_with_values_out_of_range),
    ROW(exclude_labels_with_values_within_range, "^Ul", run_exclude_labels_with_values_within_range),
    ROW(exclude_labels_outside_size_range, "^l", keep_sizes),
    ROW(close_index_gaps_in_label_map, "=l", run_close_index_gaps_in_label_map),
    ROW(join_touching_labels, "^l", run_join_touching_labels),
    ROW(merge_touching_labels, "^l", merge),
    ROW(reduce_labels_to_label_edges, "l", run_reduce_labels_to_label_edges),
    ROW(detect_label_edges, "l", run_detect_label_edges),
    ROW(shrink_labels, "^l", run_shrink_labels),
    ROW(peel_labels, "^l", peel_labels),
    ROW(mask_labels, "lb", mask_labels),
    ROW(overlay_labels, "=ll", overlay_labels),
    ROW(grow_labels_in_mask, "lb", grow_in_mask),
    ROW(erode_labels, "^l", erode),
    ROW(skeletonize, "b", run_skeletonize),
    ROW(dilate_labels, "=l", run_dilate_labels),
    ROW(expand_labels, "l", expand),
    ROW(extend_labeling_via_voronoi, "^l", run_extend_labeling_via_voronoi),
    ROW(voronoi_labeling, "=p", run_voronoi_labeling),
    ROW(masked_voronoi_labeling, "=pb", run_masked_voronoi_labeling),
    ROW(voronoi_octagon, "^p", octagon_borders),
    ROW(label_spots, "=p", run_label_spots),
    ROW(binary_fill_holes, "^b", run_binary_fill_holes),
    ROW(binary_fill_holes_slice_by_slice, "^b", fill_holes_of_slices),
    ROW(replace_intensities, "lg", run_replace_intensities),
    ROW(flag_labels_on_edges, "^l", run_flag_labels_on_edges),
    ROW(mean_intensity_map, "gl", run_mean_intensity_map),
    ROW(minimum_intensity_map, "gl", run_minimum_intensity_map),
    ROW(maximum_intensity_map, "gl", run_maximum_intensity_map),
    ROW(standard_deviation_intensity_map, "gl", run_standard_deviation_intensity_map),
    ROW(pixel_count_map, "l", run_pixel_count_map),
    ROW(mean_extension_map, "l", run_mean_extension_map),
    ROW(maximum_extension_map, "l", run_maximum_extension_map),
    ROW(extension_ratio_map, "l", run_extension_ratio_map),
    ROW(centroids_of_labels, "^+~l", run_centroids_of_labels),
    ROW(centroids_of_background_and_labels, "^~l", run_centroids_of_background_and_labels),
    ROW(labelled_spots_to_point_list, "^+l", run_labelled_spots_to_point_list),
    ROW(spots_to_point_list, "^+p", run_spots_to_point_list),
    ROW(pointlist_to_labelled_spots, "q", run_pointlist_to_labelled_spots),
    ROW(write_values_to_positions, "w", run_write_values_to_positions),
    ROW(read_values_from_positions, "^qg", read_points),
    ROW(reduce_labels_to_centroids, "^l", centroid_pixels),
    ROW(euclidean_distance_from_label_centroid_map, "l", distance_from_centroid),
    ROW(mean_closest_spot_distance, "+p", mean_closest),
    {NULL, NULL, NULL, NULL},
};
