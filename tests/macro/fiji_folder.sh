#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs macros and scripts by drua.MacroMain from a folder with the jars of Fiji that Maven Central has: fiji_folder.sh
# BUILD. The exit status must tell how each one ended.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd) || exit 2
# shellcheck source=scripts/java.sh
. "$here/../../scripts/java.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
mkdir "$work/jars" "$work/plugins"
cp "$build"/java/Drua*_-*.jar "$work/plugins"
for pattern in 'ij-1*.jar' 'ij1-patcher-*.jar' 'javassist-*.jar' 'jython-standalone-*.jar' 'groovy-[0-9]*.jar' \
    'bsh-*.jar' 'rhino-*.jar' 'scijava-common-*.jar' 'parsington-*.jar'; do
    find -L "$deps" -maxdepth 1 -name "$pattern" -exec cp -L {} "$work/jars" \;
done
cd "$work" || exit 2
echo 'newImage("cells", "8-bit ramp", 16, 4, 1);' >image.ijm

run() { # arguments of drua.MacroMain
    run_headless "$build" "${short_lived[@]}" "${opened[@]}" -Dpython.cachedir.skip=true "-Djava.io.tmpdir=$work" \
        "-Duser.home=$work" -cp "jars/*:plugins/*" "$macro_class" "$@" >out 2>err
}

# The text of the file comes from stdin.
check() { # jar, file, status, pattern of a line of the output or of stderr, arguments...
    local jar=$1 file=$2 due=$3 line=$4 got
    shift 4
    cat >"$file"
    if ! compgen -G "jars/$jar" >/dev/null; then
        echo "SKIP $file: $jar is missing in $deps"
        skipped=$((skipped + 1))
        return
    fi
    run "$file" "$@"
    got=$?
    if [ $got -eq "$due" ] && cat out err | grep -qx -- "$line" && ! grep -q '^[[:blank:]]at ' err; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $file: exit status $got, due is $due with the line: $line"
        sed 's/^/    /' out err | head -20
    fi
}

run image.ijm --out . || cat err
check 'ij-*' plain.ijm 0 'sigma 2' sigma=2 <<<$'\xef\xbb\xbf#@ Double sigma\nprint("sigma", sigma);'
check 'ij1-patcher-*' started.ijm 1 'after \[aborted\]' <<<'print("after", eval("x = missing + 1;"));'
check 'jython-*' started.py 1 'after \[aborted\]' <<'E2'
from ij import IJ
print("after " + IJ.runMacro("x = missing + 1;"))
E2
check 'ij1-patcher-*' files.ijm 0 'image.tif 255,165,0 cells.tif 4' files=cells.tif,image.tif outline=orange \
    --dialog 'radius=4' <<'E2'
#@ File[] files (style="File")
#@ ColorRGB outline
Dialog.createNonBlocking("Settings");
Dialog.addNumber("Radius", 3);
Dialog.show();
radius = Dialog.getNumber();
print(File.getName(files[1]), outline, first(), radius);
function first() {
    return File.getName(files[0]);
}
E2
check 'ij-*' wrong.ijm 1 'Macro Error: there is no command.*' <<'E2'
run("Drua Macro Extensions", "cl_device=cpu");
Ext.Drua_noSuch();
E2
check 'jython-*' good.py 0 'mean = 120.0' image=cells.tif radius=0 <<'E2'
#@ ImagePlus image
#@ Integer (min=0, value=1) radius
#@output Double mean
from drua import Drua
with Drua.open("cpu") as drua:
    blurred = drua.meanBox(drua.push(image), radius_x=radius, radius_y=0)
    mean = round(drua.meanOfAllPixels(drua.push(drua.pull(blurred))), 0)
E2
check 'jython-*' wrong.py 1 '.*there is no image.*' <<'E2'
from ij import IJ
IJ.runMacro('run("Drua Macro Extensions", "cl_device=cpu"); Ext.Drua_pull("nothing");')
E2
check 'jython-*' leaves.py 3 'two words' 'two words' <<'E2'
import sys
print(sys.argv[-1])
sys.exit(3)
E2
check 'groovy-*' good.groovy 0 'text = a, 3, true, 7' words=a count=3 flag=true long=7 <<'E2'
#@ String words
#@ int count
#@ boolean flag
#@ Long long
#@output String text
text = [words, count, flag, this.binding.variables["long"]].join(", ")
E2
check 'groovy-*' wrong.groovy 1 'gaussianBlur: source must be an image.*in line 3' <<'E2'
import drua.Drua
Drua.open("cpu").withCloseable { drua ->
    drua.gaussianBlur("image", 2, 2, 0)
}
E2
check 'groovy-*' typo.groovy 1 "There is no script parameter 'sigm'; did you mean sigma?" sigm=1 <<'E2'
#@ Double (value=1) sigma
println sigma
E2
check 'bsh-*' good.bsh 0 'twice = 5.0' number=2.5 <<'E2'
#@ Double number
#@output Double twice
twice = number * 2;
E2
check 'bsh-*' wrong.bsh 1 '.*no such file.*' <<'E2'
throw new RuntimeException("no such file");
E2
check 'rhino-engine-*' good.js 0 'joined = 2;3' numbers=2,3 <<'E2'
#@ String numbers
#@output String joined
joined = String(numbers).replace(",", ";");
E2
check 'rhino-engine-*' wrong.js 1 '.*undefined_name.*' <<'E2'
print(undefined_name);
E2
rm jars/bsh-* 2>/dev/null
check 'ij-*' missing.bsh 1 'missing.bsh needs BeanShell: add its jar.*' <<<'print(1);'
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
