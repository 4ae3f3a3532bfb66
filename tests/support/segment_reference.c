/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts and measures bright objects in a 16-bit image with the reference alone, for comparison with the engine.
 *
 *   segment_reference IMAGE.tif                   blur (sigma 2), Otsu's threshold, connected components
 *   segment_reference --voronoi S O IMAGE.tif     Voronoi-Otsu labelling with spot sigma S and outline sigma O
 *
 * Excludes objects at the border. Prints `label,area,mean_intensity` of the unfiltered image for each object, then
 * `count,N,mean_area,X`.
 */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

/* Reads the first image of a file, with one sample of 16 bits per pixel. Returns an image without pixels on failure. */
static reference_image read_picture(const char *path)
{
    reference_image image = {0};
    TIFFSetWarningHandler(NULL); /* no warnings about private tags of microscopes */
    TIFF *file = TIFFOpen(path, "r");
    if (!file)
        return image;
    uint32_t width = 0, height = 0;
    uint16_t bits = 0, samples = 1;
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(file, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    if (bits == 16 && samples == 1) {
        image = reference_make(DRUA_UINT16, reference_plane(width, height));
        uint16_t *row = reference_allocate((size_t)TIFFScanlineSize(file), 1);
        for (uint32_t y = 0; y < height && image.pixels; y++) {
            if (TIFFReadScanline(file, row, y, 0) < 0) {
                reference_free(&image);
                break;
            }
            for (uint32_t x = 0; x < width; x++)
                reference_put(&image, x, y, 0, row[x]);
        }
        free(row);
    }
    TIFFClose(file);
    return image;
}

static void label_components(const reference_image *image, reference_image *labels)
{
    reference_image blurred = reference_make(image->type, image->shape); /* a macro's blur keeps the type too */
    reference_image mask = reference_make(DRUA_UINT8, image->shape);
    reference_gaussian_blur(image, 2, 2, 0, &blurred);
    reference_automatic_threshold(&blurred, "Otsu", &mask);
    reference_connected_components(&mask, REFERENCE_BOX, labels);
    reference_free(&blurred);
    reference_free(&mask);
}

static double value_in_row(const double *row, const char *name)
{
    int column = 0;
    while (strcmp(reference_statistics_names[column], name) != 0)
        column++;
    return row[column];
}

static void print_objects(const reference_image *image, const reference_image *labels)
{
    double *rows, area = 0;
    const size_t count = reference_statistics(image, labels, false, &rows);
    puts("label,area,mean_intensity");
    for (size_t i = 0; i < count; i++) {
        const double *row = rows + i * REFERENCE_STATISTICS_COLUMNS;
        area += value_in_row(row, "PIXEL_COUNT");
        printf("%.0f,%.0f,%.6f\n", value_in_row(row, "IDENTIFIER"), value_in_row(row, "PIXEL_COUNT"),
               value_in_row(row, "MEAN_INTENSITY"));
    }
    printf("count,%zu,mean_area,%.6f\n", count, count ? area / (double)count : 0);
    free(rows);
}

int main(int argc, char **argv)
{
    const bool voronoi = argc == 5 && strcmp(argv[1], "--voronoi") == 0;
    if (argc != 2 && !voronoi) {
        fprintf(stderr, "usage: segment_reference [--voronoi SPOT_SIGMA OUTLINE_SIGMA] IMAGE.tif\n");
        return 2;
    }
    reference_image image = read_picture(argv[argc - 1]);
    if (!image.pixels) {
        fprintf(stderr, "segment_reference: %s is not a readable image with 16 bits per pixel\n", argv[argc - 1]);
        return 1;
    }
    reference_image all = reference_make(DRUA_FLOAT32, image.shape);
    reference_image inner = reference_make(DRUA_FLOAT32, image.shape);
    if (voronoi)
        reference_voronoi_otsu_labeling(&image, strtod(argv[2], NULL), strtod(argv[3], NULL), &all);
    else
        label_components(&image, &all);
    reference_exclude_labels_on_edges(&all, &inner);
    print_objects(&image, &inner);
    reference_free(&image);
    reference_free(&all);
    reference_free(&inner);
    return 0;
}
