# What a server was asked, and whose answer was lost with the connection, it is asked again and does once. Behind fs_nodes.sh and make_nodes.
# shellcheck shell=bash
name=twice
mkdir twice
ip address add 10.98.0.100/24 dev switch
start_nodes 2 --model posix --under twice
for i in 0 1; do contains node2 <twice/.fathom-fs-$name/node-$i && number=$i; done
mkfifo to_relay to_cut to_append
$python "$here/lossy_relay.py" 10.98.0.100 4700 10.98.0.2 "$(sed -n 's/port //p' "twice/.fathom-fs-$name/node-$number")" <to_relay >>relayed &
exec {relay}>to_relay
# holds FILE TEXT: it comes to have it
holds() {
    local i
    for i in $(seq 200); do ! contains "$2" <"$1" || return 0; sleep 0.02; done
    fail "no '$2' in $1: $(cat "$1")"
}
holds relayed ready
sed -i 's/address .*/address 10.98.0.100/; s/port .*/port 4700/' "twice/.fathom-fs-$name/node-$number"

# files are cut off; another node writes to them before that is asked again
run_on 1 $python "$here/at_once.py" twice cut <to_cut >cutting 2>&1 &
cuts=$!
exec {cut}>to_cut
holds cutting written
echo lose 1 >&$relay
holds relayed 'lose 1'
echo >&$cut
holds relayed lost
run_on 2 $python -c '
import os
for i in range(16):
    file = os.open(f"twice/cut.{i}", os.O_RDWR)
    if os.fstat(file).st_size == 0:
        os.pwrite(file, b"newer", 0)
        print(i)
    os.close(file)' >newer
echo cut >&$relay
wait $cuts || fail "to cut off, with an answer lost: $(cat cutting)"
[ -s newer ] || fail "no file was cut off before the connection was"
while read -r i; do [ "$(run_on 2 cat "twice/cut.$i")" = newer ] || fail "a file is cut off twice"; done <newer

# room to append is given, and given again; the first answer says where the file ends
run_on 1 $python "$here/at_once.py" twice append <to_append >appending 2>&1 &
appends=$!
exec {append}>to_append
holds appending written
: >relayed
echo lose 2 >&$relay
holds relayed 'lose 2'
echo >&$append
holds relayed lost
sleep 0.2
echo cut >&$relay
wait $appends || fail "to append, with an answer lost: $(cat appending)"
printf 'x%.0s' $(seq 100) >whole
printf 'y%.0s' $(seq 100) >>whole
for i in $(seq 0 15); do
    run_on 2 cat twice/append.$i | cmp -s - whole ||
        fail "appended twice: $(run_on 2 od -c twice/append.$i)"
done
on 2 "$FATHOM" fs stop --instance $name >/dev/null ||
    fail "stop behind lost answers: $(on 1 cat /dev/shm/fathom-fs-$(id -u)/$name/log; on 2 cat /dev/shm/fathom-fs-$(id -u)/$name/log)"
exec {relay}>&- {cut}>&- {append}>&-
