/* The folder where servers meet. */
#include "fs/server/node_meeting.h"

#include "base/memory.h"
#include "base/own_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MAKE_SECONDS = 20, /* until the folder is filled by who made it */
    PAUSE = 50000000,  /* ns */
    FILE_MOST = 1 << 20,
};

void fth_node_name(char name[FTH_NODE_NAME_MOST + 1])
{
    if (gethostname(name, FTH_NODE_NAME_MOST))
        snprintf(name, FTH_NODE_NAME_MOST, "unknown");
    name[FTH_NODE_NAME_MOST] = 0;
}

static void folder_name(const struct fth_fs_instance *instance, char name[NAME_MAX + 1])
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", instance->path);
    if (instance->is_taken_over) /* it lies in the folder of the other one */
        *strrchr(path, '/') = 0;
    const char *slash = strrchr(path, '/');
    snprintf(name, NAME_MAX + 1, ".fathom-fs-%.64s", slash ? slash + 1 : path);
}

static int open_folder(const struct fth_fs_instance *instance, struct fth_error **error)
{
    char name[NAME_MAX + 1];
    folder_name(instance, name);
    return fth_own_folder(instance->under, name, error);
}

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
}

/* A text of a file in the folder; to be freed. NULL: errno is set. */
static char *read_file(int folder, const char *name)
{
    struct stat facts;
    int file = fth_own_folder_file(folder, name);
    if (file < 0)
        return NULL;
    char *text = NULL;
    if (fstat(file, &facts) == 0 && facts.st_size <= FILE_MOST) {
        text = fth_new((size_t)facts.st_size + 1, 1);
        ssize_t length = read(file, text, (size_t)facts.st_size);
        text[length > 0 ? length : 0] = 0;
    } else {
        errno = EBADMSG;
    }
    close(file);
    return text;
}

/* Under its name it is whole. */
static int write_file(int folder, const char *name, const char *text, struct fth_error **error)
{
    char part[NAME_MAX + 1];
    snprintf(part, sizeof part, "%s.part", name);
    int file = openat(folder, part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t length = strlen(text);
    bool done = file >= 0 && write(file, text, length) == (ssize_t)length;
    if (file >= 0 && close(file))
        done = false;
    if (done && renameat(folder, part, folder, name) == 0)
        return 0;
    return fth_fail_errno(error, "'%s' cannot be written where the servers meet", name);
}

/* ---- coming ---- */

static int fill(int folder, struct fth_fs_instance *instance, const char *facts,
                struct fth_error **error)
{
    return fth_secret_make(folder, instance->secret, error) ||
                   write_file(folder, "facts", facts, error)
               ? -1
               : 0;
}

static int agree(int folder, struct fth_fs_instance *instance, const char *facts,
                 struct fth_error **error)
{
    char *theirs = NULL, name[NAME_MAX + 1];
    folder_name(instance, name);
    for (int i = 0; i < MAKE_SECONDS * 20 && !(theirs = read_file(folder, "facts")); i++)
        pause_shortly();
    bool alike = theirs && strcmp(theirs, facts) == 0;
    int failed = 0;
    if (!theirs)
        failed = fth_fail(error,
                          "waited %d s for who made '%s/%s': if no server of this instance "
                          "starts any more, remove that folder",
                          MAKE_SECONDS, instance->under_path, name);
    else if (!alike)
        failed = fth_fail(error,
                          "'%s/%s' is of servers that were started otherwise, as this one is:\n%s"
                          "as they are:\n%s"
                          "If none of them is there any more, remove that folder",
                          instance->under_path, name, facts, theirs);
    free(theirs);
    return failed ? failed : fth_secret_read(folder, instance->secret, error);
}

static int node_file(char name[32], uint64_t number)
{
    return snprintf(name, 32, "node-%llu", (unsigned long long)number);
}

static bool take_number(int folder, uint64_t number)
{
    char name[32];
    node_file(name, number);
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static int choose_number(int folder, struct fth_fs_instance *instance, int64_t self,
                         struct fth_error **error)
{
    uint64_t from = self < 0 ? 0 : (uint64_t)self;
    uint64_t behind = self < 0 ? instance->server_count : from + 1;
    for (uint64_t number = from; number < behind; number++)
        if (take_number(folder, number)) {
            instance->server = (uint32_t)number;
            return 0;
        }
    char name[NAME_MAX + 1];
    folder_name(instance, name);
    return fth_fail(error,
                    "the instance has its %u servers already, or a server of this node: they meet "
                    "in '%s/%s'; if none of them is there any more, remove that folder",
                    instance->server_count, instance->under_path, name);
}

int fth_node_meeting_join(struct fth_fs_instance *instance, int64_t self, const char *facts,
                          struct fth_error **error)
{
    char name[NAME_MAX + 1];
    folder_name(instance, name);
    bool made = mkdirat(instance->under, name, 0700) == 0;
    if (!made && errno != EEXIST)
        return fth_fail_errno(error, "'%s/%s', where the servers meet, cannot be made",
                              instance->under_path, name);
    int folder = open_folder(instance, error);
    if (folder < 0)
        return -1;
    int failed =
        made ? fill(folder, instance, facts, error) : agree(folder, instance, facts, error);
    failed = failed || choose_number(folder, instance, self, error);
    close(folder);
    return failed ? -1 : 0;
}

/* ---- telling and finding ---- */

int fth_node_meeting_tell(const struct fth_fs_instance *instance, const struct fth_met_node *node,
                          struct fth_error **error)
{
    char name[32];
    int folder = open_folder(instance, error);
    if (folder < 0)
        return -1;
    node_file(name, instance->server);
    char *text =
        fth_text_format("node %s\naddress %s\nport %u\n", node->name, node->address, node->port);
    int failed = write_file(folder, name, text, error);
    free(text);
    close(folder);
    return failed;
}

static bool read_node(const char *text, struct fth_met_node *node)
{
    unsigned port = 0;
    *node = (struct fth_met_node){.port = 0};
    if (sscanf(text, "node %255s\naddress %45s\nport %u\n", node->name, node->address, &port) !=
            3 ||
        port > UINT16_MAX)
        return false;
    node->port = (uint16_t)port;
    return port != 0;
}

bool fth_node_meeting_find(const struct fth_fs_instance *instance, uint32_t number,
                           struct fth_met_node *node)
{
    char name[32];
    int folder = open_folder(instance, NULL);
    node_file(name, number);
    char *text = folder < 0 ? NULL : read_file(folder, name);
    if (folder >= 0)
        close(folder);
    bool found = text && read_node(text, node);
    if (text && !found)
        errno = *text ? EBADMSG : ENOENT;
    free(text);
    return found;
}

static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

/* Only servers of one node reach one another by the loopback. */
static int check_network(const struct fth_fs_instance *instance, struct fth_error **error)
{
    struct fth_met_node own, other;
    if (!fth_node_meeting_find(instance, instance->server, &own))
        return fth_fail_errno(error, "this server is gone from where the servers meet");
    for (uint32_t i = 0; i < instance->server_count; i++)
        if (fth_node_meeting_find(instance, i, &other) && strcmp(own.name, other.name) != 0 &&
            (is_loopback(own.address) || is_loopback(other.address)))
            return fth_fail(error,
                            "no usable network: the servers are on the nodes '%s' and '%s', but "
                            "listen on the loopback; give --address, a network device or an "
                            "address that other nodes reach",
                            own.name, other.name);
    return 0;
}

static uint32_t count_missing(const struct fth_fs_instance *instance, uint32_t *first)
{
    struct fth_met_node node;
    uint32_t missing = 0;
    for (uint32_t i = instance->server_count; i-- > 0;)
        if (!fth_node_meeting_find(instance, i, &node)) {
            *first = i;
            missing++;
        }
    return missing;
}

int fth_node_meeting_wait(const struct fth_fs_instance *instance, uint64_t most,
                          struct fth_error **error)
{
    uint32_t first = 0, missing = count_missing(instance, &first);
    for (uint64_t i = 0; missing && i < most / PAUSE; i++) {
        pause_shortly();
        missing = count_missing(instance, &first);
    }
    if (missing)
        return fth_fail(error,
                        "waited %.0f s for %u of the %u servers of the instance, the first of them "
                        "number %u: they have not come to '%s' on their nodes",
                        (double)most / 1e9, missing, instance->server_count, first,
                        instance->under_path);
    return check_network(instance, error);
}

/* ---- being lost ---- */

bool fth_node_meeting_lost(const struct fth_fs_instance *instance, struct fth_lost_node *lost)
{
    int folder = open_folder(instance, NULL);
    char *text = folder < 0 ? NULL : read_file(folder, "lost");
    if (folder >= 0)
        close(folder);
    *lost = (struct fth_lost_node){.server = 0};
    bool found = text && sscanf(text, "server %u\nby %u\nnode %255s\n", &lost->server, &lost->by,
                                lost->name) == 3;
    free(text);
    return found && lost->server < instance->server_count && lost->by < instance->server_count;
}

/* A file of the folder gets its name when it is whole, and only where nobody has that name. */
int fth_node_meeting_lose(const struct fth_fs_instance *instance, uint32_t server,
                          struct fth_error **error)
{
    struct fth_met_node node;
    char own[32];
    int folder = open_folder(instance, error);
    if (folder < 0)
        return -1;
    if (!fth_node_meeting_find(instance, server, &node))
        snprintf(node.name, sizeof node.name, "unknown");
    char *text =
        fth_text_format("server %u\nby %u\nnode %s\n", server, instance->server, node.name);
    snprintf(own, sizeof own, "lost-%u", instance->server);
    int made = write_file(folder, own, text, error);
    if (!made)
        made = linkat(folder, own, folder, "lost", 0) == 0 ? 1
               : errno == EEXIST                           ? 0
                                 : fth_fail_errno(error, "server %u cannot be called lost", server);
    unlinkat(folder, own, 0);
    free(text);
    close(folder);
    return made;
}

/* ---- going ---- */

static void remove_folder(const struct fth_fs_instance *instance, bool also_with_nodes)
{
    char name[NAME_MAX + 1];
    int folder = open_folder(instance, NULL);
    int listed = folder < 0 ? -1 : openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = listed < 0 ? NULL : fdopendir(listed);
    struct dirent *entry;
    bool has_nodes = false;
    while (entries && (entry = readdir(entries)))
        has_nodes |= strncmp(entry->d_name, "node-", 5) == 0;
    if (entries)
        rewinddir(entries);
    while (entries && (also_with_nodes || !has_nodes) && (entry = readdir(entries)))
        if (*entry->d_name != '.')
            unlinkat(folder, entry->d_name, 0);
    if (entries)
        closedir(entries);
    if (folder >= 0)
        close(folder);
    folder_name(instance, name);
    unlinkat(instance->under, name, AT_REMOVEDIR);
}

void fth_node_meeting_leave(const struct fth_fs_instance *instance)
{
    char name[32];
    int folder = open_folder(instance, NULL);
    if (folder < 0)
        return;
    node_file(name, instance->server);
    unlinkat(folder, name, 0);
    close(folder);
    remove_folder(instance, false);
}

void fth_node_meeting_remove(const struct fth_fs_instance *instance)
{
    remove_folder(instance, true);
}
