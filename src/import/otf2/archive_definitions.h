/* The definitions of an OTF2 archive that calls refer to, as far as they are used. Numbers are not
 * trusted: each is looked up, and what is missing is unknown. */
#ifndef FTH_IMPORT_OTF2_ARCHIVE_DEFINITIONS_H
#define FTH_IMPORT_OTF2_ARCHIVE_DEFINITIONS_H

#ifdef FATHOM_OTF2
#include "base/intern.h"
#include "import/shared/importer.h"

#include <otf2/otf2.h>

struct fth_archive_region {
    char *name;
    uint32_t function; /* of the catalogue; UINT32_MAX: none */
};

struct fth_archive_node {
    uint32_t name; /* string */
    uint32_t parent;
};

struct fth_archive_group { /* of locations */
    uint32_t name, node;
    bool is_process;
};

struct fth_archive_location {
    uint64_t number;
    uint32_t name, group;
    bool is_thread;
};

struct fth_archive_handle {
    uint32_t file, paradigm, parent, comm;
    bool is_there_before;
    int flags; /* of one that was there before, as F_GETFL gives them */
};

struct fth_archive_file {
    uint32_t name;
};

/* Members: of a communicator's group, places among the locations of communicators. */
struct fth_archive_members {
    uint64_t *list;
    uint32_t count;
    bool are_locations;
};

struct fth_archive_comm {
    uint32_t name, group;
};

/* A list of definitions, found by their numbers. */
struct fth_archive_list {
    struct fth_intern numbers;
    void *items;
    size_t size;
};

struct fth_archive {
    struct fth_archive_list strings; /* char * */
    struct fth_archive_list regions, nodes, groups, locations, handles, files, members, comms;
    struct fth_archive_list paradigms; /* uint32_t: string */
    uint64_t resolution, offset, length;
    int64_t realtime; /* ns since 1970 of the offset; INT64_MIN: not known */
    bool has_io;
};

void fth_archive_open(struct fth_archive *archive);
void fth_archive_close(struct fth_archive *archive);
/* NULL: there is none with this number. */
void *fth_archive_find(const struct fth_archive_list *list, uint64_t number);
static inline uint32_t fth_archive_count(const struct fth_archive_list *list)
{
    return list->numbers.count;
}
const char *fth_archive_text(const struct fth_archive *archive, uint32_t string);
/* The callbacks for `OTF2_Reader_RegisterGlobalDefCallbacks`, of which the archive is the
 * argument. */
OTF2_GlobalDefReaderCallbacks *fth_archive_callbacks(void);
/* Its rank in the world, and how many there are; -1: it is none. */
int64_t fth_archive_rank(const struct fth_archive *archive, uint64_t location, int64_t *size);
/* ns since 1970, or since the beginning of the clock. */
int64_t fth_archive_time(const struct fth_archive *archive, OTF2_TimeStamp time);

#endif
#endif
