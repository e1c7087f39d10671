# An archive is packed, through a compressor of its own, listed, compared and unpacked.
#: needs tar gzip
#: package tar gzip
prepare() {
    mkdir -p tree/a/b tree/c
    seq 100000 >tree/a/numbers
    head -c 3000000 /dev/zero >tree/c/zeros
    ln tree/a/numbers tree/a/b/linked
    ln -s ../a tree/c/link
    truncate -s 5M tree/sparse
}
run() {
    tar --sort=name --mtime=@0 -cSzf archive.tar.gz tree
    tar -tvzf archive.tar.gz
    mkdir out
    tar -xzf archive.tar.gz -C out
    diff -r tree out/tree
    tar --sort=name --mtime=@0 -cf - tree | sha256sum
}
