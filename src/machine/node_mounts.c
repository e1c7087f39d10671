/* Mounts of a node, from the kernel's list. */
#include "machine/node_mounts.h"

#include "base/memory.h"
#include "base/settings.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 200 /* ms for servers */, MOST_LINKS = 64, MOST_MOUNTS = 4096 };

/* ---- kinds of file systems ---- */

static bool is_one_of(const char *type, const char *const *list)
{
    for (; *list; list++) {
        size_t length = strlen(*list);
        bool begins = (*list)[length - 1] == '*';
        if (begins ? strncmp(type, *list, length - 1) == 0 : strcmp(type, *list) == 0)
            return true;
    }
    return false;
}

/* "ext4,fuse.mine" */
static bool is_named(const char *type, const char *list)
{
    size_t length = strlen(type), item;
    for (; list && *list; list += item + (list[item] != 0)) {
        item = strcspn(list, ",");
        if (item == length && strncmp(list, type, length) == 0)
            return true;
    }
    return false;
}

bool fth_mounts_type_is_shared(const char *type)
{
    static const char *const shared[] = {
        "nfs*",       "lustre",         "gpfs",       "beegfs*",      "ceph",      "cifs",
        "smb*",       "pvfs2",          "orangefs",   "panfs",        "afs",       "glusterfs",
        "ocfs2",      "gfs2",           "wekafs",     "daos*",        "9p",        "virtiofs",
        "fuse.ceph*", "fuse.glusterfs", "fuse.sshfs", "fuse.juicefs", "fuse.s3fs", "fuse.dfuse",
        "fuse.daos",  "fuse.nfs*",      "fuse.pvfs*", NULL,
    };
    return is_one_of(type, shared) || is_named(type, getenv(FTH_SETTING_NAME(SHARED)));
}

/* What is in them are no files of programs; a path in one belongs to the file system around it,
 * which says as much. */
static bool is_no_place(const char *type)
{
    static const char *const none[] = {
        "cgroup*", "devpts",   "tracefs",    "debugfs", "securityfs", "pstore",
        "bpf",     "configfs", "fusectl",    "mqueue",  "hugetlbfs",  "binfmt_misc",
        "autofs",  "efivarfs", "rpc_pipefs", "nsfs",    "selinuxfs",  NULL,
    };
    return is_one_of(type, none);
}

/* ---- the kernel's list ---- */

/* The next field, with "\040" and its kin made what they are. */
static bool next_field(const char **at, char *field, size_t size)
{
    size_t used = 0;
    const char *from = *at + strspn(*at, " ");
    for (; *from && *from != ' ' && *from != '\n'; from++) {
        char byte = *from;
        if (byte == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' && from[2] <= '7' &&
            from[3] >= '0' && from[3] <= '7') {
            byte = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
            from += 3;
        }
        if (byte && used + 1 < size)
            field[used++] = byte;
    }
    field[used] = 0;
    bool any = from > *at + strspn(*at, " ");
    *at = from;
    return any;
}

/* "36 35 98:0 /root /point options [tag...] - type source options" */
static void parse_line(struct fth_mounts *mounts, const char *at)
{
    char point[PATH_MAX], type[64], source[PATH_MAX], skipped[PATH_MAX];
    for (int i = 0; i < 4; i++)
        if (!next_field(&at, skipped, sizeof skipped))
            return;
    if (!next_field(&at, point, sizeof point) || *point != '/')
        return;
    do
        if (!next_field(&at, skipped, sizeof skipped))
            return;
    while (strcmp(skipped, "-") != 0);
    if (!next_field(&at, type, sizeof type) || !next_field(&at, source, sizeof source) ||
        is_no_place(type) || mounts->mount_count == MOST_MOUNTS)
        return;
    fth_mounts_add(mounts,
                   &(struct fth_mount){point, type, source, 0, fth_mounts_type_is_shared(type)});
}

void fth_mounts_parse(struct fth_mounts *mounts, const char *mountinfo)
{
    for (const char *line = mountinfo; *line; line += strcspn(line, "\n"), line += *line != 0)
        parse_line(mounts, line);
}

/* ---- block sizes ---- */

static uint64_t block_size_of(const struct fth_mount *mount)
{
    struct statfs facts;
    return statfs(mount->point, &facts) == 0 && facts.f_bsize > 0 ? (uint64_t)facts.f_bsize : 0;
}

/* A server may be gone, and then who asks hangs. */
static bool may_hang(const struct fth_mount *mount)
{
    return mount->shared || strncmp(mount->type, "fuse", 4) == 0;
}

/* Asks in a process that is given up when it takes too long. */
static void ask_servers(struct fth_mounts *mounts)
{
    uint64_t answer[2]; /* which mount, its block size */
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        for (size_t i = 0; i < mounts->mount_count; i++)
            if (may_hang(&mounts->mounts[i])) {
                answer[0] = i;
                answer[1] = block_size_of(&mounts->mounts[i]);
                if (write(pipes[1], answer, sizeof answer) != (ssize_t)sizeof answer)
                    break;
            }
        _exit(0);
    }
    close(pipes[1]);
    struct pollfd ready = {.fd = pipes[0], .events = POLLIN};
    while (child > 0 && poll(&ready, 1, PATIENCE) > 0 &&
           read(pipes[0], answer, sizeof answer) == (ssize_t)sizeof answer)
        mounts->mounts[answer[0]].block_size = answer[1];
    close(pipes[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, WNOHANG); /* one that hangs in the kernel is left to the system */
    }
}

static void ask_for_block_sizes(struct fth_mounts *mounts)
{
    bool any = false;
    for (size_t i = 0; i < mounts->mount_count; i++) {
        struct fth_mount *mount = &mounts->mounts[i];
        if (may_hang(mount))
            any = true;
        else
            mount->block_size = block_size_of(mount);
    }
    if (any)
        ask_servers(mounts);
}

/* ---- links ---- */

/* Only those that lead to another mount matter. The link itself is looked at, not what it leads
 * to. */
static void take_link(struct fth_mounts *mounts, const char *path)
{
    char target[PATH_MAX], to[2 * PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0 || mounts->link_count == MOST_LINKS)
        return;
    target[length] = 0;
    snprintf(to, sizeof to, "%s%s", *target == '/' ? "" : "/", target);
    if (strstr(to, "/..") || strstr(to, "/./") ||
        fth_mounts_find(mounts, path) == fth_mounts_find(mounts, to))
        return;
    fth_mounts_add_link(mounts, path, to);
}

/* Sites put links to their file systems at the root. */
static void take_links(struct fth_mounts *mounts)
{
    DIR *root = opendir("/");
    char path[NAME_MAX + 2];
    for (struct dirent *entry; root && (entry = readdir(root));)
        if (entry->d_type == DT_LNK) {
            snprintf(path, sizeof path, "/%s", entry->d_name);
            take_link(mounts, path);
        }
    if (root)
        closedir(root);
}

/* ---- this node ---- */

/* What was taken beforehand, and the kernel's list, kept open: it says when it has changed. */
static struct {
    struct fth_mounts mounts;
    int list; /* descriptor + 1; 0: nothing was taken */
} prepared;

/* To be freed. */
static char *read_list(int list)
{
    enum { STEP = 16 << 10, MOST = 4 << 20 };
    struct fth_bytes text = {0};
    ssize_t got = 0;
    do {
        text.length += (size_t)got;
        fth_bytes_room(&text, STEP);
        got = list < 0 ? 0 : read(list, text.data + text.length, STEP - 1);
    } while (got > 0 && text.length < MOST);
    text.data[text.length] = 0;
    return (char *)text.data;
}

void fth_mounts_prepare(void)
{
    struct utsname node = {0};
    int list = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    char *text = read_list(list);
    uname(&node);
    prepared.mounts = (struct fth_mounts){.host = fth_text_copy(node.nodename)};
    prepared.list = list + 1;
    fth_mounts_parse(&prepared.mounts, text);
    free(text);
    ask_for_block_sizes(&prepared.mounts);
    take_links(&prepared.mounts);
}

static void forget_prepared(void)
{
    struct pollfd list = {.fd = prepared.list - 1, .events = POLLPRI};
    if (prepared.list && poll(&list, 1, 0) == 0)
        return;
    fth_mounts_free(&prepared.mounts);
    if (prepared.list)
        close(prepared.list - 1);
    prepared.list = 0;
}

void fth_mounts_take(struct fth_mounts *mounts)
{
    forget_prepared();
    if (!prepared.list)
        fth_mounts_prepare();
    *mounts = prepared.mounts;
    prepared.mounts = (struct fth_mounts){0};
    if (prepared.list)
        close(prepared.list - 1);
    prepared.list = 0;
}
