/* SPDX-License-Identifier: BSD-3-Clause */
#include "box.h"
#include "plan_fft.h"

/* Mirrored padding on each side: as wide as the filter's reach, but at most as wide as the image. */
static int64_t mirrored_padding(int64_t extent, double reach)
{
    return extent == 1 ? 1 : 2 * (reach < (double)extent ? (int64_t)ceil(reach) : extent);
}

static void launch_band_pass(drua_plan *p)
{
    static const int around[] = {EDGES_MIRROR, EDGES_PERIODIC};
    const drua_shape image = plan_shape(p, "source");
    const int edges = around[plan_choice(p, "edges")];
    const double smallest = plan_number(p, "smallest"), largest = plan_number(p, "largest"),
                 reach = fmax(smallest, largest);
    const fourier_box box =
        fourier_box_around(image,
                           (drua_shape){mirrored_padding(image.width, reach), mirrored_padding(image.height, reach),
                                        mirrored_padding(image.depth, reach), 3},
                           edges);
    fourier_check_memory(p, box, 1);
    fourier_check_numbers(p, "source");
    plan_fft_prepare(p, box.shape, false);
    drua_view filled = fourier_place(p, box, plan_image(p, "source"), edges), spectrum = plan_fft_spectrum(filled);
    plan_fft_forward(p, filled);
    LAUNCH(p, "band_pass", GRID(spectrum.layout.width / 2, spectrum.layout.height, spectrum.layout.depth, 32, 4, 1),
           ARG(spectrum), INT(box.shape.width), REAL(smallest), REAL(largest));
    plan_fft_inverse(p, filled);
    plan_copy(p, fourier_crop(filled, box, image), plan_image(p, "destination"), 0, 0, 0);
}

#define WAVELENGTH(name_, doc_, default_)                                                                              \
    DRUA_NUMBER(name_, doc_, .unit = "pixel", DRUA_RANGE(0, 1e6), .default_value = default_)

DRUA_OP(band_pass) = {
    .name = "band_pass",
    .category = "fourier",
    .menu = true,
    .summary = "Keeps structures between two sizes: removes fine noise and uneven illumination.",
    .source =
        "a wave of n pixels is multiplied by 2^-((smallest / n)^2) (1 - 2^-((largest / n)^2)): half at either end",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"),
                DRUA_IMAGE_OUT("destination", "filtered image; grey values lie around 0 unless largest is 0",
                               .type = DRUA_FLOAT32),
                WAVELENGTH("smallest", "wavelength below which less than half is left; 0: all fine structures stay", 3),
                WAVELENGTH("largest",
                           "wavelength above which less than half is left; 0: all broad structures and the mean stay",
                           40),
                DRUA_CHOICE("edges", "surroundings of the image", .default_text = "mirror",
                            DRUA_CHOICES("mirror", "periodic"))),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_band_pass,
};
