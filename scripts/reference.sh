# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# A page for each operation, from the engine's own description, with an example that has run.
. scripts/build.sh

# The program that makes docs/reference, and the picture that its examples open.
reference=(java/generate/{Example,ExampleRun,GenerateReference,MacroOutput,Picture}.java)
example_picture=macros/images/BBBC007_20P1_POS0005_D_1UL.tif

doc() {
    build_all
    mkdir -p build/generator
    compile_java -d build/generator -cp "$(class_path build)" "${reference[@]}"
    quiet_java run_headless build -cp "build/generator:$(class_path build)" "$reference_class" "$example_picture" docs/reference
    echo "docs/reference/README.md"
}
