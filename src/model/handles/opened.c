/* The words for how something is opened. A bit that nobody knows means nothing here; it is still
 * among the arguments of the call. */
#include "model/handles/opened.h"

#include "model/reading/trace_functions.h"

#include <string.h>

enum { READ = FTH_ACCESS_READ, WRITE = FTH_ACCESS_WRITE, BOTH = READ | WRITE };

static const struct word {
    const char *name;
    struct fth_open_mode opened;
} words[] = {
    {"O_RDONLY", {READ, 0, 0}},
    {"O_WRONLY", {WRITE, 0, 0}},
    {"O_RDWR", {BOTH, 0, 0}},
    {"O_CREAT", {0, FTH_CREATE, 0}},
    {"O_EXCL", {0, FTH_EXCLUSIVE, 0}},
    {"O_NOCTTY", {0, FTH_NO_TERMINAL, 0}},
    {"O_TRUNC", {0, FTH_TRUNCATE, 0}},
    {"O_APPEND", {0, 0, FTH_APPEND}},
    {"O_SYNC", {0, 0, FTH_SYNC}},
    {"O_DSYNC", {0, 0, FTH_DATA_SYNC}},
    {"O_ASYNC", {0, 0, FTH_ASYNC}},
    {"O_DIRECT", {0, 0, FTH_AVOID_CACHING}},
    {"O_LARGEFILE", {0, FTH_LARGE_FILE, 0}},
    {"O_TMPFILE", {0, FTH_TEMPORARY, 0}},
    {"O_DIRECTORY", {0, FTH_OPEN_DIRECTORY, 0}},
    {"O_NOFOLLOW", {0, FTH_NO_FOLLOW, 0}},
    {"O_NOATIME", {0, 0, FTH_NO_ACCESS_TIME}},
    {"O_PATH", {0, FTH_PATH_ONLY, 0}},
    {"MPI_MODE_RDONLY", {READ, 0, 0}},
    {"MPI_MODE_WRONLY", {WRITE, 0, 0}},
    {"MPI_MODE_RDWR", {BOTH, 0, 0}},
    {"MPI_MODE_CREATE", {0, FTH_CREATE, 0}},
    {"MPI_MODE_EXCL", {0, FTH_EXCLUSIVE, 0}},
    {"MPI_MODE_UNIQUE_OPEN", {0, FTH_UNIQUE, 0}},
    {"MPI_MODE_SEQUENTIAL", {0, FTH_NO_SEEK, 0}},
    {"MPI_MODE_APPEND", {0, 0, FTH_APPEND}},
    {"MPI_MODE_DELETE_ON_CLOSE", {0, 0, FTH_DELETE_ON_CLOSE}},
    {"H5F_ACC_RDONLY", {READ, 0, 0}},
    {"H5F_ACC_RDWR", {BOTH, 0, 0}},
    {"H5F_ACC_TRUNC", {0, FTH_TRUNCATE, 0}},
    {"H5F_ACC_EXCL", {0, FTH_EXCLUSIVE, 0}},
    {"H5F_ACC_CREAT", {0, FTH_CREATE, 0}},
    {"H5F_ACC_SWMR_WRITE", {WRITE, 0, 0}},
    {"H5F_ACC_SWMR_READ", {READ, 0, 0}},
    {"NC_NOWRITE", {READ, 0, 0}},
    {"NC_WRITE", {BOTH, 0, 0}},
    {"NC_CLOBBER", {0, FTH_TRUNCATE, 0}},
    {"NC_NOCLOBBER", {0, FTH_EXCLUSIVE, 0}},
};

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), more = strlen(end);
    return length > more && strcmp(name + length - more, end) == 0;
}

/* All kinds of descriptors have a NONBLOCK and a CLOEXEC: SOCK_CLOEXEC, EFD_NONBLOCK. */
static struct fth_open_mode meaning_of(const char *name)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0)
            return words[i].opened;
    if (ends_in(name, "_NONBLOCK"))
        return (struct fth_open_mode){0, 0, FTH_NON_BLOCKING};
    if (ends_in(name, "_CLOEXEC"))
        return (struct fth_open_mode){0, 0, FTH_CLOSE_ON_EXEC};
    return (struct fth_open_mode){0};
}

static bool says_something(struct fth_open_mode opened)
{
    return opened.access || opened.creation || opened.status;
}

bool fth_flags_open(const struct fth_flags *flags)
{
    for (size_t i = 0; flags && i < flags->count; i++)
        if (says_something(meaning_of(flags->entries[i].name)))
            return true;
    return false;
}

/* A flag that is there only as a part of a larger one is not meant: O_SYNC contains O_DSYNC,
 * O_TMPFILE contains O_DIRECTORY. */
static bool is_part_of_another(const struct fth_flags *flags, int64_t value, int64_t bits)
{
    for (size_t i = 0; i < flags->count; i++) {
        int64_t other = flags->entries[i].value;
        if (other != bits && (other & bits) == bits && (value & other) == other)
            return true;
    }
    return false;
}

static void add(struct fth_open_mode *opened, struct fth_open_mode more)
{
    opened->access |= more.access;
    opened->creation |= more.creation;
    opened->status |= more.status;
}

void fth_opened_by_flags(struct fth_open_mode *opened, const struct fth_flags *flags, int64_t value)
{
    struct fth_open_mode default_of = {0};
    for (size_t i = 0; i < flags->count; i++) {
        int64_t bits = flags->entries[i].value;
        const char *name = flags->entries[i].name;
        if (bits == 0)
            default_of = meaning_of(name);
        else if ((value & bits) == bits && !is_part_of_another(flags, value, bits))
            add(opened, meaning_of(name));
    }
    /* O_RDONLY and NC_CLOBBER are 0: they hold where no other says otherwise. */
    if (!opened->access)
        opened->access = default_of.access;
    if (!(opened->creation & FTH_EXCLUSIVE))
        opened->creation |= default_of.creation;
}

const char *fth_flags_access_of_zero(const struct fth_flags *flags, int64_t value)
{
    const char *name = NULL;
    for (size_t i = 0; i < flags->count; i++) {
        int64_t bits = flags->entries[i].value;
        unsigned access = meaning_of(flags->entries[i].name).access;
        if (!bits && access)
            name = flags->entries[i].name;
        else if (access && (value & bits) == bits)
            return NULL;
    }
    return name;
}

/* glibc looks at six characters behind the first one, whatever they belong to ("w,ccs=UTF-8"). */
static bool mode_has(const char *mode, char character)
{
    for (int i = 1; i <= 6 && mode[i]; i++)
        if (mode[i] == character)
            return true;
    return false;
}

bool fth_opened_mode_maps(const char *mode)
{
    return *mode == 'r' && mode_has(mode, 'm') && !mode_has(mode, '+');
}

void fth_opened_by_mode(struct fth_open_mode *opened, const char *mode)
{
    bool both = *mode && mode_has(mode, '+');
    switch (*mode) {
    case 'r':
        opened->access |= both ? BOTH : READ;
        break;
    case 'w':
        opened->access |= both ? BOTH : WRITE;
        opened->creation |= FTH_CREATE | FTH_TRUNCATE;
        break;
    case 'a':
        opened->access |= both ? BOTH : WRITE;
        opened->creation |= FTH_CREATE;
        opened->status |= FTH_APPEND;
        break;
    default:
        return;
    }
    if (mode_has(mode, 'x'))
        opened->creation |= FTH_EXCLUSIVE;
    if (mode_has(mode, 'e'))
        opened->status |= FTH_CLOSE_ON_EXEC;
}

void fth_opened_by_row(struct fth_open_mode *opened, unsigned opens)
{
    static const struct {
        unsigned opens;
        struct fth_open_mode opened;
    } ways[] = {
        {FTH_OPENS_TO_READ, {READ, 0, 0}},
        {FTH_OPENS_TO_WRITE, {WRITE, 0, 0}},
        {FTH_OPENS_NEW, {0, FTH_CREATE, 0}},
        {FTH_OPENS_EMPTY, {0, FTH_TRUNCATE, 0}},
        {FTH_OPENS_EXCLUSIVE, {0, FTH_EXCLUSIVE, 0}},
        {FTH_OPENS_TEMPORARY, {0, FTH_TEMPORARY, 0}},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (opens & ways[i].opens)
            add(opened, ways[i].opened);
}
