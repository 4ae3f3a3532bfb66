#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Pipelines by blocks as jobs of a real SLURM: slurm.sh DRUA DEATHS. Array elements are killed with all their processes,
# request a retry, or are requeued while they run; the output's bytes equal those of one process.
deaths=$(readlink -f "$2")
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/tool/work_folder.sh
. "$here/../tool/work_folder.sh"
trap 'sh "$here/slurm_node.sh" stop "$folder/slurm"; rm -rf "$folder"' EXIT

fail() {
    echo "$*" >&2
    squeue >&2 || true
    tail -n 5 slurm-*.out started >&2 || true
    exit 1
}

state() { # job
    scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | head -n 1
}

# Waits until a job has that state. A requeued job waits for two minutes unless it is told to begin.
expect() { # job, state
    seconds=0
    until [ "$(state "$1")" = "$2" ]; do
        seconds=$((seconds + 1))
        [ $seconds -lt 240 ] || fail "job $1 is $(state "$1"), not $2"
        squeue -h -r -t pending -o '%i %r' | while read -r job reason; do
            [ "$reason" != BeginTime ] || scontrol update "JobId=$job" StartTime=now 2>/dev/null || true
        done
        sleep 1
    done
}

export POCL_DEVICES="pthread pthread" POCL_CACHE_DIR="${POCL_CACHE_DIR:-$folder/kernels}"
blur="gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1"
"$drua" phantom . width=96 height=96 depth=48 background=20 >/dev/null 2>&1
"$drua" process "$blur" image.tif whole/out.zarr --chunk 16,16,16 --block 16,16,16 >/dev/null 2>&1
blocks=108

# A replacement for drua in array elements; some exit the first time.
cat >started.sh <<TRY
#!/bin/sh
[ "\$1" != devices ] || exec "$drua" "\$@"
element=\${SLURM_ARRAY_TASK_ID:-finish}
echo "\$element \${SLURM_RESTART_COUNT:-0} \$CUDA_VISIBLE_DEVICES \$1" >>"$folder/started"
case \$element:\${SLURM_RESTART_COUNT:-0} in
    0:0) "$drua" "\$@" && touch "$folder/zero" && exec sleep 300 ;;
    1:0) export LD_PRELOAD="$deaths" DRUA_DEATH="renamed 3 group" ;;
    2:0) exit 75 ;;
    3:0) export LD_PRELOAD="$deaths" DRUA_DEATH="written 2 crash" ;;
esac
exec "$drua" "\$@"
TRY
chmod +x started.sh
export DRUA=$folder/started.sh

sh "$here/slurm_node.sh" start "$folder/slurm"
export SLURM_CONF="$folder/slurm/slurm.conf"

submit() { # name: sets array and finish
    "$drua" plan "$blur" image.tif "$1/out.zarr" --chunk 16,16,16 --block 16,16,16 -o "$1.json" >/dev/null
    "$drua" slurm "$1.json" --array 6 --cpus 1 --memory 200M | sed 1d >submit.sh
    echo 'echo "$job"' >>submit.sh
    sh submit.sh >submitted
    finish=$(sed -n 's/Submitted batch job //p' submitted)
    array=$(tail -n 1 submitted)
}

# one element is killed with its process group, one requests a retry, one's process crashes, one is requeued while it
# runs
submit parts
scontrol hold "$finish"
expect "${array}_1" FAILED
until [ -e zero ]; do sleep 1; done
scontrol requeue "${array}_0"
scontrol requeue "${array}_1"
for element in 0 1 2 3 4 5; do expect "${array}_$element" COMPLETED; done
[ ! -e parts/out.zarr ] || fail "an unfinished image has its final name"
[ "$(records parts.json)" = $blocks ] || fail "$(records parts.json) records of $blocks blocks"
for element in 0 1 2 3; do
    [ "$(grep -c "^$element [01] [01] run" started)" = 2 ] || fail "element $element did not start twice with a GPU"
done
[ "$(cut -d ' ' -f 3 started | sort -u | tr '\n' ' ')" = "0 1 " ] || fail "both GPUs are not used: $(cat started)"
scontrol release "$finish"
expect "$finish" COMPLETED
[ "$(sums whole)" = "$(sums parts)" ] || fail "other bytes by jobs"

# an element is killed without a retry: the last job does its blocks
rm -f zero started
sed -i 's/^    0:0).*/    0:0) ;;/' started.sh
submit left
expect "$finish" COMPLETED
[ "$(state "${array}_1")" = FAILED ] || fail "the killed element is $(state "${array}_1")"
"$drua" status left.json | grep -q "$blocks of $blocks blocks done, finished" || fail "$("$drua" status left.json)"
[ "$(sums whole)" = "$(sums left)" ] || fail "other bytes after a killed element"

# when submitted again, all work is already done
submit left
expect "$finish" COMPLETED
[ "$(sums whole)" = "$(sums left)" ] || fail "other bytes by a job that had nothing to do"

# passes of a plan step that has started: an array job per pass, then blocks, then finish; one element of the second
# array is killed and does not return
cat >pipeline.ijm <<'END'
Ext.Drua_push(a);
Ext.CLIJ2_thresholdOtsu(a, b);
Ext.CLIJ2_connectedComponentsLabelingBox(b, c);
Ext.CLIJ2_statisticsOfLabelledPixels(a, c);
Ext.Drua_pull(c);
END
cat >passes.sh <<TRY
#!/bin/sh
case "\$*" in
    *"1/3 --pass 2"*) export LD_PRELOAD="$deaths" DRUA_DEATH="found 1 group" ;;
esac
echo "\$*" >>"$folder/passed"
exec "$drua" "\$@"
TRY
chmod +x passes.sh
export DRUA=$folder/passes.sh
pass_plan() { # name, option...
    name=$1
    shift
    "$drua" plan pipeline.ijm image.tif "$name/out.zarr" --chunk 16,16,16 --block 32,32,16 --memory 1MB "$@" -o \
        "$name.json" >/dev/null 2>&1
}
pass_plan alone
"$drua" run alone.json 2>/dev/null && "$drua" finish alone.json 2>/dev/null
pass_plan shared --share
"$drua" slurm shared.json --array 3 --cpus 1 --memory 200M | grep -e '^job=' -e '^sbatch' >submit.sh
[ "$(wc -l <submit.sh)" = 7 ] || fail "the chain is: $(cat submit.sh)"
finish=$(sh submit.sh | sed -n 's/Submitted batch job //p')
expect "$finish" COMPLETED
[ "$(grep -c -- '--pass 5' passed)" = 3 ] || fail "no array for the last pass: $(cat passed)"
[ "$(sums alone)" = "$(sums shared)" ] || fail "other bytes by passes that jobs share"
