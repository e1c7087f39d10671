/* Which names of a process are of one file: it renamed it, or gave it one more name. Inner header
 * of the pass of patterns. A name is followed where nothing was accessed by the new one before, and
 * until the first one is opened again, which may be another file by then. */
#ifndef FTH_ANALYSIS_FOLLOWED_NAMES_H
#define FTH_ANALYSIS_FOLLOWED_NAMES_H

#include "base/indexed.h"

#include <stdbool.h>

/* Files are numbers of the process. All zero but for `names.size`: no names. */
struct fth_followed_names {
    struct fth_indexed names; /* of struct fth_followed_name, by file */
};
struct fth_followed_name {
    uint32_t first;      /* the name that the file had first, + 1; 0: it is this one */
    uint32_t last;       /* of a first one: what it was renamed to, + 1; 0: it has this name */
    uint32_t generation; /* of a first one: later names are of it if they have the same */
    bool is_left;        /* of a first one: the file has not this name any more, or may not */
    bool has_others;     /* of a first one: other names were followed to it */
};

static inline struct fth_followed_names fth_followed_none(void)
{
    return (struct fth_followed_names){.names.size = sizeof(struct fth_followed_name)};
}

/* The first name of the file that has this one. */
uint32_t fth_followed_first(const struct fth_followed_names *names, uint32_t file);
/* What the file with this first name is called in the end. *several: it had other names, too. */
uint32_t fth_followed_last(const struct fth_followed_names *names, uint32_t first, bool *several);
/* `to` is a name of what is called `from`, which has it no more if it `moves`. Nothing was accessed
 * by it yet. */
void fth_followed_add(struct fth_followed_names *names, uint32_t from, uint32_t to, bool moves);
/* The file has this name no more. */
void fth_followed_leave(struct fth_followed_names *names, uint32_t file);
/* What was followed to or from this name is not known any more. */
void fth_followed_forget(struct fth_followed_names *names, uint32_t file);
/* Does the name, when it is opened, stand for another file than the one that had it first? */
bool fth_followed_is_left(const struct fth_followed_names *names, uint32_t file);

#endif
