# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Tests that hand out blocks through real SLURM, Spark and Nextflow on this computer.
. scripts/spark.sh

test_cluster() {
    prepare_tests
    local drua=build/bin/drua deaths=build/tests/libdeaths.so
    has_slurm || [ "$(id -u)" -ne 0 ] ||
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends \
            slurmctld slurmd slurm-client munge >&2 || true
    if ! has_slurm; then
        skip slurm "SLURM is not installed (Debian: slurmctld, slurmd, slurm-client and munge)"
    elif [ ! -f "$deaths" ]; then
        skip slurm "this system does not load tests/fault/deaths.c before a program"
    else
        suite slurm sh tests/cluster/slurm.sh "$drua" "$deaths"
    fi
    suite spark-build build_spark
    suite spark-tasks spark_tasks
    suite spark tests/cluster/spark.sh "$drua" build/spark "$deaths"
    suite nextflow sh tests/cluster/nextflow.sh "$drua"
    sum_up
}

spark_tasks() {
    local path
    path="build/spark/test:build/spark/classes:$(spark_home)/jars/*"
    mkdir -p build/spark/test
    compile_java --release 17 -d build/spark/test -cp "$path" java/spark/test/TaskTest.java &&
        "$(jdk_home)/bin/java" -cp "$path" drua.spark.TaskTest
}

has_slurm() {
    local program
    for program in slurmctld slurmd munged sbatch; do
        has $program || [ -x /usr/sbin/$program ] || return 1
    done
}
