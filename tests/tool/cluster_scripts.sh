#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests the input for schedulers, without a scheduler: scripts of drua slurm, devices of a job, and lists for programs.
# Usage: cluster_scripts.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

odd="it's \$(touch taken) \`touch taken\` \"here\"; touch taken"
mkdir "$odd"
cd "$odd"
"$drua" phantom . width=64 height=48 depth=16 background=20 >/dev/null 2>&1
blur="gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1"
"$drua" process "$blur" image.tif whole/out.zarr --chunk 16,16,16 --block 16,16,16 >/dev/null 2>&1
"$drua" plan "$blur" image.tif parts/out.zarr --chunk 16,16,16 --block 16,16,16 -o "$odd.json" >/dev/null

# the scripts run as under SLURM, whatever characters names contain
"$drua" slurm "$odd.json" --array 5 --at-once 2 --time 1-02:30:00 --partition gpu,long --gpus a100:2 --cpus 4 \
    --memory 16G --account lab_1 --qos high --constraint 'a100&nvlink' --mail a.b@lab.org \
    --before 'loaded="it is $((6 * 7))"; echo "$loaded" >>loaded' >said
grep -q "12 of 12 blocks are left, for 5 elements of 3 blocks at most" said || fail "drua slurm says: $(cat said)"
for line in --array=0-4%2 --time=1-02:30:00 --partition=gpu,long --gres=gpu:a100:2 --cpus-per-task=4 --mem=16G \
    --account=lab_1 --qos=high --requeue '--constraint=a100&nvlink' \
    '--mail-type=FAIL,REQUEUE,TIME_LIMIT --mail-user=a.b@lab.org'; do
    grep -q "^#SBATCH $line\$" "$odd.json.array.sh" || fail "the script has no $line: $(cat "$odd.json.array.sh")"
done
grep -q "^#SBATCH --array" "$odd.json.finish.sh" && fail "the last job is an array too"
awk '/^[^#]/ {begun = 1} /^#SBATCH/ && begun {exit 1}' "$odd.json.array.sh" ||
    fail "SLURM reads no options below the first command"
for file in "$odd.json.array.sh" "$odd.json.finish.sh"; do
    [ "$(grep -c '^#SBATCH --job-name=[A-Za-z0-9_.-]*$' "$file")" = 1 ] ||
        fail "the job's name: $(grep job-name "$file")"
    sh -n "$file"
done
for element in 0 1 2 3 4; do
    (cd / && SLURM_ARRAY_TASK_ID=$element sh "$folder/$odd/$odd.json.array.sh" 2>/dev/null)
done
(cd / && sh "$folder/$odd/$odd.json.finish.sh" 2>"$folder/$odd/log")
[ "$(sort loaded | uniq -c | tr -s ' ')" = ' 6 it is 42' ] || fail "the command before drua: $(cat loaded)"
grep -q "^[A-Z].* job .* on $(hostname): $("$drua" devices --job)\$" log ||
    fail "the job names no host or no device: $(cat log)"
[ "$(sums whole)" = "$(sums parts)" ] || fail "other bytes by the scripts"

# the printed commands submit both jobs; the second depends on the first
mkdir bin
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>submitted\necho "17;here"\n' >bin/sbatch
chmod +x bin/sbatch
sed 1d said >submit.sh
PATH=$PWD/bin:$PATH sh submit.sh >/dev/null
printf '%s\n' --parsable "$odd.json.array.sh" --dependency=afterany:17 "$odd.json.finish.sh" | cmp - submitted ||
    fail "submitted was: $(cat submitted)"

# a script is replaced, but no other file of its name
echo "my own script" >"$odd.json.finish.sh"
status=0
"$drua" slurm "$odd.json" >/dev/null 2>said || status=$?
[ $status = 1 ] && grep -q "finish.sh' exists and is not a script of drua slurm" said ||
    fail "drua slurm says: $(cat said)"
[ "$(cat "$odd.json.finish.sh")" = "my own script" ] || fail "another file was replaced"
rm "$odd.json.finish.sh"

# each unfinished pass of a plan gets an array job, which depends on the previous one; joined passes get no job
printf '%s\n' 'Ext.Drua_push(a);' 'Ext.CLIJ2_thresholdOtsu(a, b);' 'Ext.Drua_pull(b);' >pipeline.ijm
for name in alone shared; do
    share=
    [ $name = alone ] || share=--share
    # shellcheck disable=SC2086 # nothing, or an option
    "$drua" plan pipeline.ijm image.tif $name/out.zarr --chunk 16,16,16 --block 16,16,16 $share -o \
        $name.json >/dev/null 2>&1
done
"$drua" run alone.json 2>/dev/null && "$drua" finish alone.json 2>/dev/null
"$drua" slurm shared.json --array 2 --at-once 1 >said
grep -q "^passes 1 to 2 are left, with an array of jobs for each$" said &&
    grep -q "^12 of 12 blocks are left, for 2 elements" said || fail "drua slurm says: $(cat said)"
grep -q '^#SBATCH --array=0-1%1$' shared.json.pass2.sh &&
    grep -q '^#SBATCH --job-name=drua-shared-pass2$' shared.json.pass2.sh || fail "$(cat shared.json.pass2.sh)"
rm submitted
sed -n '/sbatch/p' said >submit.sh
PATH=$PWD/bin:$PATH sh submit.sh >/dev/null
printf '%s\n' --parsable shared.json.pass1.sh --parsable --dependency=afterany:17 shared.json.pass2.sh --parsable \
    --dependency=afterany:17 shared.json.array.sh \
    --dependency=afterany:17 shared.json.finish.sh | cmp - submitted || fail "submitted was: $(cat submitted)"
SLURM_ARRAY_TASK_ID=1 sh shared.json.pass1.sh 2>/dev/null
SLURM_ARRAY_TASK_ID=1 sh shared.json.pass2.sh 2>/dev/null # does the work that element 0 of the first array left
"$drua" slurm shared.json | grep -q "^passes 2 to 2 are left" || fail "one pass is left: $("$drua" slurm shared.json)"
SLURM_ARRAY_TASK_ID=1 sh shared.json.array.sh 2>/dev/null
sh shared.json.finish.sh 2>/dev/null
[ "$(sums alone)" = "$(sums shared)" ] || fail "other bytes by the scripts of passes"

# an element is requeued if its process was killed or asks for it, but only a limited number of times, and not after an
# error
printf '#!/bin/sh\necho "$@" >>asked\n' >bin/scontrol
chmod +x bin/scontrol
for drill in "75 0 1" "137 2 1" "75 3 0" "1 0 0" "0 0 0"; do
    # shellcheck disable=SC2086 # three numbers
    set -- $drill
    printf '#!/bin/sh\nexit %s\n' "$1" >bin/drua
    chmod +x bin/drua
    : >asked
    status=0
    PATH=$PWD/bin:$PATH DRUA=$PWD/bin/drua SLURM_RESTART_COUNT=$2 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_JOB_ID=9 sh \
        "$odd.json.array.sh" || status=$?
    [ "$(grep -cx 'requeue 9_1' asked)" = "$3" ] || fail "exit status $1 after $2 starts: scontrol $(cat asked)"
    [ "$1" = 0 ] || [ $status != 0 ] || fail "a failure looks like success"
done

# in a container, and without a GPU
"$drua" slurm "$odd.json" --container "$odd.sif" --gpus 0 >/dev/null
grep -q gres "$odd.json.array.sh" && fail "a GPU was asked for"
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >container\n' >bin/apptainer
chmod +x bin/apptainer
PATH=$PWD/bin:$PATH SLURM_ARRAY_TASK_ID=3 sh "$odd.json.array.sh"
printf '%s\n' exec --nv --bind "$PWD" --pwd "$PWD" "$odd.sif" drua run "$odd.json" --array 3/12 --devices job |
    cmp - container || fail "the container: $(cat container)"
[ ! -e taken ] || fail "a name was run"

# a container sees the folders of inputs and outputs, also those to which links lead
mkdir apart apart/store apart/here "apart/out"
cp image.tif apart/store/image.tif
ln -s "$PWD/apart/store/image.tif" apart/here/link.tif
(cd apart/here && "$drua" plan "$blur" link.tif ../out/out.zarr --chunk 16,16,16 --block 16,16,16 -o \
    "$OLDPWD/apart/bind.json" >/dev/null && "$drua" slurm ../bind.json --container "$OLDPWD/$odd.sif" >/dev/null)
(cd / && PATH=$folder/$odd/bin:$PATH SLURM_ARRAY_TASK_ID=0 sh "$folder/$odd/apart/bind.json.array.sh" 2>/dev/null)
here=$(pwd -P)/apart
printf '%s\n' exec --nv --bind "$here/here" --bind "$here" --bind "$here/store" --bind "$here/out" --pwd "$here/here" \
    "$PWD/$odd.sif" drua run ../bind.json --array 0/12 --devices job | cmp - apart/here/container ||
    fail "the container sees: $(cat apart/here/container)"
mkdir "a,b"
(cd "a,b" && ln -s ../image.tif . && "$drua" plan "$blur" image.tif out.zarr -o plan.json >/dev/null)

# whole nodes, and time limits from the time of finished blocks
"$drua" slurm "$odd.json" --gpus all >/dev/null
for line in --gres=gpu:1 --nodes=1 --exclusive --mem=0; do
    grep -q "^#SBATCH $line\$" "$odd.json.array.sh" || fail "a whole node has no $line: $(cat "$odd.json.array.sh")"
done
"$drua" plan "$blur" image.tif timed/out.zarr --chunk 16,16,16 --block 16,16,16 -o timed.json >/dev/null
"$drua" run timed.json --blocks 0:4 2>/dev/null
"$drua" slurm timed.json --array 3 --time auto >said
limit=$(sed -n 's/^time limits: \([0-9]*:[0-9][0-9]:00\) for an element, \([0-9:]*\) for the last job$/\1/p' said)
[ -n "$limit" ] && grep -q "^#SBATCH --time=$limit\$" timed.json.array.sh || fail "the time limit: $(cat said)"
"$drua" slurm timed.json --array 3 --time auto --scratch /elsewhere >said
for name in stage array finish; do
    limit=$(sed -n 's/^#SBATCH --time=//p' timed.json.$name.sh)
    [ -n "$limit" ] && grep -q "^time limits: .*$limit" said || fail "the time limit of $name: $limit, $(cat said)"
done

# jobs compute blocks on copies of the files on a scratch disk; the results are copied back, and the copies removed
scratch=$(mktemp -d)
trap 'status=$?; rm -rf "$scratch"; clean_up $status' EXIT
mkdir images && cp -p image.tif images/image.tif
cat >staged.ijm <<'END'
Ext.Drua_push(image);
Ext.Drua_gaussianBlur(image, blurred, 2, 2, 1);
Ext.CLIJ2_thresholdOtsu(blurred, mask);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_statisticsOfLabelledPixels(image, labels);
Ext.Drua_pull(blurred);
Ext.Drua_pull(labels);
END
by_blocks="--chunk 16,16,16 --block 16,16,16"
# shellcheck disable=SC2086 # sizes are several words
"$drua" process staged.ijm images/image.tif direct/out.zarr $by_blocks >/dev/null 2>&1
for share in "" --share; do
    rm -rf results
    # shellcheck disable=SC2086
    "$drua" plan staged.ijm images/image.tif results/out.zarr $by_blocks $share -o staged.json >/dev/null 2>&1
    "$drua" slurm staged.json --array 2 --scratch "$scratch/my disk" >said
    rm submitted
    sed -n '/sbatch/p' said >submit.sh
    PATH=$PWD/bin:$PATH sh submit.sh >/dev/null
    [ "$(sed -n 2p submitted)" = staged.json.stage.sh ] && [ "$(grep -c dependency submitted)" -ge 2 ] ||
        fail "submitted was: $(cat submitted)"
    SLURM_ARRAY_TASK_ID=0 sh staged.json.array.sh 2>log && fail "an element starts without a copy: $(cat log)"
    grep -q "has no copy of the plan" log || fail "an element without a copy says: $(cat log)"
    sh staged.json.stage.sh 2>log || fail "the copies: $(cat log)"
    cmp images/image.tif "$scratch/my disk/drua-staged/images/image.tif"
    for script in staged.json.pass*.sh staged.json.array.sh; do
        [ -z "$share" ] && [ "$script" != staged.json.array.sh ] || for element in 0 1; do
            [ "$element$share" = 1--share ] || SLURM_ARRAY_TASK_ID=$element sh "$script" 2>log ||
                fail "$script: $(cat log)"
        done
    done
    find staged.json.journal results -name '*.blocks' | grep -q . && fail "an element wrote outside the scratch disk"
    sh staged.json.finish.sh 2>log || fail "the last job: $(cat log)"
    [ "$(sums direct)" = "$(sums results)" ] || fail "other bytes by a scratch disk"
    [ -z "$(ls -A "$scratch/my disk")" ] || fail "the scratch disk has $(ls -A "$scratch/my disk")"
    "$drua" verify staged.json 2>log || fail "verify after a scratch disk: $(cat log)"
    sh staged.json.stage.sh 2>log && SLURM_ARRAY_TASK_ID=0 sh staged.json.array.sh 2>log &&
        sh staged.json.finish.sh 2>log && [ ! -e "$scratch/my disk/drua-staged" ] ||
        fail "a finished plan begins again: $(cat log)"
    rm -rf staged.json*
done

# a list of tiles brings its tiles and fields, and no folder that has an image's name
mkdir blurred tiled listed listed/fields
for file in t1 t2 fields/flat; do cp image.tif listed/$file.tif; done
printf '# drua: fusion=linear missing=none flat=fields/flat.tif\nfile,x,y,z\nt1.tif,0,0,0\nt2.tif,50,0,0\n' \
    >listed/tiles.csv
printf '%s\n' 'Ext.Drua_push(image);' 'Ext.Drua_gaussianBlur(image, blurred, 2, 2, 1);' 'Ext.Drua_pull(blurred);' \
    >tiled.ijm
"$drua" plan tiled.ijm listed/tiles.csv tiled/out.zarr -o tiled.json >/dev/null
"$drua" slurm tiled.json --scratch "$scratch/tiles" --container "$odd.sif" >/dev/null
sed -n 's/^copy "$home" "$scratch" .\(listed.*\|blurred\). || exit 1$/\1/p' tiled.json.stage.sh | tr '\n' ' ' >copied
[ "$(cat copied)" = "listed/fields/flat.tif listed/t1.tif listed/t2.tif listed/tiles.csv " ] ||
    fail "copied are: $(cat copied)"
mkdir "$scratch/far"
cp listed/t2.tif "$scratch/far/t2.tif"
printf 'file,x,y,z\nt1.tif,0,0,0\n%s/far/t2.tif,50,0,0\n' "$scratch" >listed/far.csv
"$drua" plan tiled.ijm listed/far.csv tiled/far.zarr -o far.json >/dev/null
"$drua" slurm far.json --container "$odd.sif" >/dev/null
grep -q -e "--bind '$(realpath "$scratch")/far'" far.json.array.sh ||
    fail "the container does not see the folder of a tile: $(cat far.json.array.sh)"
rm -rf "$scratch/far"

refuse() { # status, part, command...
    expected=$1 part=$2
    shift 2
    status=0
    "$drua" "$@" >/dev/null 2>log || status=$?
    [ $status = "$expected" ] && grep -q -e "$part" log || fail "$* ends with $status: $(cat log)"
}
refuse 1 "there is no plan" slurm none.json
mkdir gone
(cd gone && rmdir ../gone && ! "$drua" slurm "$folder/$odd/$odd.json" 2>"$folder/said") &&
    grep -q "change to an existing folder" "$folder/said" ||
        fail "without a folder drua slurm says: $(cat "$folder/said")"
refuse 1 "write it as gpu" slurm "$odd.json" --partition 'gpu; rm'
refuse 1 "write it as 4:00:00" slurm "$odd.json" --time "1
#SBATCH --uid=0"
refuse 1 "from 1 to 100000" slurm "$odd.json" --array 0
refuse 1 "write it as lab" slurm "$odd.json" --account --qos
refuse 1 "write it as name@lab.org" slurm "$odd.json" --mail 'name@lab.org; rm'
(cd "a,b" && refuse 1 "has ':' or ','" slurm plan.json --container "$odd.sif")
refuse 1 "is not a full path" slurm "$odd.json" --scratch disk
refuse 1 "lies in the folder of the plan" slurm "$odd.json" --scratch "$PWD/disk"
mkdir drua-inner
(cd drua-inner && ln -s ../image.tif . && "$drua" plan "$blur" image.tif out.zarr -o inner.json >/dev/null &&
    refuse 1 "which holds the folder of the plan" slurm inner.json --scratch "$folder/$odd")
refuse 1 "folder '/a:b/c' to a container" slurm timed.json --scratch /a:b/c --container "$odd.sif"
refuse 1 "needs '../out/out.zarr'; plan again" slurm apart/bind.json --scratch "$scratch"
refuse 1 "how long the blocks of .apart/bind.json. take" slurm apart/bind.json --time auto
refuse 1 "must not contain line breaks" slurm "$odd.json" --before "true
rm x"
refuse 2 "no option '--shell'" slurm "$odd.json" --shell x
cp "$odd.json" "two
lines.json"
refuse 1 "must not contain line breaks" slurm "two
lines.json"

# devices of a job: two PoCL devices in the role of GPUs that the driver does not hide
export POCL_DEVICES="pthread pthread"
if [ "$("$drua" devices | wc -l)" = 2 ]; then
    "$drua" devices --spark-json | grep -qx '{"name": "gpu", "addresses": \["[^"]*", "[^"]*"\]}' ||
        fail "devices for Spark: $("$drua" devices --spark-json)"
    for given in 1 0,1 NoDevFiles; do
        rm -rf job job.json.journal
        "$drua" plan "$blur" image.tif job/out.zarr --chunk 16,16,16 --block 16,16,16 -o job.json >/dev/null
        CUDA_VISIBLE_DEVICES=$given "$drua" run job.json --blocks 2:10 --devices job 2>log ||
            fail "the devices $given: $(cat log)"
        [ "$("$drua" status --open job.json | tr '\n' ' ')" = "0:2 10:12 " ] ||
            fail "left: $("$drua" status --open job.json)"
    done
    export CUDA_VISIBLE_DEVICES=2
    refuse 1 "CUDA_VISIBLE_DEVICES=2 does not list GPU numbers from 0 to 1" run job.json --devices job
    export CUDA_VISIBLE_DEVICES=GPU-8932f937
    refuse 1 "the addresses that drua devices --json prints" run job.json --devices job
    unset CUDA_VISIBLE_DEVICES
fi

# a process that ends when its parent ends
mkfifo input
"$drua" run job.json --ends-with-input <input 2>/dev/null &
process=$!
exec 9>input
exec 9>&-
status=0
wait $process || status=$?
[ $status = 75 ] || [ $status = 0 ] || fail "a process whose parent has ended exits with $status"
status=0
"$drua" run job.json --ends-with-input </dev/null 2>log || status=$?
[ $status = 75 ] || [ $status = 0 ] || fail "a process without a parent exits with $status: $(cat log)"
"$drua" run job.json && "$drua" finish job.json && [ "$(sums whole)" = "$(sums job)" ] ||
    fail "other bytes after the parent had ended"
