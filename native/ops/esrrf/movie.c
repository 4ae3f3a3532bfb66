/* SPDX-License-Identifier: BSD-3-Clause */
#include "movie.h"
#include "plan_files.h"

static bool has_dense_planes(const drua_layout *l)
{
    return l->column == 1 && (l->height == 1 || l->row == l->width) && l->plane >= (int64_t)l->width * l->height;
}

esrrf_movie esrrf_movie_of_image(drua_plan *p, uint64_t bytes)
{
    esrrf_movie m = {.name = "source",
                     .to = 1,
                     .image = plan_image(p, "source"),
                     .shape = plan_shape(p, "source"),
                     .type = plan_type(p, "source")};
    m.is_resident = plan_fits_with_scratch(p, m.image, bytes) || !has_dense_planes(&m.image.layout);
    return m;
}

esrrf_movie esrrf_movie_of_file(drua_plan *p, uint64_t bytes)
{
    (void)bytes;
    return (esrrf_movie){.name = "path",
                         .is_file = true,
                         .to = 1,
                         .shape = plan_file_shape(p, "path"),
                         .type = plan_file_type(p, "path")};
}

void esrrf_report(drua_plan *p, const esrrf_movie *m, int32_t end)
{
    plan_progress(p, m->from + (m->to - m->from) * (double)end / (double)m->shape.depth);
}

drua_view esrrf_frames(drua_plan *p, const esrrf_movie *m, int32_t first, int32_t count)
{
    if (m->is_file)
        return plan_file_frames(p, m->name, first, count);
    if (m->is_resident)
        return plan_slices(m->image, first, count);
    return plan_send_box(p, m->image, &(drua_box){{0, 0, first}, {m->shape.width, m->shape.height, first + count}});
}

void esrrf_drop_frames(drua_plan *p, const esrrf_movie *m, drua_view frames)
{
    if (m->is_file || !m->is_resident)
        plan_free_scratch(p, frames);
}

uint64_t esrrf_frame_bytes(const esrrf_movie *m, int32_t count)
{
    const uint64_t frame = (uint64_t)(m->shape.width * m->shape.height) * drua_type_size(m->type);
    return m->is_file || !m->is_resident ? frame * (uint64_t)count : 0;
}

const char *esrrf_host_frames(drua_plan *p, const esrrf_movie *m, size_t *frame_stride)
{
    drua_view image = m->image;
    if (!has_dense_planes(&image.layout)) {
        image = plan_scratch(p, m->shape, m->type);
        plan_copy(p, m->image, image, 0, 0, 0);
    }
    *frame_stride = (size_t)image.layout.plane * drua_type_size(m->type);
    return plan_host_pixels(p, image);
}
