# SPDX-License-Identifier: BSD-3-Clause
"""Writes esrrf.txt: small movies and the results of a numpy reference (checked against NanoPyx).

make_esrrf.py FOLDER > esrrf.txt, where FOLDER contains esrrf_reference.py. Each case is a line of options, a line of
width, height and frames, a line of pixels, and a line of results, in order x, y, time point.
"""
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import esrrf_reference as reference  # noqa: E402

# width, height, frames, content, magnification, radius, sensitivity, group, projection, weighting, macro-pixels,
# registration
CASES = [
    (6, 7, 3, 'noise', 3, 1.5, 1, 0, 'AVG', 1, 1, 'nanopyx'),
    (6, 7, 3, 'noise', 3, 1.5, 1, 0, 'VAR', 1, 1, 'nanopyx'),
    (6, 7, 3, 'noise', 3, 1.5, 1, 0, 'TAC2', 1, 0, 'nanopyx'),
    (5, 6, 1, 'noise', 5, 1.5, 1, 0, 'AVG', 1, 0, 'nanopyx'),
    (7, 5, 5, 'noise', 2, 1, 2, 2, 'VAR', 1, 1, 'nanopyx'),
    (7, 5, 5, 'noise', 2, 1, 2, 3, 'TAC2', 1, 0, 'nanopyx'),
    (5, 5, 2, 'saturated', 4, 1, 1, 0, 'AVG', 1, 1, 'nanopyx'),
    (6, 6, 2, 'flat', 3, 0.5, 1, 0, 'AVG', 0, 1, 'nanopyx'),
    (9, 9, 1, 'noise', 1, 2, 1.5, 0, 'AVG', 1, 0, 'nanopyx'),
    (10, 9, 1, 'noise', 2, 4, 4, 0, 'AVG', 1, 0, 'nanopyx'),
    (3, 4, 2, 'noise', 10, 0.5, 3, 0, 'AVG', 1, 1, 'nanopyx'),
    (1, 5, 2, 'noise', 7, 0.5, 1, 0, 'AVG', 1, 0, 'nanopyx'),
    (6, 7, 3, 'offset', 3, 1.5, 1, 0, 'VAR', 1, 1, 'nanopyx'),
    (6, 7, 3, 'noise', 3, 1.5, 1, 0, 'AVG', 1, 1, 'registered'),
    (6, 5, 2, 'noise', 4, 1, 2, 1, 'AVG', 1, 1, 'registered'),
    (6, 6, 2, 'flat', 5, 0.7, 1, 0, 'AVG', 1, 0, 'registered'),
    (6, 7, 3, 'noise', 3, 1.5, 1, 0, 'AVG', 1, 0, 'nanoj'),
    (5, 4, 2, 'noise', 4, 1, 2, 0, 'VAR', 1, 0, 'nanoj'),
]


def movie(kind, shape, rng):
    if kind == 'flat':
        return np.where(rng.random(shape) < 0.1, 120, 100)
    if kind == 'saturated':
        return np.minimum(rng.integers(0, 3000, shape), 1000)
    return rng.integers(0, 1000, shape) if kind == 'noise' else 60000 + rng.integers(0, 50, shape)


def frames_of(stack, m, radius, sensitivity, weighting, registration):
    if registration == 'nanoj':
        return np.stack([reference.nanoj_frame(f, m, radius, sensitivity, bool(weighting)) for f in stack])
    return reference.esrrf_frames(stack, m, radius, sensitivity, bool(weighting),
                                  registered=registration == 'registered')


def main():
    rng = np.random.default_rng(2026)
    for width, height, count, kind, m, radius, sensitivity, group, projection, weighting, macro, registration in CASES:
        stack = movie(kind, (count, height, width), rng)
        frames = frames_of(stack, m, radius, sensitivity, weighting, registration)
        step = count if group == 0 else min(group, count)
        images = [reference.temporal(frames[t:t + step], projection) for t in range(0, count, step)]
        if macro:
            images = [reference.macro_pixel_correction(i, m) for i in images]
        print(f'magnification={m} radius={radius} sensitivity={sensitivity} '
              f'frames_per_timepoint={group} projection={projection} '
              f'intensity_weighting={weighting} macro_pixel_correction={macro} registration={registration}')
        print(width, height, count)
        print(*stack.ravel())
        print(*(f'{v:.8g}' for v in np.stack(images).ravel()))


main()
