/* A file that has no name any more can be opened again through a descriptor of it, in many ways:
 * "/dev/stdin", "/proc/thread-self/fd/3", "/proc/123/task/124/fd/3", a link to one of them. The
 * path is walked as the system does it, up to the name of the descriptor. It is rare: only done
 * where the system has no name for the file. */
#include "capture/follow/descriptor_path.h"

#include "capture/process/process.h"
#include "capture/record/runtime.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/put.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

static const char *behind_number(const char *text)
{
    size_t digits = text ? strspn(text, "0123456789") : 0;
    return digits ? text + digits : NULL;
}

static const char *behind(const char *text, const char *begin)
{
    size_t length = strlen(begin);
    return text && strncmp(text, begin, length) == 0 ? text + length : NULL;
}

/* Puts "/proc/123/fd/4" for the same, or for "/proc/123/task/124/fd/4". */
static const char *named_descriptor(const char *path)
{
    const char *pid = behind(path, "/proc/"), *rest = behind_number(pid);
    const char *task = behind_number(behind(rest, "/task/"));
    const char *number = behind(task ? task : rest, "/fd/"), *end = behind_number(number);
    if (!end || *end || end - path > 64)
        return NULL;
    char *text = fth_self->text;
    memcpy(text, path, (size_t)(rest - path));
    fth_put_text(fth_put_text(text + (rest - path), "/fd/"), number);
    return text;
}

/* `path` up to `end` is a link: puts what it leads to in its place. `name`: where its last name
 * begins. */
static bool follow(char *path, size_t name, size_t end)
{
    char *target = fth_self->text, kept = path[end];
    path[end] = 0;
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, path, target, FTH_LONGEST_PATH - 1);
    path[end] = kept;
    if (length <= 0)
        return false;
    size_t from = *target == '/' ? 0 : name, rest = strlen(path + end) + 1;
    if (from + (size_t)length + rest > FTH_LONGEST_PATH)
        return false;
    memmove(path + from + length, path + end, rest);
    memcpy(path + from, target, (size_t)length);
    return true;
}

static size_t name_before(const char *path, size_t at)
{
    while (at > 1 && path[at - 1] == '/')
        at--;
    while (at > 1 && path[at - 1] != '/')
        at--;
    return at;
}

static const char *walk(char *path)
{
    size_t at = 1, links = 0;
    while (path[at]) {
        size_t length = strcspn(path + at, "/"), end = at + length;
        const char *found = path[end] ? NULL : named_descriptor(path);
        if (found)
            return found;
        if (length == 2 && memcmp(path + at, "..", 2) == 0) {
            at = name_before(path, at);
            memmove(path + at, path + end, strlen(path + end) + 1);
        } else if (!length || (length == 1 && path[at] == '.')) {
            memmove(path + at, path + end + (path[end] == '/'),
                    strlen(path + end + (path[end] == '/')) + 1);
        } else if (follow(path, at, end)) {
            at = 1;
            if (++links > MOST_LINKS)
                return NULL;
        } else {
            at = end + (path[end] == '/');
        }
    }
    return NULL;
}

static struct fth_lock lock;
static char way[FTH_LONGEST_PATH];

/* Under the lock. */
static bool prepare(const char *path)
{
    if (*path != '/' || strlen(path) >= sizeof way)
        return false;
    strcpy(way, path);
    return true;
}

const char *fth_descriptor_behind(const char *path)
{
    fth_lock(&lock);
    const char *found = prepare(path) ? walk(way) : NULL;
    fth_unlock(&lock);
    return found;
}

const char *fth_path_behind_links(const char *path)
{
    int before = errno;
    fth_lock(&lock);
    bool is_known = prepare(path) && !walk(way), is_other = is_known && strcmp(way, path) != 0;
    if (is_other)
        strcpy(fth_self->text, way);
    fth_unlock(&lock);
    errno = before;
    return is_other ? fth_self->text : is_known ? path : NULL;
}
