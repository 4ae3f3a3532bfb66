#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests that names of results become names of files in the output's folder, or are refused before a file is made. Usage:
# result_names.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

mkdir in
"$drua" phantom in width=20 height=16 depth=4 >/dev/null
mkdir work
cd work

# two results; the second one's name is an expression in ImageJ's macro language
pipeline() {
    printf '%s\n' 'Ext.CLIJ2_push(image);' 'Ext.CLIJ2_copy(image, Good);' "Ext.CLIJ2_copy(image, $1);" \
        'Ext.CLIJ2_pull(Good);' "Ext.CLIJ2_pull($1);" >../names.ijm
}

while IFS= read -r name; do
    pipeline "$name"
    status=0
    "$drua" process ../names.ijm ../in/image.tif out >/dev/null 2>../log || status=$?
    [ $status = 1 ] || fail "$name: exit status $status"
    grep -q "give it another name in the pipeline\|give them different names" ../log || fail "$name: $(cat ../log)"
    [ -z "$(ls)" ] && [ "$(ls ..)" = "$(printf 'in\nlog\nnames.ijm\nwork')" ] || fail "$name left $(ls . ..)"
done <<'END'
"../escaped"
"/tmp/escaped"
"a/b"
"a\\b"
"..\\escaped"
""
"."
".."
".hidden"
"ends."
"ends "
"a\nb"
"a" + fromCharCode(13)
"NUL"
"com1.zarr"
"a:b"
"what?"
"good"
END
pipeline "\"$(printf '%0201d' 0)\""
"$drua" process ../names.ijm ../in/image.tif out >/dev/null 2>../log && fail "a name of 201 bytes was accepted"
grep -q "more than 200 bytes" ../log || fail "a name of 201 bytes: $(cat ../log)"

# other characters are kept in the name
pipeline "fromCharCode(181) + \"m; \$(touch ran) 'x' \" + fromCharCode(55357, 56832)"
"$drua" process ../names.ijm ../in/image.tif out >/dev/null 2>../log ||
    fail "a name with other characters: $(cat ../log)"
[ -d "out/Good.zarr" ] && [ -d "$(printf "out/\302\265m; \$(touch ran) 'x' \360\237\230\200.zarr")" ] ||
    fail "made: $(ls out)"
[ ! -e ran ] || fail "a name has run"
