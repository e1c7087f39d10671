/* Mounts: the kernel's list as it is and as it should not be, the mount of a path, and their
 * bytes. */
#include "machine/node_mounts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char list[] = "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
                           "23 22 0:5 / /proc rw - proc proc rw\n"
                           "24 22 0:6 / /sys/fs/cgroup ro shared:9 - cgroup2 cgroup rw\n"
                           "25 22 0:44 / /scratch rw shared:1 master:2 propagate_from:3 - lustre "
                           "10.0.0.1@tcp:/scratch rw\n"
                           "26 25 0:45 / /scratch/local\\040disk rw - xfs /dev/sdb1 rw\n"
                           "27 22 0:46 / /home rw - nfs4 server:/export/home rw\n"
                           "28 22 0:47 / /mnt rw - ext4 /dev/sdc rw\n"
                           "29 28 0:48 / /mnt rw - tmpfs over rw\n"
                           "30 22 0:49 / /far rw - fuse.sshfs me@there: rw\n";

static const struct fth_mount *expect(const struct fth_mounts *mounts, const char *path,
                                      const char *point, const char *type)
{
    const struct fth_mount *mount = fth_mounts_find(mounts, path);
    assert_non_null(mount);
    assert_string_equal(mount->point, point);
    assert_string_equal(mount->type, type);
    return mount;
}

static void paths_have_mounts(void **state)
{
    (void)state;
    struct fth_mounts mounts = {.host = strdup("node")};
    fth_mounts_parse(&mounts, list);
    assert_int_equal(mounts.mount_count, 8);
    assert_false(expect(&mounts, "/etc/passwd", "/", "ext4")->shared);
    assert_false(expect(&mounts, "/", "/", "ext4")->shared);
    assert_true(expect(&mounts, "/scratch/a/b", "/scratch", "lustre")->shared);
    assert_string_equal(fth_mounts_find(&mounts, "/scratch")->source, "10.0.0.1@tcp:/scratch");
    expect(&mounts, "/scratchy/a", "/", "ext4");
    assert_false(expect(&mounts, "/scratch/local disk/x", "/scratch/local disk", "xfs")->shared);
    assert_true(expect(&mounts, "/home/me/file", "/home", "nfs4")->shared);
    assert_true(expect(&mounts, "/far/away", "/far", "fuse.sshfs")->shared);
    assert_string_equal(expect(&mounts, "/mnt/x", "/mnt", "tmpfs")->source, "over");
    assert_null(fth_mounts_find(&mounts, "pipe:[1]"));
    assert_null(fth_mounts_find(&mounts, ""));
    fth_mounts_free(&mounts);
}

static void links_are_followed(void **state)
{
    (void)state;
    struct fth_mounts mounts = {.host = strdup("node")};
    fth_mounts_parse(&mounts, list);
    fth_mounts_add_link(&mounts, "/work", "/scratch/work");
    fth_mounts_add_link(&mounts, "/scratch/work/mine", "/home/me");
    fth_mounts_add_link(&mounts, "/around", "/around/and");
    expect(&mounts, "/work/x", "/scratch", "lustre");
    expect(&mounts, "/work/mine/x", "/home", "nfs4");
    expect(&mounts, "/working/x", "/", "ext4");
    expect(&mounts, "/around/x", "/", "ext4");
    fth_mounts_free(&mounts);
}

static void lists_may_be_anything(void **state)
{
    (void)state;
    for (size_t at = 0; at < sizeof list - 1; at++) {
        static const char others[] = " \n\\-/";
        char *cut = strndup(list, at);
        struct fth_mounts mounts = {.host = strdup("node")};
        fth_mounts_parse(&mounts, cut);
        fth_mounts_find(&mounts, "/scratch/x");
        fth_mounts_free(&mounts);
        free(cut);
        for (const char *other = others; *other; other++) {
            char *changed = strdup(list);
            struct fth_mounts its = {.host = strdup("node")};
            changed[at] = *other;
            fth_mounts_parse(&its, changed);
            for (size_t i = 0; i < its.mount_count; i++)
                assert_int_equal(its.mounts[i].point[0], '/');
            fth_mounts_free(&its);
            free(changed);
        }
    }
}

static void this_node_has_a_root(void **state)
{
    (void)state;
    struct fth_mounts mounts;
    fth_mounts_take(&mounts);
    const struct fth_mount *root = fth_mounts_find(&mounts, "/");
    assert_non_null(root);
    assert_true(root->block_size > 0);
    fth_mounts_free(&mounts);
}

static void bytes_are_read_back(void **state)
{
    (void)state;
    struct fth_mounts mounts = {.host = strdup("node")}, read;
    struct fth_bytes bytes = {0};
    fth_mounts_parse(&mounts, list);
    mounts.mounts[0].block_size = 4096;
    fth_mounts_add_link(&mounts, "/work", "/scratch/work");
    fth_mounts_add_file(&mounts, "/scratch/big", 4, 1 << 20);
    fth_mounts_write(&mounts, &bytes);
    assert_int_equal(fth_mounts_read(&read, bytes.data, bytes.length, NULL), 0);
    assert_string_equal(read.host, "node");
    assert_int_equal(read.mount_count, mounts.mount_count);
    assert_int_equal(read.mounts[0].block_size, 4096);
    expect(&read, "/work/x", "/scratch", "lustre");
    assert_int_equal(read.file_count, 1);
    assert_int_equal(read.files[0].count, 4);
    fth_mounts_free(&read);
    for (size_t length = 0; length < bytes.length; length++)
        assert_int_equal(fth_mounts_read(&read, bytes.data, length, NULL), -1);
    for (size_t at = 0; at < bytes.length; at++)
        for (int bit = 0; bit < 8; bit++) {
            bytes.data[at] ^= (uint8_t)(1 << bit);
            if (fth_mounts_read(&read, bytes.data, bytes.length, NULL) == 0) {
                fth_mounts_find(&read, "/work/x");
                fth_mounts_free(&read);
            }
            bytes.data[at] ^= (uint8_t)(1 << bit);
        }
    fth_mounts_free(&mounts);
    fth_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_have_mounts),     cmocka_unit_test(links_are_followed),
        cmocka_unit_test(lists_may_be_anything), cmocka_unit_test(this_node_has_a_root),
        cmocka_unit_test(bytes_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
