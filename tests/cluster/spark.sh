#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests pipelines by blocks on Spark: spark.sh DRUA FOLDER DEATHS, where FOLDER contains drua-spark.jar. Executors in
# separate processes are killed or stopped, children crash, the driver is killed, and some blocks always fail. The
# output must have the same bytes as with one process.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
. scripts/spark.sh
jar=$(readlink -f "$2")/drua-spark.jar deaths=$(readlink -f "$3")
jars=$(spark_home)/jars
# shellcheck source=tests/tool/work_folder.sh
. tests/tool/work_folder.sh
mkdir home      # for the workers' files
ln -s "$jars" home/jars
export SPARK_HOME=$folder/home SPARK_SCALA_VERSION=2.13
servers=()
leave() {
    local process
    [ ! -s stopped ] || servers+=("$(cat stopped)")
    for process in ${servers[@]+"${servers[@]}"}; do kill -9 "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    [ -n "${DRUA_KEEP:-}" ] || rm -rf "$folder"
}
trap leave EXIT

fail() {
    echo "$*" >&2
    grep -v INFO log 2>/dev/null | tail -n 20 >&2 || true
    cat started >&2 2>/dev/null || true
    exit 1
}

export POCL_DEVICES="pthread pthread" POCL_CACHE_DIR="${POCL_CACHE_DIR:-$folder/kernels}"
blur="gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1"
"$drua" phantom . width=96 height=96 depth=48 background=20 >/dev/null 2>&1
"$drua" process copy image.tif in.zarr --chunk 16,16,16 >/dev/null 2>&1
"$drua" process "$blur" in.zarr whole/out.zarr --chunk 16,16,16 --block 16,16,16 >/dev/null 2>&1
blocks=108

# A replacement for drua in executors. Each file in the folder `wishes` tells one of the first processes how to fail.
mkdir wishes
cat >child.sh <<TRY
#!/bin/sh
cd "$folder"
echo "\$PPID \$*" >>started
if [ "\$1" = run ] && mv wishes/crash wishes.crash 2>/dev/null; then
    export LD_PRELOAD="$deaths" DRUA_DEATH="written 2 crash"
elif [ "\$1" = run ] && mv wishes/kill wishes.kill 2>/dev/null; then
    LD_PRELOAD="$deaths" DRUA_DEATH="renamed 2 kill" "$drua" "\$@"
    kill -9 \$PPID
    exit 1
elif [ "\$1" = run ] && mv wishes/stop wishes.stop 2>/dev/null; then
    echo \$PPID >stopped
    kill -STOP \$PPID
elif [ "\$1" = run ] && mv wishes/driver wishes.driver 2>/dev/null; then
    exec 3<&0
    "$drua" "\$@" <&3 &
    sleep 1
    kill -9 \$(cat driver)
    wait
    exit 75
elif [ "\$1" = finish ] && mv wishes/finish wishes.finish 2>/dev/null; then
    LD_PRELOAD="$deaths" DRUA_DEATH="renamed 2 kill" "$drua" "\$@"
    kill -9 \$PPID
    exit 1
fi
exec "$drua" "\$@"
TRY
printf '#!/bin/sh\nexec "%s" devices --spark-json\n' "$drua" >discover.sh
chmod +x child.sh discover.sh

opens=()
for package in java.lang java.lang.invoke java.nio java.util sun.nio.ch; do \
    opens+=(--add-opens "java.base/$package=ALL-UNNAMED"); done
spark() { # options, class and arguments...; start='exec' replaces this shell
    ${start:-} "$(jdk_home)/bin/java" "${opens[@]}" "${short_lived[@]}" -cp "$jar:$SPARK_HOME/jars/*" \
        -Dspark.driver.host=127.0.0.1 -Dspark.driver.bindAddress=127.0.0.1 \
        -Dspark.ui.enabled=false "$@"
}

gpus=(-Dspark.executor.resource.gpu.amount=1 -Dspark.task.resource.gpu.amount=1)
blocks_on() { # master, plan, options...
    local master=$1 plan=$2
    shift 2
    spark "-Dspark.master=$master" "-Dspark.jars=$jar" -Dspark.executor.memory=512m -Dspark.executor.cores=1 \
        -Dspark.network.timeout=20s -Dspark.network.timeoutInterval=5s \
        -Dspark.executor.heartbeatInterval=2s "${gpus[@]}" "$@" drua.spark.RunBlocks "$plan" --drua \
        "$folder/child.sh" ${spread_only:-}
}

plan() { "$drua" plan "$blur" in.zarr "$1/out.zarr" --chunk 16,16,16 --block 16,16,16 -o "$1.json" >/dev/null; } # name

# separate executors: one's child crashes, one is killed, one is stopped for good, one is killed while levels are made
plan local
touch wishes/crash wishes/kill wishes/stop wishes/finish
status=0
blocks_on 'local-cluster[2,1,1024]' local.json -Dspark.worker.resource.gpu.amount=2 \
    "-Dspark.worker.resource.gpu.discoveryScript=$folder/discover.sh" 2>log || status=$?
[ $status = 0 ] || fail "the local cluster ends with $status"
[ -z "$(ls wishes)" ] || fail "nobody did $(ls wishes)"
grep -q "lost" log || fail "no executor was lost"
grep -q -- "--devices cl:" started || fail "no device was named"
[ "$(sums whole)" = "$(sums local)" ] || fail "other bytes after executors died"
echo "1 passed"

# a master and two workers, each with its own GPU
serve() { # name, class and arguments...
    local name=$1
    shift
    start='exec' spark "$@" >"$name.log" 2>&1 &
    servers+=($!)
}
serve master org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 0 --webui-port 0
until master=$(grep -o 'spark://127.0.0.1:[0-9]*' master.log | head -n 1) && [ -n "$master" ]; do sleep 0.2; done
for gpu in 0 1; do
    printf '[{"id": {"componentName": "spark.worker", "resourceName": "gpu"}, "addresses": ["%s"]}]\n' "$gpu" \
        >"gpu$gpu.json"
    serve "worker$gpu" "-Dspark.worker.resource.gpu.amount=1" "-Dspark.worker.resourcesFile=$folder/gpu$gpu.json" \
        org.apache.spark.deploy.worker.Worker \
        --host 127.0.0.1 --webui-port 0 --cores 1 --memory 1g --work-dir "$folder/work$gpu" "$master"
    until grep -q "Successfully registered" "worker$gpu.log"; do sleep 0.2; done
done

# a damaged chunk of the input: all other blocks are done, and the blocks that read it are listed
: >started
plan poisoned
cp in.zarr/0/0/0/0 kept
printf 'no blosc data' >in.zarr/0/0/0/0
status=0
blocks_on "$master" poisoned.json 2>log || status=$?
[ $status = 1 ] || fail "blocks that always fail end with $status"
done_before=$(records poisoned.json)
listed=$(grep -c '"block" :' poisoned.json.failed.json)
[ $((done_before + listed)) = $blocks ] && [ "$listed" = 8 ] || fail "$listed blocks are listed, $done_before are done"
grep -q '"error" : "block [0-9]*: .*chunk 0, 0, 0, cannot be read' poisoned.json.failed.json ||
    fail "the list: $(cat poisoned.json.failed.json)"
[ "$(grep -o -- '--devices job' started | sort -u)" ] || fail "no device was named"
[ "$(cut -d ' ' -f 1 started | sort -u | wc -l)" -ge 2 ] || fail "one executor computed all blocks"
echo "2 passed"

# after the repair the driver is killed; another driver continues
cp kept in.zarr/0/0/0/0
touch wishes/driver
start='exec' blocks_on "$master" poisoned.json 2>log &
driver=$!
echo $driver >driver
wait $driver 2>/dev/null || true
[ -e wishes.driver ] || fail "the driver was not killed"
spread_only=--no-finish blocks_on "$master" poisoned.json 2>log || fail "another driver ends with $?"
[ "$(records poisoned.json)" -le $((blocks + 2)) ] ||
    fail "$(records poisoned.json) records of $blocks blocks after a killed driver"
"$drua" finish poisoned.json
"$drua" verify poisoned.json
[ ! -e poisoned.json.failed.json ] || fail "the list of failed blocks is still there"
[ "$(sums whole)" = "$(sums poisoned)" ] || fail "other bytes after a killed driver"
echo "3 passed"

# the passes of a plan step that has started run before its blocks; one child crashes
printf '%s\n' 'Ext.Drua_push(a);' 'Ext.CLIJ2_thresholdOtsu(a, b);' 'Ext.CLIJ2_connectedComponentsLabelingBox(b, c);' \
    'Ext.CLIJ2_statisticsOfLabelledPixels(a, c);' 'Ext.Drua_pull(c);' >pipeline.ijm
for how in alone shared; do
    share=
    [ $how = alone ] || share=--share
    # shellcheck disable=SC2086 # nothing, or an option
    "$drua" plan pipeline.ijm in.zarr $how/out.zarr --chunk 16,16,16 --block 32,32,16 $share -o $how.json >/dev/null \
        2>&1
done
"$drua" run alone.json 2>/dev/null && "$drua" finish alone.json 2>/dev/null
touch wishes/crash
blocks_on "$master" shared.json 2>log || fail "shared passes end with $?"
[ -z "$(ls wishes)" ] || fail "nobody crashed"
grep -q "^pass 5, round 1: " log || fail "no pass was shared"
grep -q -- "--pass 3" started || fail "no pass was named"
[ "$(sums alone)" = "$(sums shared)" ] || fail "other bytes by shared passes"
echo "4 passed, 0 failed"
