# A repository is made, changed on two branches, merged, packed, checked and cloned.
#: needs git
#: package git
# The index holds inodes and times; `git ls-files` prints what else is in it.
#: ignore \.git/index$
prepare() {
    local i
    for i in $(seq 60); do seq "$i" $((i * 20)) >"file$i"; done
}
run() {
    export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a \
        GIT_COMMITTER_EMAIL=a@example.org GIT_AUTHOR_DATE="1700000000 +0000" GIT_COMMITTER_DATE="1700000000 +0000"
    git init -q -b main tree
    mv file* tree
    cd tree
    git config pack.threads 1
    git config gc.auto 0
    git add .
    git commit -q -m first
    git checkout -q -b side
    sed -i 's/1$/one/' file?
    git commit -q -a -m side
    git checkout -q main
    git rm -q file60
    echo more >>file59
    git commit -q -a -m main
    git merge -q -m both side
    git log --stat --format='%H %s'
    git gc -q
    git fsck --strict
    git ls-files -s | sha1sum
    git grep -c one
    cd ..
    git clone -q tree other
    git -C other status
}
