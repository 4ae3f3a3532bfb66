#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Creates the update site, reads it back, damages copies of it, and runs a macro in a folder with the site's files:
# run.sh BUILD
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
# shellcheck source=scripts/java.sh
. "$root/scripts/java.sh"
work=$build/tests/site
rm -rf "$work"
mkdir -p "$work"
passed=0 failed=0

verdict() { # name, exit status
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
    fi
}

cd "$root" || exit 1
. scripts/site.sh
lay_here "$work/staged"

make_site() { run_java "$root/fiji-update-site/MakeSite.java" "$work/staged" "$@" >"$work/make.txt" 2>&1; }
check_site() { run_java "$root/fiji-update-site/MakeSite.java" --check "$@" >"$work/check.txt" 2>&1; }

[ -z "$(find "$work/staged" -name '*CLIJ2_API*')" ]
verdict "the site leaves out the jar that would break CLIJ2" $?

make_site "$work/site" 20200101000000
status=$?
verdict "the site is made: $(cat "$work/make.txt")" $status
check_site "$work/site" "$work/ImageJ"
status=$?
verdict "the files match the site's list: $(cat "$work/check.txt")" $status
make_site "$work/site" 20300101000000
[ "$(find "$work/site" -name '*-20300101000000' | wc -l)" -eq 0 ]
verdict "unchanged files keep their timestamp" $?

damaged() { # name, command in a copy of the site
    rm -rf "$work/damaged"
    cp -R "$work/site" "$work/damaged"
    (cd "$work/damaged" && eval "$2")
    ! check_site "$work/damaged" "$work/nowhere"
    verdict "found: $1" $?
}
damaged "a file that is missing" 'rm lib/*/*'
damaged "a file that is longer" 'for f in lib/*/*; do echo >>"$f"; done'
damaged "a changed byte" 'for f in lib/*/*; do printf X | dd of="$f" bs=1 seek=4000 conv=notrunc 2>/dev/null; done'
damaged "a library with execute permission" 'chmod 755 lib/*/*'

# Runs ImageJ with the site's files and without the build.
cat >"$work/small.ijm" <<'END'
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("flat", "32-bit black", 8, 4, 1);
run("Add...", "value=20");
Ext.CLIJ2_push("flat");
Ext.CLIJ2_addImageAndScalar("flat", more, 22);
Ext.CLIJ2_pull(more);
print("pixel " + getPixel(7, 3));
END
classes=$(imagej_path patched)
for jar in "$work"/ImageJ/plugins/*.jar; do classes=$classes:$jar; done
run_java -Djava.awt.headless=true "${opened[@]}" "-Dplugins.dir=$work/ImageJ" \
    -cp "$classes" "$macro_class" "$work/small.ijm" >"$work/small.txt" 2>&1 && grep -qx 'pixel 42' "$work/small.txt"
status=$?
verdict "a macro runs in an ImageJ with the site's files: $(tail -n 3 "$work/small.txt")" $status

# Only ImageJ is on the class path, as in Fiji; the other jars are found in plugins/.
mkdir -p "$work/fiji"
cat >"$work/fiji/FijiLike.java" <<'END'
import net.imagej.patcher.LegacyEnvironment;
import java.nio.file.*;
public class FijiLike {
    public static void main(String[] a) throws Exception {
        LegacyEnvironment ij = new LegacyEnvironment(FijiLike.class.getClassLoader(), true);
        ij.newImageJ1(true);
        Object result = ij.getClassLoader().loadClass("ij.IJ").getMethod("runMacro", String.class, String.class)
            .invoke(null, new String(Files.readAllBytes(Paths.get(a[0])), "UTF-8"), "");
        System.exit("[aborted]".equals(result) ? 1 : 0);
    }
}
END
classes=$(imagej_path patched)
compile_java -d "$work/fiji" -cp "$classes" "$work/fiji/FijiLike.java" && run_java -Djava.awt.headless=true \
    "${opened[@]}" "-Dplugins.dir=$work/ImageJ" "-Duser.home=$work/home" -cp "$classes:$work/fiji" FijiLike \
    "$work/small.ijm" \
    >"$work/fiji.txt" 2>&1 && grep -qx 'pixel 42' "$work/fiji.txt"
status=$?
verdict "a macro runs in a Fiji with the site's files: $(tail -n 3 "$work/fiji.txt")" $status
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
