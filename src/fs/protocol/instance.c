/* The folder of an instance. */
#include "fs/protocol/instance.h"

#include "base/own_folder.h"
#include "fs/protocol/held_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 7, SETTINGS_MOST = 3 * PATH_MAX };

bool fth_instance_place(const char *name, char path[PATH_MAX])
{
    const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    if (!*name || strchr(name, '/') || name[0] == '.' || strlen(name) > 64)
        return false;
    snprintf(path, PATH_MAX, "%s/fathom-fs-%u/%s", memory, (unsigned)geteuid(), name);
    return true;
}

static int write_settings(const struct fth_fs_instance *instance, struct fth_error **error)
{
    int file = openat(instance->folder, "settings", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (!stream)
        return fth_fail_errno(error, "the settings cannot be written");
    fprintf(stream, "version %d\nunder %s\nprefix %s\nbuffer %llu\n", VERSION, instance->under_path,
            instance->prefix, (unsigned long long)instance->buffer_bytes);
    fprintf(stream, "within %llu\nchaos %llu\n", (unsigned long long)instance->within,
            (unsigned long long)instance->chaos);
    fprintf(stream, "servers %u\nserver %u\naddress %s\nrdma %s\n", instance->server_count,
            instance->server, instance->address, instance->rdma);
    fprintf(stream, "copies %u\ntaken %d\n", instance->copies, instance->is_taken_over);
    bool failed = ferror(stream);
    return fclose(stream) || failed ? fth_fail_errno(error, "the settings cannot be written") : 0;
}

static int open_under(struct fth_fs_instance *instance, struct fth_error **error)
{
    instance->under = open(instance->under_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (instance->under < 0)
        return fth_fail_errno(error, "the folder below, '%s', cannot be opened",
                              instance->under_path);
    return 0;
}

static int make_buffers(const struct fth_fs_instance *instance, const char *buffers,
                        struct fth_error **error)
{
    char made[PATH_MAX];
    if (!buffers) {
        if (mkdirat(instance->folder, "buffers", 0700))
            return fth_fail_errno(error, "the folder of buffers cannot be made");
        return 0;
    }
    if (snprintf(made, sizeof made, "%s/fathom-buffers-XXXXXX", buffers) >= (int)sizeof made)
        return fth_fail(error, "the path of the folder for buffers is too long");
    if (!mkdtemp(made) || symlinkat(made, instance->folder, "buffers"))
        return fth_fail_errno(error, "no folder for buffers can be made in '%s'", buffers);
    return 0;
}

static int make_unsaved(const struct fth_fs_instance *instance, struct fth_error **error)
{
    if (mkdirat(instance->folder, "unsaved", 0700))
        return fth_fail_errno(error, "the folder of what is not attached cannot be made");
    return 0;
}

static int fill(struct fth_fs_instance *instance, const char *buffers, struct fth_error **error)
{
    instance->folder = fth_own_folder(AT_FDCWD, instance->path, error);
    if (instance->folder < 0 || open_under(instance, error) ||
        (instance->server_count > 1 ? fth_secret_keep(instance->folder, instance->secret, error)
                                    : fth_secret_make(instance->folder, instance->secret, error)) ||
        make_buffers(instance, buffers, error) || make_unsaved(instance, error) ||
        write_settings(instance, error) ||
        (instance->rules.model_count &&
         fth_model_rules_write(&instance->rules, instance->folder, error)))
        return -1;
    uint8_t *known = fth_known_files_map(instance->folder, true);
    if (!known)
        return fth_fail_errno(error, "the list of known files cannot be made");
    fth_known_files_unmap(known);
    return 0;
}

int fth_instance_make(struct fth_fs_instance *instance, const char *path, const char *buffers,
                      struct fth_error **error)
{
    char parent[PATH_MAX];
    instance->folder = instance->under = -1;
    if (strchr(instance->under_path, '\n') || strchr(instance->prefix, '\n'))
        return fth_fail(error, "a path has a line break in it");
    snprintf(instance->path, sizeof instance->path, "%s", path);
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = 0;
    if (mkdir(parent, 0700) && errno != EEXIST)
        return fth_fail_errno(error, "the folder '%s' cannot be made", parent);
    int own = fth_own_folder(AT_FDCWD, parent, error);
    if (own < 0)
        return -1;
    close(own);
    if (mkdir(path, 0700))
        return errno == EEXIST
                   ? fth_fail(error,
                              "there is an instance '%s' already; `fathom fs status` shows "
                              "it, and `fathom fs stop` ends it",
                              strrchr(path, '/') + 1)
                   : fth_fail_errno(error, "the folder '%s' cannot be made", path);
    if (!fill(instance, buffers, error))
        return 0;
    fth_instance_remove(instance);
    fth_instance_close(instance);
    return -1;
}

static int read_settings(struct fth_fs_instance *instance, struct fth_error **error)
{
    char text[SETTINGS_MOST + 1], *line = text, *next;
    int file = fth_own_folder_file(instance->folder, "settings"), version = 0;
    ssize_t length = file < 0 ? -1 : read(file, text, SETTINGS_MOST);
    if (file >= 0)
        close(file);
    if (length <= 0)
        return fth_fail(error, "the instance '%s' has no settings", instance->path);
    text[length] = 0;
    for (; (next = strchr(line, '\n')); line = next + 1) {
        *next = 0;
        if (strncmp(line, "version ", 8) == 0)
            version = atoi(line + 8);
        else if (strncmp(line, "under ", 6) == 0)
            snprintf(instance->under_path, sizeof instance->under_path, "%s", line + 6);
        else if (strncmp(line, "prefix ", 7) == 0)
            snprintf(instance->prefix, sizeof instance->prefix, "%s", line + 7);
        else if (strncmp(line, "within ", 7) == 0)
            instance->within = strtoull(line + 7, NULL, 10);
        else if (strncmp(line, "buffer ", 7) == 0)
            instance->buffer_bytes = strtoull(line + 7, NULL, 10);
        else if (strncmp(line, "chaos ", 6) == 0)
            instance->chaos = strtoull(line + 6, NULL, 10);
        else if (strncmp(line, "servers ", 8) == 0)
            instance->server_count = (uint32_t)strtoul(line + 8, NULL, 10);
        else if (strncmp(line, "server ", 7) == 0)
            instance->server = (uint32_t)strtoul(line + 7, NULL, 10);
        else if (strncmp(line, "copies ", 7) == 0)
            instance->copies = (uint32_t)strtoul(line + 7, NULL, 10);
        else if (strncmp(line, "taken ", 6) == 0)
            instance->is_taken_over = line[6] == '1';
        else if (strncmp(line, "address ", 8) == 0)
            snprintf(instance->address, sizeof instance->address, "%s", line + 8);
        else if (strncmp(line, "rdma ", 5) == 0)
            snprintf(instance->rdma, sizeof instance->rdma, "%s", line + 5);
    }
    if (version != VERSION)
        return fth_fail(error,
                        "the instance '%s' was made by another version of Fathom (%d, this "
                        "one makes %d)",
                        instance->path, version, VERSION);
    if (instance->server_count < 1 || instance->server_count > FTH_SERVERS_MOST ||
        instance->server >= instance->server_count)
        return fth_fail(error, "the settings of the instance '%s' are damaged", instance->path);
    return 0;
}

int fth_instance_open(struct fth_fs_instance *instance, const char *path, struct fth_error **error)
{
    *instance = (struct fth_fs_instance){.folder = -1, .under = -1};
    if (snprintf(instance->path, sizeof instance->path, "%s", path) >= (int)sizeof instance->path)
        return fth_fail(error, "the path of the instance is too long");
    instance->folder = fth_own_folder(AT_FDCWD, path, error);
    if (instance->folder >= 0 && !read_settings(instance, error) &&
        !fth_model_rules_read(&instance->rules, instance->folder, error) &&
        !fth_secret_read(instance->folder, instance->secret, error)) {
        instance->under = open(instance->under_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return 0;
    }
    fth_instance_close(instance);
    return -1;
}

/* The path of a socket has about 100 bytes: it is reached through the descriptor of its folder. */
static struct sockaddr_un address_of(const struct fth_fs_instance *instance)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/socket",
             instance->folder);
    return address;
}

int fth_instance_connect(const struct fth_fs_instance *instance)
{
    struct sockaddr_un address = address_of(instance);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) == 0)
        return made;
    int error = errno;
    close(made);
    errno = error;
    return -1;
}

int fth_instance_lock(const struct fth_fs_instance *instance, unsigned milliseconds)
{
    enum { STEP = 10 /* ms */ };
    const struct timespec pause = {.tv_nsec = STEP * 1000000};
    int lock = openat(instance->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned waited = 0; lock >= 0; waited += STEP) {
        if (flock(lock, LOCK_EX | LOCK_NB) == 0)
            return lock;
        if (waited >= milliseconds)
            break;
        nanosleep(&pause, NULL);
    }
    if (lock >= 0)
        close(lock);
    return -1;
}

int fth_instance_listen(const struct fth_fs_instance *instance, int *lock, struct fth_error **error)
{
    struct sockaddr_un address = address_of(instance);
    *lock = fth_instance_lock(instance, 1000);
    if (*lock < 0)
        return fth_fail(error, "the instance '%s' has a server already", instance->path);
    unlinkat(instance->folder, "socket", 0);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0 || bind(made, (struct sockaddr *)&address, sizeof address) ||
        listen(made, SOMAXCONN)) {
        if (made >= 0)
            close(made);
        return fth_fail_errno(error, "the socket of the instance '%s' cannot be made",
                              instance->path);
    }
    return made;
}

void fth_instance_call_lost(const struct fth_fs_instance *instance)
{
    int made = openat(instance->folder, "lost", O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (made >= 0)
        close(made);
}

bool fth_instance_is_lost(const struct fth_fs_instance *instance)
{
    return faccessat(instance->folder, "lost", F_OK, 0) == 0;
}

static void remove_all(int folder)
{
    DIR *entries = folder < 0 ? NULL : fdopendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(entries), entry->d_name, 0);
    if (entries)
        closedir(entries);
}

static void remove_copy(const struct fth_fs_instance *instance)
{
    struct fth_fs_instance copy = {
        .folder = openat(instance->folder, FTH_INSTANCE_COPY, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (copy.folder < 0)
        return;
    fth_instance_remove(&copy);
    close(copy.folder);
    unlinkat(instance->folder, FTH_INSTANCE_COPY, AT_REMOVEDIR);
}

void fth_instance_remove(const struct fth_fs_instance *instance)
{
    char elsewhere[PATH_MAX];
    remove_copy(instance);
    ssize_t length = readlinkat(instance->folder, "buffers", elsewhere, sizeof elsewhere - 1);
    remove_all(openat(instance->folder, "buffers", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (length > 0) {
        elsewhere[length] = 0;
        rmdir(elsewhere);
    }
    unlinkat(instance->folder, "buffers", AT_REMOVEDIR);
    remove_all(openat(instance->folder, "unsaved", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    unlinkat(instance->folder, "unsaved", AT_REMOVEDIR);
    remove_all(openat(instance->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (*instance->path)
        rmdir(instance->path);
}

void fth_instance_close(struct fth_fs_instance *instance)
{
    if (instance->folder >= 0)
        close(instance->folder);
    if (instance->under >= 0)
        close(instance->under);
    instance->folder = instance->under = -1;
    fth_model_rules_free(&instance->rules);
}
