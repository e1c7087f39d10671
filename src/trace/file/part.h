/* A part: processes that share one set of strings, signatures, grammars and shapes. A trace holds
 * one for each MPI world that merged itself at its end, and one for everything else.
 *
 * A process is in a part twice: what it did is a row of numbers of its shape, which it shares with
 * those who did the same (shapes.h); who it was and when it did it are its *facts*, which stand
 * with its columns in a section of its own and never leave its rank. So a part that travels up the
 * tree stays small. */
#ifndef FTH_TRACE_FILE_PART_H
#define FTH_TRACE_FILE_PART_H

#include "base/error.h"
#include "base/intern.h"
#include "catalog/catalog.h"
#include "trace/grammar/rules.h"
#include "trace/file/shapes.h"
#include "trace/record/traced_process.h"
#include "trace/record/time_mode.h"

/* ---- building ---- */

struct fth_stored_part;
struct fth_unkept_list;
struct fth_part {
    const struct fth_catalog *catalog;
    struct fth_intern strings;    /* templates; 0 stands for a null pointer */
    struct fth_intern signatures; /* without values */
    struct fth_intern grammars;   /* as they are kept: part_grammars.h */
    struct fth_shapes shapes;
};
void fth_part_init(struct fth_part *part, const struct fth_catalog *catalog);
void fth_part_free(struct fth_part *part);

/* The text, or list, as a template of the part and its numbers. */
uint32_t fth_part_template(struct fth_part *part, const void *bytes, size_t length, bool list,
                           struct fth_name *name);
/* The text of a module, as a string of the part. */
uint32_t fth_part_module(struct fth_part *part, const void *bytes, size_t length);
/* How many numbers the template has. */
unsigned fth_part_numbers_of(const struct fth_part *part, uint32_t string);
/* Adds a process, and appends its facts to `facts`. Signatures name strings, and tracks name
 * grammars of the part. */
void fth_part_add(struct fth_part *part, const struct fth_part_process *process,
                  struct fth_bytes *facts);

/* Appends the lists of counts of a process to its facts, if it has any; and reads them: false, they
 * are damaged. Each piece has its lists and its calls then. */
void fth_counts_put_facts(const struct fth_bytes *counts, struct fth_bytes *facts);
bool fth_counts_read(const struct fth_stored_part *part, struct fth_part_process *process,
                     struct fth_view *facts);

/* Moves everything of `from` behind everything of `into`, but strings that nobody uses; `from` is
 * empty afterwards. */
void fth_part_absorb(struct fth_part *into, struct fth_part *from);
/* A part as a message from rank to rank, and back. False: damaged. */
void fth_part_send(const struct fth_part *part, struct fth_bytes *to);
bool fth_part_receive(struct fth_part *part, const struct fth_catalog *catalog, const void *bytes,
                      size_t length);

/* ---- reading ---- */

/* One process's section. */
struct fth_stored_process {
    const uint8_t *frames, *facts;
    size_t frame_bytes, facts_bytes;
    size_t stored_bytes; /* that its facts take in the file; of several together, of the first */
    struct fth_signatures_end {
        size_t shape, facts_left; /* bytes of its shape before it, of its facts behind it */
        uint32_t numbers;         /* of its row, before it */
    } signatures_end;             /* all 0: not known yet */
};
struct fth_stored_part {
    const struct fth_catalog *catalog;
    struct fth_intern strings, signatures;
    struct fth_intern grammars; /* packed (packed_rules.h), but of old ones */
    struct fth_shape_reader shapes;
    uint64_t *grammar_calls; /* not of grammars with lists that are a process's own */
    uint32_t *grammar_terminals, *grammar_lists; /* these lists */
    struct fth_known_signature {
        struct fth_signature signature; /* without values */
        uint32_t names;                 /* bit i is set when value i is a name */
        unsigned name_count;
        unsigned own_count; /* values in the rows of processes, without names */
    } * known;              /* `signatures`, read */
    bool is_old;            /* before version 7: no columns are shared */
    bool stores_all_times;  /* before version 8: no process derives those of its functions */
    bool stores_previous;   /* before version 9: and times of all files */
    struct fth_stored_process *processes;
    uint32_t process_count;
    const struct fth_unkept_list *summed; /* calls that are in no track, or NULL */
};
/* The number of a signature without values, which is one of those of the part. */
static inline size_t fth_known_number(const struct fth_stored_part *part,
                                      const struct fth_signature *signature)
{
    return (size_t)((const struct fth_known_signature *)signature - part->known);
}
/* What SHAP says, of as many processes as there are; `bytes` must outlive the part. Then everything
 * is checked that belongs to no process. */
int fth_stored_part_read(struct fth_stored_part *part, const void *bytes, size_t length,
                         struct fth_error **error);
void fth_stored_part_free(struct fth_stored_part *part);
/* One process, checked as a whole: for who reads its calls. Sums of its paths are not kept. */
int fth_stored_part_process(const struct fth_stored_part *part, uint32_t index,
                            struct fth_part_process *process, struct fth_error **error);
/* The same with the sums of its paths, but without its signatures. Times of functions are those
 * that are stored. */
int fth_stored_part_stored_sums(const struct fth_stored_part *part, uint32_t index,
                                struct fth_part_process *process, struct fth_error **error);
/* The same without either; first of all, by one thread: it notes where the signatures end. */
int fth_stored_part_facts(struct fth_stored_part *part, uint32_t index,
                          struct fth_part_process *process, struct fth_error **error);
/* The rules of a grammar. NULL: *error. */
struct fth_rules *fth_grammar_rules(const struct fth_stored_part *part, uint32_t number,
                                    uint32_t terminals, struct fth_error **error);
/* The rules of a piece, with the lists that belong to them. NULL: *error. */
struct fth_rules *fth_piece_rules(const struct fth_stored_part *part, const struct fth_piece *piece,
                                  uint32_t terminals, struct fth_error **error);
/* The facts alone: identity, clock, and which blocks each thread has. */
int fth_facts_read(struct fth_part_process *process, const struct fth_stored_process *stored,
                   struct fth_error **error);

/* STRS, SIGS, GRAM as bytes and back: varint count, then for each varint length and bytes. */
void fth_intern_write(const struct fth_intern *intern, struct fth_bytes *to);
int fth_intern_read(struct fth_intern *intern, const void *bytes, size_t length, const char *what,
                    struct fth_error **error);
/* Reads an entry of SIGS; the values are 0 then. False: damaged. */
bool fth_signature_read(const struct fth_catalog *catalog, const uint8_t *bytes, size_t length,
                        struct fth_signature *signature);
/* The text of the module that a signature's source, which it has, is in: its path, a zero, and its
 * build-id. */
const char *fth_module_text(const struct fth_intern *strings, const struct fth_signature *signature,
                            size_t *length);

#endif
