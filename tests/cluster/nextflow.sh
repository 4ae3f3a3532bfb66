#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the Nextflow lines of docs/clusters.md: nextflow.sh DRUA. Nextflow is killed and resumed; the output has the
# bytes of one process.
page=$(dirname "$(readlink -f "$0")")/../../docs/clusters.md
page=$(readlink -f "$page")
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$(readlink -f "$0")")/../tool/work_folder.sh"

command -v nextflow >/dev/null || {
    echo "SKIP nextflow: the program nextflow is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
export NXF_HOME="$folder/home" NXF_OFFLINE=true NXF_ANSI_LOG=false
mkdir bin
ln -s "$drua" bin/drua
export PATH="$PWD/bin:$PATH"
sed -n '/^These lines are the file `drua.nf`/,/^```$/p' "$page" | sed '1,/^```groovy$/d; /^```$/d' >drua.nf
grep -q '^process blocks {' drua.nf || fail "the page has no drua.nf"
command=$(sed -n 's/^\(nextflow run drua.nf .*\) --parts .*/\1/p' "$page")
[ -n "$command" ] || fail "the page has no command for drua.nf"

blur="gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1"
"$drua" phantom . width=96 height=96 depth=48 background=20 >/dev/null 2>&1
"$drua" process "$blur" image.tif whole/out.zarr --chunk 16,16,16 --block 32,32,16 >/dev/null 2>&1
"$drua" plan "$blur" image.tif parts/out.zarr --chunk 16,16,16 --block 32,32,16 -o plan.json >/dev/null

# Nextflow is killed, with its processes, when some blocks are done
setsid sh -c "exec $command --parts 5 -resume" >log 2>&1 &
nextflow=$!
until [ "$(records plan.json 2>/dev/null)" -ge 3 ] 2>/dev/null; do
    kill -0 $nextflow 2>/dev/null || fail "Nextflow ended before its blocks: $(cat log)"
    sleep 0.2
done
kill -9 -$nextflow
wait $nextflow 2>/dev/null || true
[ ! -e parts/out.zarr ] || fail "an unfinished image has its final name"

sh -c "$command --parts 5 -resume" >log 2>&1 || fail "Nextflow: $(cat log)"
[ "$(sums whole)" = "$(sums parts)" ] || fail "other bytes by Nextflow"
"$drua" status plan.json | grep -q ", finished" || fail "the plan is not finished: $("$drua" status plan.json)"
echo "1 passed, 0 failed"
