#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the plain reference with CLIJ2's own results.

usage: check_reference.py REFERENCE_MAIN [GOLDEN_FOLDER]

Replays every golden call that the reference knows. Integers must be equal (where rounding decides: at most one apart),
float32 within 1e-5 of the largest magnitude. FAULTS lists cases where CLIJ2 is wrong, with the reason; these must
differ. The default folder is ../shared/clij2/golden beside the repository.
"""

import json
import math
import os
import re
import subprocess
import sys

TYPES = {"uint8": 1, "int8": 2, "uint16": 3, "int16": 4, "uint32": 5, "int32": 6, "float32": 7}

# CLIJ2's command name -> the reference's name, where capitals do not mark the words.
NAMES = {
    "setWhereXequalsY": "set_where_x_equals_y",
    "setWhereXgreaterThanY": "set_where_x_greater_than_y",
    "setWhereXsmallerThanY": "set_where_x_smaller_than_y",
    "binaryXOr": "binary_xor",
    "convertUInt8": "convert_uint8",
    "convertUInt16": "convert_uint16",
    "connectedComponentsLabeling": "connected_components_labeling_box",
    "getSumOfAllPixels": "sum_of_all_pixels",
    "getMeanOfAllPixels": "mean_of_all_pixels",
    "getMinimumOfAllPixels": "minimum_of_all_pixels",
    "getMaximumOfAllPixels": "maximum_of_all_pixels",
}

# These operations truncate. Where the exact value is close to an integer, the device's rounding decides.
ONE_APART = re.compile(r"gaussian|affine|translate|mean_\dd_box|gamma")

# Calls in which CLIJ2 differs, and why the reference is right.
FAULTS = {
    "CLIJ2_divideScalarByImage(A_f32_2, dst, 100)":
        "100 / 0 is infinity; relaxed arithmetic made it NaN",
    "CLIJ2_maskedVoronoiLabeling(S_2, M_2, dst)":
        "seeds outside the mask must not grow into it; CLIJ2 starts from label + mask - 1",
}


def reference_name(command):
    name = command[len("CLIJ2_"):]
    words = re.findall(r"\d[A-Z](?![a-z])|[A-Z]?[a-z]+|[A-Z](?![a-z])", name)
    return NAMES.get(name, "_".join(words).lower())


def number(value):
    return float(value)


def image_words(image, dimension):
    depth, height, width = image["shape"]
    numbers = [TYPES[image["dtype"]], dimension, width, height, depth]
    return numbers + image["data"]


def request(command, case, inputs):
    """The case as a request of the reference's driver."""
    arguments = re.search(r"\((.*)\);", case["call"]).group(1)
    images, scalars, text = [], [], ""
    for argument in re.findall(r'"[^"]*"|[^,\s]+', arguments):
        if argument.startswith('"'):
            text = argument[1:-1]
        elif argument in inputs:
            images.append(inputs[argument])
        elif argument == "target":
            images.append(inputs[case["images"][0]])
        elif re.fullmatch(r"-?[\d.]+", argument):
            scalars.append(argument)

    result = case.get("result") or {"shape": [1, 1, 1], "dtype": "float32", "data": [0]}
    before = {"shape": result["shape"], "dtype": result["dtype"], "data": [0] * len(result["data"])}
    dimension = case["dim"]
    output_dimension = dimension if result["shape"][0] > 1 else 2
    words = [reference_name(command), "[%s]" % text, len(scalars), *scalars, len(images)]
    for image in images:
        words += image_words(image, dimension)
    words += image_words(before, output_dimension)
    return " ".join(map(str, words)) + "\n"


def expected_numbers(case):
    if "rows" in case:
        return [value for row in case["rows"] for value in row]
    return case["values"] if "values" in case else case["result"]["data"]


def allowed_difference(name, case, expected):
    integer = "result" in case and case["result"]["dtype"] != "float32"
    if integer:
        return 1 if ONE_APART.search(name) else 0
    largest = max((abs(v) for v in expected if math.isfinite(v)), default=0)
    return 1e-5 * largest


def same(expected, actual, allowed):
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    return expected == actual or abs(expected - actual) <= allowed


def difference(name, case, answer):
    """A sentence about the first difference, or an empty text."""
    expected = [number(v) for v in expected_numbers(case)]
    actual = [number(v) for v in answer]
    if len(expected) != len(actual):
        return "%d numbers instead of %d" % (len(actual), len(expected))
    if "rows" in case:
        # Columns differ in scale, so each number is compared relative to its own size.
        wrong = [i for i, (e, a) in enumerate(zip(expected, actual)) if not same(e, a, 1e-5 * abs(e) + 1e-9)]
    else:
        allowed = allowed_difference(name, case, expected)
        wrong = [i for i, (e, a) in enumerate(zip(expected, actual)) if not same(e, a, allowed)]
    if not wrong:
        return ""
    i = wrong[0]
    return "%d of %d differ, first at %d: CLIJ2 %r, reference %r" % (
        len(wrong), len(expected), i, expected[i], actual[i])


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    golden = sys.argv[2] if len(sys.argv) == 3 else os.path.join(root, "..", "shared", "clij2", "golden")
    if not os.path.isfile(os.path.join(golden, "inputs.json")):
        print("skipped: no golden values in", golden)
        return 0

    with open(os.path.join(golden, "inputs.json")) as file:
        inputs = json.load(file)
    driver = subprocess.Popen(sys.argv[1], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    passed = failed = faults = 0
    for entry in sorted(os.listdir(golden)):
        if not entry.startswith("CLIJ2_") or not entry.endswith(".json"):
            continue
        with open(os.path.join(golden, entry)) as file:
            document = json.load(file)
        command = document["command"]
        good = tried = 0
        for case in document["cases"]:
            if "failed" in case:
                continue
            driver.stdin.write(request(command, case, inputs))
            driver.stdin.flush()
            kind, *answer = driver.stdout.readline().split()
            if kind == "unknown":
                break
            tried += 1
            complaint = difference(reference_name(command), case, answer)
            fault = FAULTS.get(case["call"][len("Ext."):-1])
            if fault:
                faults += 1
                print("fault  %s: %s" % (case["call"], fault))
                complaint = "" if complaint else "is listed as a fault, yet equal"
            if complaint:
                failed += 1
                print("FAILED %s %s" % (case["call"], complaint))
            good += not complaint
        passed += good
        if tried:
            print("%-55s %d of %d" % (command, good, tried))
    driver.stdin.close()
    driver.wait()
    print("%d passed, %d failed; %d of the passed are faults of CLIJ2" % (passed, failed, faults))
    return 1 if failed or driver.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
