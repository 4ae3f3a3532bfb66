#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests help, usage and refused arguments of all commands: command_help.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

mkdir work
cd work

# Runs drua with no device, so that a command that begins its work fails or writes files.
call() { # status arguments...
    wanted=$1
    shift
    status=0
    OCL_ICD_VENDORS=$folder/none "$drua" "$@" >../out 2>../err </dev/null || status=$?
    [ $status = "$wanted" ] || fail "drua $* ends with $status instead of $wanted: $(cat ../out ../err)"
    [ -z "$(ls -A)" ] || fail "drua $* made $(ls -A)"
}

is_help() { # first line, arguments...
    first=$1
    shift
    call 0 "$@"
    [ ! -s ../err ] || fail "drua $* prints to stderr: $(cat ../err)"
    head -n 1 ../out | grep -q "^$first" || fail "drua $*: $(cat ../out)"
}

refused() { # sentence, usage, arguments...
    sentence=$1 usage=$2
    shift 2
    call 2 "$@"
    [ ! -s ../out ] || fail "drua $* prints to stdout: $(cat ../out)"
    head -n 1 ../err | grep -q "$sentence" || fail "drua $*: $(cat ../err)"
    sed -n 2p ../err | grep -q "^usage: drua $usage" || fail "drua $* prints no usage: $(cat ../err)"
}

version=$("$drua" version)
echo "$version" | grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+' || fail "the version is $version"
for ask in help --help -h; do
    is_help "usage: drua COMMAND" $ask
done
is_help "$version\$" --version
commands=$("$drua" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
known="devices check describe deconvolve phantom process plan run finish verify status slurm tune version help"
[ "$(echo "$commands" | sort)" = "$(echo "$known" | tr ' ' '\n' | sort)" ] || fail "drua help lists $commands"
for command in $known; do
    for ask in "$command --help" "$command -h" "help $command" "$command a b --help" "$command --overwrite --help"; do
        # shellcheck disable=SC2086 # words
        is_help "usage: drua $command" $ask
    done
    is_help "$version\$" "$command" --version
    refused "no option '--colour'" "$command" "$command" --colour
    refused "is one too many\|no option '\(two\|four\)'" "$command" "$command" one two three four five six
done

# an option or a setting that is given twice; only those of several images may be
for option in "--chunk 8,8,8" "--memory 1GB" "--frames 1" "-o a.json" "--chunk=8,8,8"; do
    name=${option%%[ =]*}
    # shellcheck disable=SC2086 # words
    refused "the option '$name' is given twice; give it once" plan plan a b c -o p.json --chunk 8,8,8 --memory 1GB \
        --frames 1 $option
done
refused "the setting 'iterations' is given twice; give it once" deconvolve deconvolve a.tif b.tif c.tif iterations=1 \
    edges=none iterations=1
refused "the setting 'width' is given twice; give it once" phantom phantom ph width=32 width=64
refused "the setting 'series' is given twice; give it once" process process copy a.zarr b.zarr series=1 series=2
call 1 plan copy none.zarr b.zarr -o p.json --channel a=1 --channel b=2 --input c=none.zarr --input d=none.zarr

# options and settings are in the help
call 0 help plan
for option in -o --share --memory --host-memory --block --chunk --shard --compression --zarr --device --devices \
    --anew --overwrite --ends-with-input; do
    grep -q "^  $option " ../out || fail "help plan lacks $option"
done
call 0 help phantom
grep -q "^  width=N " ../out || fail "help phantom lacks width: $(cat ../out)"
call 0 help deconvolve
for setting in iterations accelerate background tv devices; do
    grep -q "^  $setting " ../out || fail "help deconvolve lacks $setting: $(cat ../out)"
done

# missing and misspelt arguments
refused "no command 'decon'" COMMAND decon
refused "did you mean 'devices'" COMMAND device
call 2
grep -q "^usage: drua COMMAND" ../err || fail "drua alone: $(cat ../err)"
for command in run finish verify status slurm; do
    refused "the argument PLAN.json is missing" $command $command
done
refused "the argument PIPELINE is missing" process process
refused "the argument OUT is missing" process process copy in.zarr
refused "the option -o PLAN.json is missing" plan plan copy in.zarr out.zarr
refused "'-o' needs a value: -o PLAN.json" plan plan copy in.zarr out.zarr -o
refused "'--memroy'; did you mean '--memory'" process process copy in.zarr out.zarr --memroy 1GB
refused "'x' is not a valid value of --block; write it as X,Y,Z" process process copy in.zarr out.zarr --block x
refused "'x' is not a valid value of --block; write it as X,Y,Z" process process copy in.zarr out.zarr --block=x
for option in --device --devices --memory --host-memory --block --chunk --compression --zarr --series --level \
    --channel --input --labels --store --margin --frames; do
    refused "the value of '$option' is empty; write $option " process process copy in.zarr out.zarr $option ""
    refused "the value of '$option' is empty; write $option " process process copy in.zarr out.zarr $option=
done
refused "the value of '-o' is empty; write -o PLAN.json" plan plan copy in.zarr out.zarr -o ""
refused "the value of '--array' is empty" run run plan.json --array ""
refused "the value of '--html' is empty" status status plan.json --html ""
refused "the value of 'kind=' is empty; write kind=bars|beads" phantom phantom folder kind=
refused "the value of 'truth=' is empty; write truth=FILE" deconvolve deconvolve a.tif b.tif c.tif truth=
refused "the argument IN is empty" process process copy "" out.zarr
refused "the argument OUT is empty" process process copy in.zarr ""
refused "the argument PLAN.json is empty" run run ""
refused "the argument PSF.tif is empty" deconvolve deconvolve a.tif "" c.tif
refused "the argument FOLDER is empty" phantom phantom ""
refused "'--memroy'; did you mean '--memory'" process process copy in.zarr out.zarr --memroy=1GB
refused "'--overwrite' takes no value" process process copy in.zarr out.zarr --overwrite=yes
refused "no option '--memory'" finish finish plan.json --memory 1GB
refused "the argument OUT.tif is missing" deconvolve deconvolve image.tif psf.tif
refused "no option 'iteration'; did you mean 'iterations'" deconvolve deconvolve a.tif b.tif c.tif iteration=5
refused "the argument FOLDER is missing" phantom phantom --overwrite
refused "no option 'widht'; did you mean 'width='" phantom phantom folder widht=5
refused "'kind=balls' is not a valid setting" phantom phantom folder kind=balls
refused "whole numbers from 1 to 65536" phantom phantom folder width=0
refused "'0' is not a divisor" tune tune 0
call 2 bench copy
grep -q 'drua-bench' ../err || fail "drua bench does not name drua-bench: $(cat ../err)"
refused "there is no command 'me'" help help me
for word in nonsense --nonsense; do
    call 2 $word
    grep -q "did you mean" ../err && fail "drua $word names an unlike command: $(cat ../err)"
done
refused "no operation 'nonsense'; 'drua describe' lists" describe describe nonsense
refused "no option '--nonsense'$" status status plan.json --nonsense

# one operation, and all
call 0 describe gaussian_blur
head -n 1 ../out | grep -q "^gaussian_blur (filter)" || fail "describe: $(cat ../out)"
grep -q "^  sigma_x .*default" ../out || fail "describe lacks a parameter: $(cat ../out)"
grep -q "generate_feature_stack" ../out && fail "describe prints other operations"
call 0 describe deconvolve
grep -q "^    iterations .*integer, 1 to 100000, default 20" ../out || fail "describe lacks a setting: $(cat ../out)"
grep -q "^  convergence " ../out || fail "describe lacks the parameter after options: $(cat ../out)"
refused "no operation 'gausian_blur'; did you mean 'gaussian_blur'" describe describe gausian_blur
call 0 describe
grep -c '"category":' ../out | grep -Eq '^[0-9]{3}$' || fail "describe does not print all operations"
