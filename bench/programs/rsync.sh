# Two folders are made equal, twice: everything, then what has changed; three processes with pipes between them.
#: needs rsync
#: package rsync
#: mask [0-9.,]+ bytes/sec
#: mask ^(File list (generation|transfer) time|Total bytes (sent|received)).*
#: mask ^sent .*
#: mask speedup is [0-9.]+
prepare() {
    local i
    mkdir -p from/deep/er
    for i in $(seq 40); do seq "$i" $((i * 1000)) >"from/deep/file$i"; done
    ln -s deep from/link
    head -c 2000000 /dev/zero >from/deep/er/zeros
}
run() {
    rsync -a --stats from/ to
    echo more >>from/deep/file7
    rm from/deep/file9
    touch -d @1700000000 from/deep from/deep/file7 # rsync looks at whole seconds
    rsync -ai --checksum --delete from/ to
    diff -r from to && echo equal
}
