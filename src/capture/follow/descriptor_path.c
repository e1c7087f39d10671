/* A file that has no name any more can be opened again through a descriptor of it, in many ways:
 * "/dev/stdin", "/proc/thread-self/fd/3", "/proc/123/task/124/fd/3", a link to one of them. The path
 * is walked as the system does it, up to the name of the descriptor. It is rare: only done where the
 * system has no name for the file. */
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

/* `way` up to `end` is a link: puts what it leads to in its place. `name`: where its last name
 * begins. */
static bool follow(char *way, size_t name, size_t end)
{
    char *target = fth_self->text, kept = way[end];
    way[end] = 0;
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, way, target, FTH_LONGEST_PATH - 1);
    way[end] = kept;
    if (length <= 0)
        return false;
    size_t from = *target == '/' ? 0 : name, rest = strlen(way + end) + 1;
    if (from + (size_t)length + rest > FTH_LONGEST_PATH)
        return false;
    memmove(way + from + length, way + end, rest);
    memcpy(way + from, target, (size_t)length);
    return true;
}

static size_t name_before(const char *way, size_t at)
{
    while (at > 1 && way[at - 1] == '/')
        at--;
    while (at > 1 && way[at - 1] != '/')
        at--;
    return at;
}

static const char *walk(char *way)
{
    size_t at = 1, links = 0;
    while (way[at]) {
        size_t length = strcspn(way + at, "/"), end = at + length;
        const char *found = way[end] ? NULL : named_descriptor(way);
        if (found)
            return found;
        if (length == 2 && memcmp(way + at, "..", 2) == 0) {
            at = name_before(way, at);
            memmove(way + at, way + end, strlen(way + end) + 1);
        } else if (!length || (length == 1 && way[at] == '.')) {
            memmove(way + at, way + end + (way[end] == '/'),
                    strlen(way + end + (way[end] == '/')) + 1);
        } else if (follow(way, at, end)) {
            at = 1;
            if (++links > MOST_LINKS)
                return NULL;
        } else {
            at = end + (way[end] == '/');
        }
    }
    return NULL;
}

const char *fth_descriptor_behind(const char *path)
{
    static struct fth_lock lock;
    static char way[FTH_LONGEST_PATH];
    if (*path != '/' || strlen(path) >= sizeof way)
        return NULL;
    fth_lock(&lock);
    strcpy(way, path);
    const char *found = walk(way);
    fth_unlock(&lock);
    return found;
}
