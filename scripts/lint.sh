# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Checks what compilers do not see. Each check prints its findings; the last lines name the checks that could not run.
. scripts/common.sh

findings=0 unchecked=()
find_fault() { # what
    say "$1"
    findings=$((findings + 1))
}

sources() { git ls-files --cached --others --exclude-standard "$@" | while IFS= read -r file; do [ ! -f "$file" ] ||
    printf '%s\n' "$file"; done; }

lint() {
    lint_lines
    lint_columns
    lint_lengths
    lint_conditions
    lint_english
    lint_names
    lint_version
    lint_documents
    lint_functions
    lint_macros
    lint_cycles
    lint_kernels
    lint_shell
    lint_recipes
    lint_format
    local check
    for check in ${unchecked[@]+"${unchecked[@]}"}; do say "not checked: $check"; done
    [ $findings -eq 0 ] || { say "$findings findings"; return 1; }
    echo "nothing found"
}

# Prints a finding for each line of its input.
each_line() { # what follows the line
    local line
    while IFS= read -r line; do find_fault "$line$1"; done
}

lint_lines() {
    local code=('*.c' '*.h' '*.cl' '*.java' '*.sh' '*.cmake' '*CMakeLists.txt' '*.ijm' '*.yml' dev .ci/run)
    each_line ": no SPDX line" < <(sources "${code[@]}" | xargs awk 'FNR == 1 {found = 0} FNR <= 3 && /SPDX-License-Identifier: BSD-3-Clause/ {found = 1}
        FNR == 3 {if (!found) print FILENAME; nextfile}')
    each_line ": a tab, or a space at the line's end" < <(sources "${code[@]}" | xargs grep -nP '\t| +$')
    each_line ": OpenCL C has no macros with ... and some compilers refuse them" < <(sources '*.cl' |
        xargs grep -nE '#define .*\.\.\.\)')
    each_line ": read the variables of native/base/include/variables.h by drua_variable_text" < <(
        sources 'native/*.c' | xargs grep -n 'getenv(' | grep -vE '^native/(base/|tools/list_devices.c)')
    each_line ": ImageJ reads macros as Latin-1; write ASCII" < <(sources 'macros/*.ijm' |
        xargs grep -nP '[^\x00-\x7F]' /dev/null)
}

# Markdown cannot break lines of tables, links and headings. Literals of scripts may also be longer.
lint_columns() {
    each_line ": more than 120 columns" < <(sources '*.c' '*.h' '*.cl' '*.java' | grep -v tiffconf |
        xargs awk 'length > 120 {print FILENAME ":" FNR}')
    each_line ": more than 120 columns" < <(sources '*.sh' '*.py' '*.cmake' '*CMakeLists.txt' dev |
        xargs grep -nE '^.{121,}$' |
        grep -vE "\"[^\"]{50,}\"|'[^']{50,}|\{[^}]{50,}\}" | cut -d : -f 1,2)
    each_line ": more than 120 columns" < <(sources '*.md' | xargs awk '
        FNR == 1 {fenced = 0} /^ *```/ {fenced = !fenced}
        length > 120 && !fenced && !/^ *\|/ && !/^#/ && !/https?:/ {print FILENAME ":" FNR}')
}

lint_conditions() {
    if ! has python3; then unchecked+=("nested conditional operators: python3 is missing"); return; fi
    each_line "" < <(sources '*.c' '*.h' '*.cl' '*.java' | xargs python3 scripts/nested.py)
}

lint_english() {
    if ! has python3; then unchecked+=("the English of comments and documents: python3 is missing"); return; fi
    sources '*.c' '*.h' '*.cl' '*.java' '*.md' | xargs python3 scripts/prose.py >&2 ||
        find_fault "too many sentences match a pattern of scripts/prose.py; scripts/prose.py --list FILE lists them"
}

lint_lengths() {
    each_line "" < <(sources '*.c' '*.h' '*.cl' '*.java' | xargs awk '
        FNR == 1 {most = FILENAME ~ /^kernels\/common\// ? 550 : FILENAME ~ /\.cl$/ ? 230 : FILENAME ~ \
            /^native\/ops\// ? 330 : 550}
        FNR == most + 1 {print FILENAME ": more than " most " lines"; nextfile}')
}

# CMakeLists.txt has the version; files that other tools read repeat it.
lint_version() {
    local version file
    version=$(sed -nE 's/^project\(drua VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
    for file in java/spark/pom.xml:"<version>$version</version>" CITATION.cff:"version: $version" \
        CHANGELOG.md:"## $version" README.md:"<version>$version</version>" \
        packaging/debian/changelog:"drua ($version-" \
        packaging/conda/recipe.yaml:"version: \"$version\"" packaging/homebrew/drua.rb:"/drua-$version-source"; do
        grep -qF "${file#*:}" "${file%%:*}" || find_fault \
            "${file%%:*}: the version is not $version, as in CMakeLists.txt"
    done
}

# Recipes of other systems' packages, which are not built here.
lint_recipes() {
    if python3 -c 'import yaml' 2>/dev/null; then
        python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' packaging/conda/recipe.yaml >&2 ||
            find_fault "packaging/conda/recipe.yaml is not YAML"
    else
        unchecked+=("the recipe for conda: python3-yaml is missing")
    fi
    if has ruby; then
        ruby -c packaging/homebrew/drua.rb >/dev/null || find_fault "packaging/homebrew/drua.rb is not Ruby"
    else
        unchecked+=("the formula for Homebrew: ruby is missing")
    fi
}

# File names are unique, with two exceptions: every folder of scripts may have a run.sh, and a test may have the name of
# the file that it tests.
lint_names() {
    each_line "" < <(sources '*.c' '*.h' '*.cl' '*.java' '*.sh' '*.cmake' '*.ijm' '*.py' |
        awk -F / '$NF != "run.sh" {kind = ($1 == "tests") " " $NF; files[kind] = files[kind] " " $0; count[kind]++}
            END {for (kind in count) if (count[kind] > 1) print "one name:" files[kind]}' | sort)
}

# Files that documents name must exist, except those that git ignores, because a command makes them, and the operation
# that CONTRIBUTING.md writes as an example.
lint_documents() {
    each_line ": a document names it, but it does not exist" < <(sources '*.md' |
        xargs grep -oE '(^|[ (`])(native|kernels|java|tests|macros|scripts|docs)/[A-Za-z0-9_/.-]*[A-Za-z0-9_-]' |
        tr -d ' (`' | grep -v local_range | while IFS=: read -r document file; do
            [ -e "$file" ] || [ -e "$(dirname "$document")/$file" ] || git check-ignore -q "$file/" ||
                echo "$document: $file"
        done)
}

lint_functions() {
    if ! ctags --version 2>/dev/null | grep Universal >/dev/null; then
        unchecked+=("the length of functions: universal-ctags is missing")
        return
    fi
    each_line "" < <(sources '*.c' '*.cl' '*.java' |
        ctags --langmap=C:+.cl --kinds-C=f --kinds-Java=m --fields=+ne-P --output-format=json -L - -f - 2>/dev/null |
            sed -nE 's/.*"name": "([^"]*)", "path": "([^"]*)".*"line": ([0-9]+).*"end": ([0-9]+).*/\1 \2 \3 \4/p' |
            awk '$4 - $3 + 1 > 70 {printf "%s:%d: %s has %d lines, more than 70\n", $2, $3, $1, $4 - $3 + 1}')
}

# A macro that takes statements hides them from the compiler's messages and the reader.
lint_macros() {
    each_line ": a macro that takes code" < <(sources '*.c' '*.h' '*.cl' |
        xargs grep -noE '^#define +[A-Za-z_]+\([^)]*\b(body|statements?|block)\b[^)]*\)' || true)
}

lint_cycles() {
    if ! has python3; then unchecked+=("cycles of files: python3 is missing"); return; fi
    if ! has nm; then unchecked+=("cycles of files: nm is missing"); return; fi
    local status=0 jars=()
    if has jdeps; then
        mapfile -t jars < <(find build/java -maxdepth 2 -name 'Drua_*.jar' 2>/dev/null)
    else
        unchecked+=("cycles of Java files: jdeps is missing")
    fi
    python3 scripts/cycles.py build/native ${jars[@]+"${jars[@]}"} >&2 || status=$?
    case $status in
        0) ;;
        2) unchecked+=("cycles of files: nothing is built; ./dev build") ;;
        *) findings=$((findings + 1)) ;;
    esac
}

lint_kernels() {
    if ! has python3; then unchecked+=("included kernel files: python3 is missing"); return; fi
    each_line "" < <(python3 scripts/kernel_includes.py)
}

lint_shell() {
    if ! has shellcheck; then unchecked+=("shell scripts: shellcheck is missing"); return; fi
    sources | grep -E '\.sh$|^dev$|^\.ci/run$' | xargs -P "$(nproc)" -n 4 shellcheck -x -S warning >&2 ||
        findings=$((findings + 1))
}

# Checks only lines that differ from the last commit, because whole files have hand-made tables and columns.
lint_format() {
    if ! has clang-format || ! has git-clang-format; then
        unchecked+=("the style of changed lines: clang-format or git-clang-format is missing"); return; fi
    local diff
    diff=$(git clang-format --diff --extensions c,h HEAD 2>/dev/null || true)
    case $diff in
        "" | *"no modified files"* | *"did not modify any files"*) ;;
        *) say "$diff"; find_fault "changed lines are not in the tree's style; git clang-format mends them" ;;
    esac
}
