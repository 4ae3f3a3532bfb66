# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Writes a page for each operation from the engine's description, with an example that has run.
. scripts/build.sh
. scripts/site_of_docs.sh
. scripts/tasks.sh

# The programs that make docs/reference and the site, and the picture that the examples open.
reference=(java/generate/{Differences,DocumentPictures,Example,ExampleRun,GenerateReference,GenerateSite,MacroOutput,Picture,Publications,SearchWords,SiteLinks,Speeds,Task,TaskPages}.java)
example_picture=macros/images/BBBC007_20P1_POS0005_D_1UL.tif

doc() {
    make_reference
    run_headless build -cp "build/generator:$(class_path build)" "$pictures_class"
    run_tasks build build/tasks
    site_of_docs build "build/generator:$(class_path build)" docs/reference
    echo "docs/reference/README.md"
}

make_reference() {
    build_all
    mkdir -p build/generator
    compile_java -d build/generator -cp "$(class_path build)" "${reference[@]}"
    quiet_java run_headless build -cp "build/generator:$(class_path build)" "$reference_class" "$example_picture" \
        docs/reference
    cp build/java/made/clij2/methods.md docs/reference/clij2_methods.md
    pages build docs/reference
}

# Makes a second jar next to the plugin's, with the pages as HTML and small pictures, for Help in ImageJ.
pages() { # build, folder of the reference
    local folder=$1/pages jar markdown
    markdown=$(jar_in "$deps" 'commonmark-0*.jar'):$(jar_in "$deps" 'commonmark-ext-gfm-tables-*.jar')
    jar=$1/java/Drua_pages_-$(cat "$1/java/made/resources/drua.version").jar
    rm -rf "$folder"
    compile_java -d "$1/generator" -cp "$markdown" java/generate/GeneratePages.java
    run_java -Djava.awt.headless=true -cp "$1/generator:$markdown" drua.generate.GeneratePages "$2" "$folder/drua/pages"
    "$(jdk_home)/bin/jar" cf "$jar" -C "$folder" .
}
