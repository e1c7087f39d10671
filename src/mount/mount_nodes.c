/* Nodes: see mount.h. */
#include "mount/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SLOTS = 1 << 14, PATH_OF_DESCRIPTOR = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fth_mount_node root = {.folder = -1}, *slots[SLOTS];
static int folders_from; /* descriptors of folders have high numbers */

/* Files of the file system below have numbers under 65,536 (prefix/kept_flags.h). */
static void choose_numbers(void)
{
    enum { FOR_FILES = 65536 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    folders_from = limit.rlim_cur >= 2 * FOR_FILES ? FOR_FILES : (int)limit.rlim_cur / 2;
}

static int to_high(int descriptor)
{
    int high = descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, folders_from),
        error = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = error == EINVAL ? EMFILE : error;
    return high;
}

static void take_facts(struct fth_mount_node *node, const struct stat *facts)
{
    node->device = facts->st_dev;
    node->inode = facts->st_ino;
    node->type = facts->st_mode & S_IFMT;
}

int fth_mount_begin(const char *under)
{
    struct stat facts;
    choose_numbers();
    root.folder = to_high(open(under, O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (root.folder < 0 || fstat(root.folder, &facts))
        return -1;
    take_facts(&root, &facts);
    root.lookups = 1;
    return 0;
}

struct fth_mount_node *fth_mount_node(fuse_ino_t number)
{
    return number == FUSE_ROOT_ID ? &root : (struct fth_mount_node *)number;
}

/* ---- which node it is; with the lock ---- */

static struct fth_mount_node **slot_of(const struct stat *facts)
{
    return &slots[(facts->st_ino ^ facts->st_ino >> 14 ^ facts->st_dev) % SLOTS];
}

static bool is_same(const struct fth_mount_node *node, const struct stat *facts)
{
    return node->inode == facts->st_ino && node->device == facts->st_dev &&
           node->type == (facts->st_mode & S_IFMT);
}

static struct fth_mount_node *find(const struct stat *facts)
{
    if (is_same(&root, facts))
        return &root;
    struct fth_mount_node *node = *slot_of(facts);
    while (node && !is_same(node, facts))
        node = node->next;
    return node;
}

static struct fth_mount_node *make(const struct stat *facts)
{
    struct fth_mount_node *node = calloc(1, sizeof *node), **slot = slot_of(facts);
    if (!node)
        return NULL;
    take_facts(node, facts);
    node->folder = -1;
    node->next = *slot;
    *slot = node;
    return node;
}

/* Nobody knows it any more; then perhaps nobody needs those above it. */
static void drop(struct fth_mount_node *node)
{
    while (node && node != &root && !node->lookups && !node->users && !node->handles) {
        struct fth_mount_node *parent = node->parent;
        struct stat facts = {.st_ino = node->inode, .st_dev = node->device};
        struct fth_mount_node **at = slot_of(&facts);
        while (*at != node)
            at = &(*at)->next;
        *at = node->next;
        if (node->folder >= 0)
            close(node->folder);
        free(node->name);
        free(node);
        if (parent)
            parent->users--;
        node = parent;
    }
}

/* It has this name now. */
static bool rename_node(struct fth_mount_node *node, struct fth_mount_node *parent,
                        const char *name)
{
    char *copy;
    if (node == &root || (node->parent == parent && node->name && !strcmp(node->name, name)))
        return true;
    if (!(copy = strdup(name)))
        return false;
    struct fth_mount_node *before = node->parent;
    free(node->name);
    node->name = copy;
    node->parent = parent;
    parent->users++;
    if (before) {
        before->users--;
        drop(before);
    }
    return true;
}

/* ---- looking up, and forgetting ---- */

/* A folder, as a descriptor that stays with its node; -1: errno is set. */
static int open_folder(const struct fth_mount_node *parent, const char *name,
                       const struct stat *facts)
{
    struct stat opened;
    int folder =
        to_high(openat(parent->folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder < 0 || (!fstat(folder, &opened) && opened.st_ino == facts->st_ino &&
                       opened.st_dev == facts->st_dev))
        return folder;
    close(folder);
    errno = ESTALE;
    return -1;
}

struct fth_mount_node *fth_mount_look_up(struct fth_mount_node *parent, const char *name,
                                         struct stat *facts)
{
    if (parent->folder < 0) {
        errno = ENOTDIR;
        return NULL;
    }
    if (fstatat(parent->folder, name, facts, AT_SYMLINK_NOFOLLOW))
        return NULL;
    int folder = S_ISDIR(facts->st_mode) ? open_folder(parent, name, facts) : -1;
    if (S_ISDIR(facts->st_mode) && folder < 0)
        return NULL;
    pthread_mutex_lock(&lock);
    struct fth_mount_node *node = find(facts);
    if (!node)
        node = make(facts);
    if (node && !rename_node(node, parent, name)) {
        drop(node);
        node = NULL;
    }
    if (node) {
        node->lookups++;
        if (node->folder < 0) {
            node->folder = folder;
            folder = -1;
        }
    }
    pthread_mutex_unlock(&lock);
    if (folder >= 0)
        close(folder);
    if (!node)
        errno = ENOMEM;
    return node;
}

void fth_mount_forget(struct fth_mount_node *node, uint64_t lookups)
{
    pthread_mutex_lock(&lock);
    node->lookups -= lookups < node->lookups ? lookups : node->lookups;
    drop(node);
    pthread_mutex_unlock(&lock);
}

void fth_mount_answer_entry(fuse_req_t request, struct fth_mount_node *parent, const char *name)
{
    struct fuse_entry_param entry = {.attr_timeout = 0};
    struct fth_mount_node *node = fth_mount_look_up(parent, name, &entry.attr);
    if (!node) {
        fuse_reply_err(request, errno);
        return;
    }
    entry.ino = node == &root ? FUSE_ROOT_ID : (fuse_ino_t)node;
    if (fuse_reply_entry(request, &entry))
        fth_mount_forget(node, 1);
}

/* ---- reaching ---- */

static bool is_that(const struct fth_mount_node *node, const struct stat *facts)
{
    if (is_same(node, facts))
        return true;
    errno = ESTALE;
    return false;
}

static bool has_its_name(const struct fth_mount_place *place)
{
    struct stat facts;
    return !fstatat(place->directory, place->name, &facts, AT_SYMLINK_NOFOLLOW) &&
           is_that(place->node, &facts);
}

bool fth_mount_is_of(int file, const struct fth_mount_node *node)
{
    struct stat facts;
    return !fstat(file, &facts) && is_that(node, &facts);
}

void fth_mount_let_go(struct fth_mount_handle *handle)
{
    int before = errno;
    pthread_mutex_lock(&lock);
    bool is_last = --handle->users == 0;
    pthread_mutex_unlock(&lock);
    if (is_last) {
        close(handle->file);
        free(handle);
    }
    errno = before;
}

bool fth_mount_reach(struct fth_mount_node *node, struct fth_mount_place *place)
{
    pthread_mutex_lock(&lock);
    *place = (struct fth_mount_place){.node = node, .parent = node->parent, .file = -1};
    node->users++;
    if (place->parent)
        place->parent->users++;
    if (node->folder >= 0) {
        place->directory = node->folder;
        strcpy(place->name, ".");
    } else {
        place->handle = node->handles;
        if (place->handle) {
            place->handle->users++;
            place->file = place->handle->file;
        }
        place->directory = node->parent->folder;
        snprintf(place->name, sizeof place->name, "%s", node->name);
    }
    pthread_mutex_unlock(&lock);
    if (node->folder >= 0 || place->file >= 0 || has_its_name(place))
        return true;
    int error = errno;
    fth_mount_done(place);
    errno = error;
    return false;
}

void fth_mount_done(struct fth_mount_place *place)
{
    int before = errno;
    if (place->handle)
        fth_mount_let_go(place->handle);
    pthread_mutex_lock(&lock);
    place->node->users--;
    if (place->parent)
        place->parent->users--;
    drop(place->node);
    if (place->parent)
        drop(place->parent);
    pthread_mutex_unlock(&lock);
    errno = before;
}

/* ---- handles ---- */

/* The file that a descriptor is of, also when it has no name any more. */
static int open_again(int file, int flags)
{
    char path[PATH_OF_DESCRIPTOR];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return open(path, flags);
}

int fth_mount_open(struct fth_mount_node *node, int flags)
{
    struct fth_mount_place place;
    if (!fth_mount_reach(node, &place))
        return -1;
    int file = openat(place.directory, place.name, flags | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0 && !fth_mount_is_of(file, node)) {
        close(file);
        errno = ESTALE;
        file = -1;
    }
    if (file < 0 && place.file >= 0 && (errno == ENOENT || errno == ESTALE || errno == ELOOP))
        file = open_again(place.file, flags | O_CLOEXEC);
    fth_mount_done(&place);
    return file;
}

struct fth_mount_handle *fth_mount_handle(struct fth_mount_node *node, int file, bool writes)
{
    struct fth_mount_handle *handle = malloc(sizeof *handle);
    if (!handle) {
        close(file);
        errno = ENOMEM;
        return NULL;
    }
    pthread_mutex_lock(&lock);
    *handle = (struct fth_mount_handle){file, writes, 1, node->handles};
    node->handles = handle;
    pthread_mutex_unlock(&lock);
    return handle;
}

void fth_mount_close(struct fth_mount_node *node, struct fth_mount_handle *handle)
{
    pthread_mutex_lock(&lock);
    struct fth_mount_handle **at = &node->handles;
    while (*at && *at != handle)
        at = &(*at)->next;
    if (*at)
        *at = handle->next;
    drop(node);
    pthread_mutex_unlock(&lock);
    fth_mount_let_go(handle);
}

struct fth_mount_handle *fth_mount_writer(struct fth_mount_node *node)
{
    pthread_mutex_lock(&lock);
    struct fth_mount_handle *handle = node->handles;
    while (handle && !handle->writes)
        handle = handle->next;
    if (handle)
        handle->users++;
    pthread_mutex_unlock(&lock);
    return handle;
}
