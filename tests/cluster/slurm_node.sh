#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A SLURM installation on one computer with two simulated GPUs in a private folder: slurm_node.sh start|stop FOLDER.
# Then: export SLURM_CONF=FOLDER/slurm.conf. Needs Debian's slurmctld, slurmd, slurm-client and munge, but no system
# services and no rights on the system's own SLURM.
set -eu
PATH=$PATH:/usr/sbin
what=$1
folder=$2

stop() {
    for daemon in slurmd slurmctld munged; do
        [ -s "$folder/$daemon.pid" ] || continue
        process=$(cat "$folder/$daemon.pid")
        kill "$process" 2>/dev/null || continue
        while kill -0 "$process" 2>/dev/null; do sleep 0.1; done
    done
}

if [ "$what" = stop ]; then
    stop
    exit
fi
node=$(hostname -s)
user=$(id -un)
port=$((20000 + $$ % 20000))
mkdir -p "$folder/state" "$folder/spool" "$folder/log"
folder=$(cd "$folder" && pwd)
chmod 700 "$folder"
(umask 077 && dd if=/dev/urandom of="$folder/key" bs=128 count=1 2>/dev/null)
cards=""
for name in tty ttyS loop ram; do
    [ -n "$cards" ] || ! [ -e "/dev/${name}0" ] || ! [ -e "/dev/${name}1" ] || cards="/dev/${name}[0-1]"
done
[ -n "$cards" ] || { echo "there are no two devices in /dev that SLURM can take for GPUs" >&2; exit 1; }
cat >"$folder/slurm.conf" <<TEXT
ClusterName=drua
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/socket
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 Gres=gpu:2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
TEXT
echo "NodeName=$node Name=gpu File=$cards" >"$folder/gres.conf"
export SLURM_CONF="$folder/slurm.conf"
munged --force --key-file="$folder/key" --socket="$folder/socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/log/munged" \
    --seed-file="$folder/seed" 2>"$folder/log/munge"
slurmctld -c -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"
seconds=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
    seconds=$((seconds + 1))
    [ $seconds -lt 60 ] || { tail -n 5 "$folder"/log/slurmctld "$folder"/log/slurmd >&2; stop; exit 1; }
    sleep 1
done
