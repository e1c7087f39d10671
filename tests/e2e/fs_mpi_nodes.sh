# Programs of Open MPI on two nodes, behind lib.sh.
# shellcheck shell=bash
. "$SOURCE/tests/e2e/fs_nodes.sh"

# make_mpi_nodes: node1 and node2, which mpirun reaches by `agent`, where others would be reached by ssh
make_mpi_nodes() {
    local i
    make_nodes 2
    agent=$PWD/agent
    cat >agent <<AGENT
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
case \$1 in node1) process=${nodes[1]} ;; node2) process=${nodes[2]} ;; esac
shift
exec nsenter -t "\$process" -n -m -u --wd="$PWD" sh -c "\$*"
AGENT
    chmod +x agent
    printf '127.0.0.1 localhost\n10.98.0.1 node1\n10.98.0.2 node2\n' >hosts
    for i in 1 2; do on $i mount --bind hosts /etc/hosts; done
}
# launch OPTION... PROGRAM...: mpirun on the first node
launch() {
    on 1 timeout 60 mpirun.openmpi --mca plm_rsh_agent "$agent" --mca mpi_yield_when_idle 1 --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0 "$@"
}
