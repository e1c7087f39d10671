# What the tests of runs on two nodes share, behind lib.sh. The second node is started through a launch agent that clears the environment. It has
# another host name, another TMPDIR on a disk of its own, and does not see the first one's. Where that can be had, it has another network, too: a
# cable leads from one to the other.
# Files outside of that are on one disk of one machine, which the kernel does not know to be seen by two nodes: FATHOM_SHARED tells.
# shellcheck shell=bash
export FATHOM_SHARED=ext4,xfs,btrfs,overlay,zfs,tmpfs
need unshare mount hostname cc

if [ -z "${NETWORKS-}" ]; then
    export NETWORKS=1
    if command -v ip nsenter >/dev/null && unshare --net --mount ip link add name probe type veth peer name other 2>/dev/null; then
        NETWORKS=2 exec unshare --net --mount "$0"
    fi
fi
apart=(unshare --uts --mount)
"${apart[@]}" true 2>/dev/null || apart=(unshare --map-root-user --uts --mount)
"${apart[@]}" mount -t tmpfs none /tmp 2>/dev/null || { echo "skipped: no second node: mounts and host names cannot be changed here"; exit 77; }
if [ "$NETWORKS" = 2 ]; then
    mount -t tmpfs none /run
    ip netns add second
    ip link add to_second type veth peer name to_first netns second
    ip address add 10.99.0.1/24 dev to_second
    ip -n second address add 10.99.0.2/24 dev to_first
    ip link set lo up
    ip link set to_second up
    ip -n second link set lo up
    ip -n second link set to_first up
    printf '127.0.0.1 localhost\n10.99.0.1 %s\n10.99.0.2 second\n' "$(hostname)" >hosts
    mount --bind hosts /etc/hosts
    apart=(nsenter --net=/run/netns/second "${apart[@]}")
fi
mkdir -p n1/tmp n2 disk2/tmp output
export TMPDIR=$PWD/n1/tmp OMPI_MCA_mpi_yield_when_idle=1
trace=$PWD/output/trace.fathom

# hide FOLDER...: what the second node does not see. Its own disk is below n2, or where the first one has its own, if there is a file same_path.
# MPI's launchers give options, the host and the command. It becomes the second node in its last step, so that no process was ever on both;
# $preload is loaded into what runs there.
preload=
hide() {
    cat >agent <<AGENT
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
host=\$1
shift
exec env -i HOME="$HOME" PATH="$PATH" TMPDIR="$PWD/n2/tmp" ${preload:+LD_PRELOAD="$preload"} \\
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ${apart[*]} sh -c '
    mount --bind "$PWD/disk2" "$PWD/n2" || exit
    for folder in $*; do mount -t tmpfs none "$PWD/\$folder" || exit; done
    if [ -e "$PWD/same_path" ]; then mkdir "$PWD/n1/tmp" && mount --bind "$PWD/disk2/tmp" "$PWD/n1/tmp" || exit; fi
    cd "$PWD" && hostname "\$0" && exec sh -c "\$1"' "\$host" "\$*"
AGENT
    chmod +x agent
}

# on_two_nodes NAME COMMAND...: four ranks; what record says is in `said`. It has these options:
record_options=()
on_two_nodes() {
    local name=$1 first
    shift
    first=$(hostname)
    rm -rf output/* out f.* n1/tmp/* disk2/tmp/*
    case $name in
    openmpi)
        rm -f same_path
        set -- --mca plm_rsh_agent "$PWD/agent" --mca mpi_yield_when_idle 1 -x NOTHING=1 --host "$first:2,second:2" -n 4 "$@"
        ;;
    mpich) # passes TMPDIR on
        : >same_path
        set -- -launcher ssh -launcher-exec "$PWD/agent" -hosts "$first,second" -n 4 "$@"
        ;;
    esac
    timeout 60 "$FATHOM" record "${record_options[@]}" -o "$trace" "mpirun.$name" "$@" >printed 2>said
}
