/* Threads that were started inside a call (docs/format.md, Notes): inside of which one. Inner
 * header of the model room. */
#ifndef FTH_MODEL_CALLS_STARTS_H
#define FTH_MODEL_CALLS_STARTS_H

#include "base/intern.h"
#include "model/reading/thread.h"

struct fth_starter {
    uint32_t thread;
    uint64_t call; /* its number in there; FTH_NO_CALL: nobody knows */
    const struct fth_function *function;
};

/* Of a process: who made which start. */
struct fth_starts {
    struct fth_intern numbers; /* of starts */
    struct fth_starter *starters;
};

/* Of one of its threads, whose calls come in order of exit: the call that a start was noted in
 * comes after the note. */
struct fth_thread_starts {
    uint64_t followed; /* the start that it is of; 0: of none, as far as is known */
    struct fth_read_start *open;
    size_t open_count;
    uint64_t *closed; /* whose call has come */
    size_t closed_count;
};

/* Takes over what the reader has noted. */
void fth_starts_take(struct fth_thread_starts *starts, struct fth_thread_reader *reader);
/* A call of this depth has come: the starts inside of it are closed. Returns how many they are;
 * they stand at the end of `closed`. */
size_t fth_starts_close(struct fth_thread_starts *starts, uint32_t depth);
/* Calls go out: what is closed has been given, or never will be. */
void fth_starts_forget(struct fth_thread_starts *starts);
void fth_thread_starts_free(struct fth_thread_starts *starts);

void fth_starts_add(struct fth_starts *starts, uint64_t number, struct fth_starter starter);
struct fth_starter fth_starts_find(const struct fth_starts *starts, uint64_t number);
void fth_starts_free(struct fth_starts *starts);

/* Has the process such threads at all? */
bool fth_share_has_starts(const struct fth_share *share);

#endif
