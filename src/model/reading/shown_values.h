/* The values of a call as people know them: slots become descriptors, paths and names, numbers of
 * strings become texts. Inner header of the model room. */
#ifndef FTH_MODEL_READING_SHOWN_VALUES_H
#define FTH_MODEL_READING_SHOWN_VALUES_H

#include "base/arena.h"
#include "base/intern.h"
#include "model/reading/thread.h"

enum { FTH_MOST_OBJECT_TEXTS = (1 << 30) - 1 };
/* Texts for people, made when they are asked for first. There may be very many, of which a call
 * takes one at random: what is known of one is short, and it says whatever the text itself need not
 * be looked at for. */
struct fth_text {
    const char *text; /* NULL: it is not made yet */
    /* number of the text without its object, or of a path that is given whole, tidied; 0: nobody
     * has asked */
    uint32_t path;
    uint32_t object : 30; /* what stands behind it, among the objects, from 1; 0: nothing */
    uint32_t whole : 1;   /* begins at the root */
    uint32_t is_empty : 1;
};
/* What a handle is bound to may be an object in a file, whose name stands behind the path and a
 * zero (docs/format.md). `name` is that of a handle bound to it: "path:object". */
struct fth_object_text {
    const char *object, *name;
};
struct fth_texts {
    struct fth_process_names *names; /* paths that calls are about are added */
    struct fth_text *made;
    size_t limit;
    struct fth_object_text *objects;
    uint32_t object_count;
    struct fth_arena arena;          /* of the texts */
    struct fth_intern identity_keys; /* of texts and numbers that identify a file */
    struct fth_identity **identities;
};
void fth_texts_free(struct fth_texts *texts);

/* A call, and what is known where it was made. */
struct fth_showing {
    const struct fth_trace *trace;
    const struct fth_model_process *process;
    struct fth_texts *texts;
    const struct fth_thread_state *state;
    struct fth_arena *arena; /* what values point to */
    const struct fth_raw_call *raw;
};

/* The parameter, or the result, that begins with value i of the plan. `to` is all zero or holds
 * this value of another call: what does not change is not written again. */
void fth_value_put(const struct fth_showing *showing, struct fth_value *to, int i);
/* The result of a call that has one. */
void fth_value_put_result(const struct fth_showing *showing, struct fth_value *to);
/* Fills in the file that the call is about, its number, and the object in it. */
void fth_value_put_file(const struct fth_showing *showing, struct fth_call *call);

/* "a//b/./c" and "a/b/c" are one file to people; ".." is left alone, since links may be on the way.
 * In place. */
void fth_path_tidy(char *path);

#endif
