/* Stripes of files of Lustre and BeeGFS, without their libraries. */
#include "machine/stripes.h"

#include "machine/reading.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ---- Lustre ---- */

/* lustre_user.h: a plain layout, and one of several, whose entries say where in the attribute
 * theirs are. */
enum {
    PLAIN_MAGIC = 0x0BD10BD0,
    PLAIN_WITH_POOL_MAGIC = 0x0BD30BD0,
    SEVERAL_MAGIC = 0x0BD60BD0,
    ENTRY_IN_USE = 0x10,
};
struct plain_layout {
    uint32_t magic, pattern;
    uint64_t object[2];
    uint32_t stripe_size;
    uint16_t stripe_count, stripe_offset;
};
struct several_layouts {
    uint32_t magic, size, generation;
    uint16_t flags, entry_count, mirror_count, unused[3];
    uint64_t reserved;
};
struct layout_entry {
    uint32_t id, flags;
    uint64_t start, end;
    uint32_t offset, size, generation, unused[3];
};
_Static_assert(sizeof(struct plain_layout) == 32, "as Lustre has it");
_Static_assert(sizeof(struct several_layouts) == 32, "as Lustre has it");
_Static_assert(sizeof(struct layout_entry) == 48, "as Lustre has it");

static bool read_plain(const uint8_t *bytes, size_t length, struct fth_stripes *stripes)
{
    struct plain_layout layout;
    if (length < sizeof layout)
        return false;
    memcpy(&layout, bytes, sizeof layout);
    if ((layout.magic != PLAIN_MAGIC && layout.magic != PLAIN_WITH_POOL_MAGIC) ||
        !layout.stripe_count || !layout.stripe_size)
        return false;
    *stripes = (struct fth_stripes){layout.stripe_count, layout.stripe_size};
    return true;
}

bool fth_stripes_of_lustre(const void *attribute, size_t length, struct fth_stripes *stripes)
{
    const uint8_t *bytes = attribute;
    struct several_layouts head;
    bool found = false;
    if (length < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    if (head.magic != SEVERAL_MAGIC)
        return read_plain(bytes, length, stripes);
    for (size_t i = 0; i < head.entry_count; i++) {
        struct layout_entry entry;
        struct fth_stripes its;
        size_t at = sizeof head + i * sizeof entry;
        if (at + sizeof entry > length)
            break;
        memcpy(&entry, bytes + at, sizeof entry);
        if (!(entry.flags & ENTRY_IN_USE) || entry.offset > length ||
            !read_plain(bytes + entry.offset, length - entry.offset, &its))
            continue;
        if (!found || its.count > stripes->count)
            *stripes = its;
        found = true;
    }
    return found;
}

/* ---- BeeGFS ---- */

/* "+ Chunksize: 512K", "+ Number of storage targets: desired: 4; actual: 3". */
bool fth_stripes_of_beegfs(const char *text, struct fth_stripes *stripes)
{
    static const char chunk[] = "Chunksize:", targets[] = "Number of storage targets:",
                      actual[] = "actual:", desired[] = "desired:";
    const char *at = strstr(text, chunk), *line = strstr(text, targets);
    uint64_t size, count;
    if (!at || !line)
        return false;
    at += sizeof chunk - 1;
    if (!fth_reading_next_number(&at, &size))
        return false;
    const char *unit = strchr("KMG", *at);
    unsigned shift = *at && unit ? 10 * (unsigned)(unit - "KMG" + 1) : 0;
    at = strstr(line, actual)    ? strstr(line, actual) + sizeof actual - 1
         : strstr(line, desired) ? strstr(line, desired) + sizeof desired - 1
                                 : line + sizeof targets - 1;
    if (!fth_reading_next_number(&at, &count) || !count || !size || size > UINT64_MAX >> shift)
        return false;
    *stripes = (struct fth_stripes){count, size << shift};
    return true;
}

static bool ask_beegfs(const char *path, struct fth_stripes *stripes)
{
    char text[4096];
    int pipes[2];
    size_t length = 0;
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDERR_FILENO);
        execlp("beegfs-ctl", "beegfs-ctl", "--getentryinfo", "--", path, NULL);
        _exit(127);
    }
    close(pipes[1]);
    for (ssize_t got; child > 0 && length < sizeof text - 1 &&
                      (got = read(pipes[0], text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = 0;
    close(pipes[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return fth_stripes_of_beegfs(text, stripes);
}

bool fth_stripes_ask(const char *type, const char *path, struct fth_stripes *stripes)
{
    static uint8_t attribute[64 << 10];
    if (strcmp(type, "lustre") == 0) {
        ssize_t length = getxattr(path, "lustre.lov", attribute, sizeof attribute);
        return length > 0 && fth_stripes_of_lustre(attribute, (size_t)length, stripes);
    }
    return strncmp(type, "beegfs", 6) == 0 && ask_beegfs(path, stripes);
}
