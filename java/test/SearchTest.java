// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.dialog.Search;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import java.util.List;
import java.util.stream.Collectors;

/** The first three operations that the search finds for the words of users, of menus and of other programs. */
final class SearchTest extends Expectations {
    private static final String[] DUE = {
        // words of the first hour
        "otsu: automatic_threshold threshold voronoi_otsu_labeling", "gauss: gaussian_blur mean_box median_box",
        "area: statistics_of_labelled_pixels pixel_count_map exclude_labels_outside_size_range",
        "brightness: normalize multiply_image_and_scalar gamma_correction",
        "count: statistics_of_labelled_pixels connected_components_box maximum_of_all_pixels",
        "measure: statistics_of_labelled_pixels statistics_of_image pixel_count_map",
        "split touching: watershed voronoi_otsu_labeling marker_controlled_watershed",
        "rolling ball: subtract_background subtract_gaussian_background top_hat_box",
        "clahe: enhance_local_contrast normalize divide_by_gaussian_background",
        "expand labels: expand_labels dilate_labels extend_labeling_via_voronoi",
        "background: subtract_background subtract_gaussian_background top_hat_box",
        "remove noise: median_box gaussian_blur median_sphere",
        "cell size: statistics_of_labelled_pixels pixel_count_map exclude_labels_outside_size_range",
        "colocalisation: measure_colocalization jaccard_index sorensen_dice_coefficient",
        "merge: combine_horizontally add_images concatenate_stacks", "crop: crop crop_border sub_stack",
        "contrast: normalize multiply_image_and_scalar gamma_correction",
        "nuclei: voronoi_otsu_labeling gauss_otsu_labeling marker_controlled_watershed",
        "spots: find_maxima detect_maxima detect_and_label_maxima",
        "foci: find_maxima detect_maxima detect_and_label_maxima",
        "intensity: statistics_of_labelled_pixels mean_intensity_map mean_of_masked_pixels",
        "segment: automatic_threshold threshold voronoi_otsu_labeling",
        "label: connected_components_box connected_components_diamond voronoi_otsu_labeling",
        "blur: gaussian_blur mean_box median_box", "denoise: median_box gaussian_blur median_sphere",
        "smooth: gaussian_blur mean_box median_box",
        "neighbours: touching_neighbor_count_map count_touching_neighbors generate_touch_matrix",
        "tracking: track_labels track_spots measure_tracks",
        "drift: translation_registration drift_correction_by_center_of_mass translation_registration_of_slices",
        "deconvolution: deconvolve deconvolve_inverse deconvolve_frames",
        "mip: maximum_z_projection mean_z_projection sum_z_projection",
        "z project: maximum_z_projection mean_z_projection sum_z_projection",
        // ImageJ, Process
        "sharpen: unsharp_mask laplace_box deconvolve",
        "find edges: sobel binary_edge_detection morphological_gradient",
        "find maxima: find_maxima detect_maxima detect_and_label_maxima",
        "enhance contrast: normalize multiply_image_and_scalar gamma_correction",
        "add noise: camera_noise set_random add_images", "salt and pepper: median_box gaussian_blur median_sphere",
        "despeckle: median_box gaussian_blur median_sphere",
        "remove outliers: replace_hot_pixels median_box median_sphere",
        "remove nans: replace_undefined undefined_to_zero replace_pixels_if_zero",
        "shadows: gradient_x gradient_y sobel", "make binary: automatic_threshold threshold voronoi_otsu_labeling",
        "convert to mask: automatic_threshold threshold voronoi_otsu_labeling",
        "erode: erode_sphere erode_labels minimum_box", "dilate: dilate_sphere dilate_labels maximum_box",
        "open: opening_box greyscale_opening_box opening_labels",
        "close-: closing_box greyscale_closing_box closing_labels",
        "outline: reduce_labels_to_label_edges detect_label_edges binary_edge_detection",
        "fill holes: fill_holes binary_fill_holes closing_box", "skeletonize: skeletonize distance_map erode_sphere",
        "distance map: distance_map euclidean_distance_from_label_centroid_map watershed",
        "ultimate points: distance_map detect_maxima regional_maxima",
        "watershed: watershed marker_controlled_watershed seeded_watershed",
        "voronoi: voronoi_labeling voronoi_otsu_labeling masked_voronoi_labeling",
        "add: add_images add_image_and_scalar add_images_weighted",
        "subtract: subtract_images subtract_image_from_scalar absolute_difference",
        "multiply: multiply_image_and_scalar multiply_images multiply_stack_with_plane",
        "divide: divide_images divide_scalar_by_image divide_by_gaussian_background",
        "and: binary_and mask minimum_images", "or: binary_or maximum_images combine_labels",
        "xor: binary_xor not_equal binary_subtract", "min: minimum_box minimum_sphere minimum_octagon",
        "max: maximum_box maximum_sphere maximum_octagon", "gamma: gamma_correction power logarithm",
        "set: set set_plane draw_box", "log: logarithm exponential gamma_correction",
        "exp: exponential power logarithm", "square: power multiply_images squared_difference",
        "square root: power gamma_correction logarithm", "reciprocal: divide_scalar_by_image power divide_images",
        "nan background: replace_undefined undefined_to_zero replace_pixels_if_zero",
        "abs: absolute absolute_difference absolute_in_place",
        "macro: custom_operation custom_binary_operation multiply_image_and_coordinate",
        "fft: power_spectrum forward_fft band_pass", "inverse fft: inverse_fft forward_fft power_spectrum",
        "redisplay power spectrum: power_spectrum forward_fft band_pass",
        "bandpass filter: band_pass difference_of_gaussian forward_fft",
        "custom filter: convolve convolve_fft local_cross_correlation",
        "convolve: convolve convolve_fft local_cross_correlation",
        "median: median_box median_sphere median_z_projection", "mean: mean_box mean_sphere mean_z_projection",
        "minimum: minimum_box minimum_sphere minimum_octagon", "maximum: maximum_box maximum_sphere maximum_octagon",
        "unsharp mask: unsharp_mask laplace_box deconvolve",
        "variance: variance_box standard_deviation_box entropy_box",
        "top hat: top_hat_box top_hat_sphere top_hat_octagon",
        "image calculator: subtract_images subtract_image_from_scalar absolute_difference",
        "subtract background: subtract_background subtract_gaussian_background top_hat_box",
        // ImageJ, Analyze
        "analyze particles: connected_components_box connected_components_diamond voronoi_otsu_labeling",
        "summarize: statistics_of_image mean_of_all_pixels standard_deviation_of_all_pixels",
        "distribution: histogram statistics_of_image get_automatic_threshold",
        "set measurements: statistics_of_labelled_pixels statistics_of_image pixel_count_map",
        "histogram: histogram statistics_of_image get_automatic_threshold",
        // MorphoLibJ
        "morphological filters: greyscale_opening_box grey_level_attribute_filter greyscale_closing_box",
        "morphological reconstruction: reconstruction_by_dilation reconstruction_by_erosion impose_minima",
        "impose minima: impose_minima impose_maxima reconstruction_by_erosion",
        "kill borders: kill_borders exclude_labels_on_edges exclude_labels_on_edges_of_axes",
        "remove border labels: exclude_labels_on_edges kill_borders exclude_labels_on_edges_of_axes",
        "label size filtering: "
            + "exclude_labels_outside_size_range grey_level_attribute_filter exclude_labels_with_values_out_of_range",
        "keep largest label: keep_largest_label keep_largest_object remove_largest_label",
        "label boundaries: reduce_labels_to_label_edges detect_label_edges binary_edge_detection",
        "analyze regions: statistics_of_labelled_pixels statistics_of_image pixel_count_map",
        "chamfer distance map: chamfer_distance_map distance_map distance_to_label_border",
        "marker controlled watershed: marker_controlled_watershed seeded_watershed masked_voronoi_labeling",
        "gray scale attribute filtering: attribute_filter grey_level_attribute_filter greyscale_opening_box",
        // scikit-image
        "regionprops: statistics_of_labelled_pixels statistics_of_image pixel_count_map",
        "peak local max: find_maxima detect_maxima detect_and_label_maxima",
        "white tophat: top_hat_box top_hat_sphere top_hat_octagon",
        "threshold: threshold greater_or_equal_constant within_intensity_range",
        "clear border: exclude_labels_on_edges kill_borders exclude_labels_on_edges_of_axes",
        "remove small objects: "
            + "exclude_labels_outside_size_range grey_level_attribute_filter exclude_labels_with_values_out_of_range",
        "find boundaries: reduce_labels_to_label_edges detect_label_edges binary_edge_detection",
        "rescale intensity: normalize multiply_image_and_scalar gamma_correction",
        "phansalkar: local_threshold_phansalkar local_threshold_sauvola local_threshold_niblack"};

    private SearchTest() {}

    public static void main(String[] args) {
        NativeLibrary.load();
        Search search = new Search(Registry.get());
        for (String expected : DUE) {
            String[] parts = expected.split(": ");
            expect(parts[0], parts[1], firstThree(search, parts[0]));
        }
        expect("letters of a name", "gaussian_blur", firstThree(search, "gaus").split(" ")[0]);
        expect("the beginning of a word of users", "median_box", firstThree(search, "denoi").split(" ")[0]);
        expect("a command", "automatic_threshold", firstThree(search, "CLIJ2_thresholdOtsu").split(" ")[0]);
        expect("several words", "exclude_labels_on_edges", firstThree(search, "labels edges exclude").split(" ")[0]);
        expect("nonsense", "", firstThree(search, "qwertz"));
        expect("an empty search", Registry.get().operations.size(), search.ranked(" ").size());
        Runtime.getRuntime().halt(sum());
    }

    private static String firstThree(Search search, String text) {
        List<Registry.Operation> found = search.ranked(text);
        return found.stream().limit(3).map(operation -> operation.name).collect(Collectors.joining(" "));
    }
}
