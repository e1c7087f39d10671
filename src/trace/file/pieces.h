/* The grammar of a track while its calls come by: piece after piece, and what becomes of the counts
 * that leave it.
 *
 * Processes that did the same share their grammar, so that counts in which they differ must not be
 * in it: they are the process's own. A loop with a collective call in it goes around equally often
 * for all that take part; its counts stay with the grammar, which all of them share. */
#ifndef FTH_TRACE_FILE_PIECES_H
#define FTH_TRACE_FILE_PIECES_H

#include "trace/grammar/grammar.h"
#include "trace/file/part.h"

struct fth_pieces {
    struct fth_grammar *grammar;
    struct fth_taken_counts {
        uint32_t *counts;
        size_t length;
    } * lists; /* of the grammar, by number */
    uint32_t list_limit;
    uint32_t *waiting; /* terminals that are counted from their first run on */
    uint32_t waiting_count;
    uint64_t *loops; /* and loops */
    uint32_t loop_count;
    uint64_t next_look; /* at what is counted: calls of the piece */
    uint32_t unchecked; /* calls since it was asked last whether the grammar is full */
    struct fth_bytes written, kept;
};

void fth_pieces_open(struct fth_pieces *pieces);
void fth_pieces_close(struct fth_pieces *pieces);
/* Another process begins. */
void fth_pieces_begin(struct fth_pieces *pieces);
/* Calls of this terminal wait for something: how many of them come in a row nobody can say. */
void fth_pieces_wait(struct fth_pieces *pieces, uint32_t terminal);
/* A call found what those of terminal `waiting` wait for: if none came right before it, that is a
 * wait of length 0, so that processes that had to wait and processes that had not are alike. */
void fth_pieces_found(struct fth_pieces *pieces, uint32_t waiting);
/* Another call. The piece ends if it is as long as it can be. */
void fth_pieces_append(struct fth_pieces *pieces, uint32_t terminal, struct fth_part *part,
                       struct fth_part_process *process, struct fth_track *track);
/* The piece ends. `process` has the signatures of its terminals and gets its own counts. */
void fth_pieces_end(struct fth_pieces *pieces, struct fth_part *part,
                    struct fth_part_process *process, struct fth_track *track);

#endif
