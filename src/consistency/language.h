/* Consistency models, as a small text describes them (docs/models.md): which calls synchronize, and
 * what has to stand between two conflicting accesses.
 *
 *     model commit
 *         about What a process wrote is seen by others when it has committed the file
 *         accesses posix
 *         set commit = fsync fdatasync close fclose
 *         order x po commit hb y
 *         order x hb y when x reads
 *         on UnifyFS, SymphonyFS
 *         weaker than posix
 *
 * Two accesses, the earlier one called x, are properly synchronized when one of the model's orders
 * stands between them. */
#ifndef FTH_CONSISTENCY_LANGUAGE_H
#define FTH_CONSISTENCY_LANGUAGE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTH_CONSISTENCY_STEPS = 8, FTH_CONSISTENCY_SETS = 32 };

/* What synchronizes: functions by name, or by what they mean: "syncs", "mpiio:closes". */
struct fth_consistency_set {
    char *name;
    size_t function_count;
    char **functions;
    unsigned line, *columns; /* where they stand in the text */
};

/* What synchronizes: a call; that a call closes a handle where it opens another one, in sets as
 * NAME_close ("freopen_close"); the end of a process, in sets as "process_end"; the end of an
 * operation that a call has begun (aio_fsync), in sets as "syncs". */
enum fth_mark_kind { FTH_MARK_CALL, FTH_MARK_CLOSES, FTH_MARK_PROCESS_END, FTH_MARK_OPERATION };
struct fth_function;
/* `function` is NULL of FTH_MARK_PROCESS_END. */
bool fth_consistency_set_has(const struct fth_consistency_set *set,
                             const struct fth_function *function, enum fth_mark_kind kind);
/* Is it a word for what functions mean, "closes" or "LAYER:closes", and which? *layer_length is
 * that of LAYER, 0 of all layers. */
enum fth_meaning_word { FTH_WORD_SYNCS, FTH_WORD_CLOSES, FTH_WORD_OPENS, FTH_MEANING_WORDS };
bool fth_consistency_is_meaning(const char *word, enum fth_meaning_word *meaning,
                                size_t *layer_length);
/* Is it such a word, and no function's name? *length is that of the function's name in it: 0 of
 * "process_end". */
bool fth_consistency_is_operation(const char *word, size_t *length);

/* How a step follows the one before it. */
enum fth_relation {
    FTH_PROGRAM_ORDER,  /* po: by the same process */
    FTH_HAPPENS_BEFORE, /* hb */
};

enum fth_condition {
    FTH_X_READS = 1,
    FTH_X_WRITES = 2,
    FTH_Y_READS = 4,
    FTH_Y_WRITES = 8,
    FTH_BOTH_ATOMIC = 16, /* both by handles in atomic mode */
    FTH_X_TRUNCATES = 32, /* a write that takes bytes away */
    FTH_Y_TRUNCATES = 64,
};

/* "x po commit hb y": steps of sets, then how y follows the last one. */
struct fth_construct {
    unsigned conditions; /* all of them must hold */
    size_t step_count;
    struct {
        enum fth_relation relation;
        unsigned set; /* index in the model */
    } steps[FTH_CONSISTENCY_STEPS];
    enum fth_relation last;
    char *text; /* as written */
};

/* What some file systems want between two accesses of one process: "x po commit po y"; or nothing
 * is enough ("never"). */
struct fth_alone {
    size_t system_count;
    char **systems;
    bool never;
    struct fth_construct construct; /* at most one step, all in program order */
};

struct fth_consistency {
    char *name;
    char *about;  /* or NULL */
    char *weaker; /* name of the next stronger model, or NULL */
    /* two writes to the end of a file never come to the same bytes, whatever their order */
    bool atomic_appends;
    size_t layer_count;
    char **layers; /* whose accesses are compared */
    size_t set_count;
    struct fth_consistency_set *sets;
    size_t construct_count; /* none: nothing ever synchronizes */
    struct fth_construct *constructs;
    size_t alone_count;
    struct fth_alone *alone;
    size_t system_count;
    char **systems; /* file systems that keep this model */
};

struct fth_consistencies {
    size_t count;
    struct fth_consistency *models;
};

/* Adds the models of a text; `where` is its name in errors ("my.models:3:7: ..."). A model of a
 * name that is there already is refused. Returns 0, or -1 with *error set; what was read before the
 * error stays. */
int fth_consistency_parse(struct fth_consistencies *models, const char *where, const char *text,
                          size_t length, struct fth_error **error);
/* Adds the five that are built in. */
void fth_consistency_built_in(struct fth_consistencies *models);
/* Adds those of a file. */
int fth_consistency_read(struct fth_consistencies *models, const char *path,
                         struct fth_error **error);
/* NULL: there is none of that name. */
const struct fth_consistency *fth_consistency_find(const struct fth_consistencies *models,
                                                   const char *name);
/* Is it the name of a file with a model, "./my.models", and not that of a model? */
bool fth_consistency_is_file(const char *name);
/* The model that a user means: one of the built-in ones by its name, or the only one of a file.
 * `models` is empty before, and has no other one then. NULL: *error is set. */
const struct fth_consistency *fth_consistency_meant(struct fth_consistencies *models,
                                                    const char *name, struct fth_error **error);
/* Forgets all but this one, which is there; it is `weaker` than none then. */
void fth_consistency_keep(struct fth_consistencies *models, const char *name);
void fth_consistencies_free(struct fth_consistencies *models);

#endif
