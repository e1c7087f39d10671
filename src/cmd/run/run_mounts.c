/* Mounts of all nodes of a run. */
#include "cmd/run/run_mounts.h"

#include "base/memory.h"
#include "machine/node_mounts.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char ending[] = ".mounts";
enum { MOST_BYTES = 4 << 20 };

static struct fth_mounts *add_node(struct fth_run_mounts *mounts)
{
    FTH_GROW(mounts->nodes, mounts->count);
    mounts->nodes[mounts->count] = (struct fth_mounts){0};
    return &mounts->nodes[mounts->count++];
}

static bool is_there(const struct fth_run_mounts *mounts, const char *host, size_t length)
{
    for (size_t i = 0; i < mounts->count; i++)
        if (strlen(mounts->nodes[i].host) == length &&
            memcmp(mounts->nodes[i].host, host, length) == 0)
            return true;
    return false;
}

/* The node's text in the folder; to be freed. */
static char *read_text(int folder, const char *name)
{
    struct stat facts;
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
                facts.st_size < MOST_BYTES;
    char *text = good ? fth_new((size_t)facts.st_size + 1, 1) : NULL;
    if (text && read(file, text, (size_t)facts.st_size) < 0)
        *text = 0;
    if (file >= 0)
        close(file);
    return text;
}

static void take_others(const struct fth_cmd_run *run, struct fth_run_mounts *mounts)
{
    DIR *folder = opendir(run->spill);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name), host = length - (sizeof ending - 1);
        if (length < sizeof ending || strcmp(entry->d_name + host, ending) != 0 ||
            is_there(mounts, entry->d_name, host))
            continue;
        char *text = read_text(dirfd(folder), entry->d_name);
        struct fth_mounts *node = text ? add_node(mounts) : NULL;
        if (node) {
            node->host = fth_text_part(entry->d_name, host);
            fth_mounts_parse(node, text);
        }
        free(text);
    }
    if (folder)
        closedir(folder);
}

void fth_run_take_mounts(const struct fth_cmd_run *run, struct fth_run_mounts *mounts)
{
    struct utsname node;
    const char *host = json_string_value(json_object_get(run->meta, "host"));
    if (host && uname(&node) == 0 && strcmp(host, node.nodename) == 0)
        fth_mounts_take(add_node(mounts));
    take_others(run, mounts);
}

void fth_run_forget_mounts(struct fth_run_mounts *mounts)
{
    for (size_t i = 0; i < mounts->count; i++)
        fth_mounts_free(&mounts->nodes[i]);
    free(mounts->nodes);
}
