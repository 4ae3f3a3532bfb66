# SPDX-License-Identifier: BSD-3-Clause
"""Runs the project's JSON cases through the installed package: cases.py FOLDER."""
import json
import pathlib
import sys

import numpy

import drua
from drua._operations import PARAMETERS


def run(device, case):
    """The first output image of a case, or the last input if the operation changes images in place."""
    inputs = [numpy.array(values, info["dtype"]).reshape(info["shape"])
              for values, info in zip(case["inputs"], case["input_info"])]
    given, images, parameters = {}, list(inputs), PARAMETERS[case["op"]]
    for kind, name in parameters:
        if kind == "image_in":
            given[name] = images.pop(0)
        elif kind == "image_inout":
            given[name] = result = device.push(images.pop(0))
        elif kind == "images":
            given[name] = {word: device.push(image) for word, image in zip(case["input_names"], images)}
            result = list(given[name].values())[-1]
        elif case["params"].get(name) is not None:
            given[name] = case["params"][name]
    made = [name for kind, name in parameters if kind == "image_out"]
    if made and case["output"]:
        given[made[0]] = device.create(case["output"]["shape"], case["output"]["dtype"])
    returned = getattr(device, case["op"])(**given)
    if made:
        result = returned[0] if isinstance(returned, tuple) else returned
    return result.numpy()


def without_leading_ones(shape):
    """A case has no axis for the slices of a list of positions or numbers."""
    return without_leading_ones(shape[1:]) if shape and shape[0] == 1 else shape


def fault(got, check):
    due = numpy.array(check["expected"])
    if without_leading_ones(got.shape) != without_leading_ones(due.shape):
        return f"the shape is {got.shape}, expected {due.shape}"
    got = got.reshape(due.shape)
    if check["compare"] == "array_equal":
        equal = numpy.array_equal(got, due)
    else:
        equal = numpy.allclose(got, due, check.get("rtol", 1e-5), check.get("atol", 0))
    return None if equal else f"got {got.tolist()}, expected {due.tolist()}"


def main(folder):
    passed = failed = 0
    with drua.Device() as device:
        for file in sorted(pathlib.Path(folder).glob("*.json")):
            case = json.loads(file.read_text(encoding="utf-8"))
            for check in case["checks"]:
                try:
                    wrong = fault(run(device, case), check)
                except drua.DruaError as error:
                    wrong = str(error)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAIL {file.stem}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main(*sys.argv[1:]))
