/* Calls that nobody wants, because of their function or the file that they are about: known without
 * showing them. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_CHOSEN_H
#define FTH_MODEL_CALLS_CHOSEN_H

#include "model/calls/choice.h"
#include "model/reading/shown_values.h"

struct fth_chosen {
    struct fth_choice choice;
    bool *functions;    /* that are wanted, by row */
    uint64_t *unwanted; /* by signature: bindings under which its calls are of no wanted file */
    uint8_t *files;     /* by number: an answer that is known */
    uint32_t file_limit;
};

struct fth_chosen *fth_chosen_new(const struct fth_trace *trace, size_t signature_count,
                                  const struct fth_choice *choice);
void fth_chosen_free(struct fth_chosen *chosen); /* NULL is allowed */
/* Is a call wanted? */
bool fth_chosen_has(struct fth_chosen *chosen, const struct fth_showing *showing);

#endif
