# What the tests of the file system on several nodes share, behind lib.sh. Nodes are namespaces of network, mounts, host names and shared memory;
# a bridge leads from one to the other. Everything is gone with the test.
# shellcheck shell=bash
need unshare nsenter mount hostname ip
"$FATHOM" --version | contains 'file system: with' || { echo "skipped: no libsodium"; exit 77; }
[ -e "$BUILD/lib/libfathom-prefix.so" ] || { echo "skipped: no static libsodium"; exit 77; }
if [ -z "${IS_APART-}" ]; then
    unshare --net --mount --pid --fork --mount-proc ip link add name probe type bridge 2>/dev/null ||
        { echo "skipped: no other nodes: networks, mounts and host names cannot be changed here"; exit 77; }
    # all processes of the nodes end with the first one of this namespace
    IS_APART=1 exec unshare --net --mount --pid --fork --mount-proc "$0" "$@"
fi
ip link add name switch type bridge
ip link set switch up
ip link set lo up

# make_nodes N: node1 to nodeN, 10.98.0.1 to 10.98.0.N by their device eth0
make_nodes() {
    local i pid
    for i in $(seq "$1"); do
        unshare --net --mount --uts sh -c "mount -t tmpfs none /dev/shm && hostname node$i && exec sleep 1000" &
        pid=$!
        for _ in $(seq 100); do [ "$(nsenter -t $pid -u hostname 2>/dev/null)" != "node$i" ] || break; sleep 0.02; done
        nodes[i]=$pid
        ip link add name "to$i" type veth peer name eth0 netns "$pid"
        ip link set "to$i" master switch up
        nsenter -t "$pid" -n ip address add "10.98.0.$i/24" dev eth0
        nsenter -t "$pid" -n ip link set eth0 up
        nsenter -t "$pid" -n ip link set lo up
    done
}
nodes=()

# on N COMMAND...: on node N
on() { nsenter -t "${nodes[$1]}" -n -m -u --wd="$PWD" "${@:2}"; }
# run_on N COMMAND...: on node N, on the instance $name
run_on() { on "$1" "$FATHOM" fs run --instance "$name" -- "${@:2}"; }
# start_nodes N OPTION...: the instance $name on so many nodes
start_nodes() {
    local i starts=() count=$1
    shift
    for i in $(seq "$count"); do
        on "$i" "$FATHOM" fs start --instance "$name" --nodes "$count" --address eth0 "$@" >started.$i 2>start.$i &
        starts+=($!)
    done
    for i in "${starts[@]}"; do wait "$i" || fail "the instance does not start: $(cat start.*)"; done
}
# server_on N: the process of the server there
server_on() {
    local process
    for process in $(pgrep -f "fs start --instance $name( |$)"); do
        [ "$(readlink "/proc/$process/ns/net")" != "$(readlink "/proc/${nodes[$1]}/ns/net")" ] || echo "$process"
    done
}
# kill_server_on N: it is gone behind that
kill_server_on() {
    local process
    process=$(server_on "$1")
    kill -KILL "$process"
    while [ -e "/proc/$process" ]; do sleep 0.01; done
}
# lose_node N: all processes of the node, its memory and its network are gone
lose_node() {
    local process own
    own=$(readlink "/proc/${nodes[$1]}/ns/net")
    ip link delete "to$1"
    for process in $(ls /proc | grep '^[0-9]*$'); do
        [ "$(readlink "/proc/$process/ns/net" 2>/dev/null)" != "$own" ] || kill -KILL "$process" 2>/dev/null || :
    done
    while [ -e "/proc/${nodes[$1]}/ns/net" ] && [ "$(readlink "/proc/${nodes[$1]}/ns/net" 2>/dev/null)" = "$own" ]; do sleep 0.01; done
}
