/* Calls that did not return, as the process was killed in them. */
#include "trace/merge/unreturned.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SENTENCES = 20 };

static bool process_ended(const struct fth_walk *walk)
{
    const struct fth_facts *facts = &walk->process.facts;
    return facts->alive || (facts->ended != FTH_END_UNKNOWN && facts->ended != FTH_END_SIGNAL);
}

static const char *function_name(const struct fth_walk *walk, const struct fth_spill_open *open)
{
    uint32_t function = open->function & 0xffff;
    return function < walk->part->catalog->row_count ? walk->part->catalog->rows[function].name
                                                     : NULL;
}

/* The file that it is about, as the thread's calls have bound it; to be freed. NULL: it is about
 * none, or that is not known. */
static char *file_of_open(const struct fth_walk *walk, const struct fth_spill_open *open)
{
    const struct fth_meaning *meaning = &walk->meanings[open->function & 0xffff];
    if (!walk->open || meaning->about.handle < 0)
        return NULL;
    const struct fth_binding *binding =
        fth_state_binding(&walk->state, meaning->about.handle_class, open->slot);
    size_t length = 0;
    const char *path = binding ? fth_state_text(&walk->state, binding->path, &length) : "";
    return length && *path ? fth_text_format("%.*s", (int)length, path) : NULL;
}

/* A write to a pipe that nobody reads any more ends a process (SIGPIPE), as it should. */
static bool may_be_usual(const struct fth_walk *walk, const struct fth_spill_open *open,
                         const char *file)
{
    return walk->meanings[open->function & 0xffff].writes && (!file || *file != '/');
}

/* The innermost call, and the one that the program made. NULL: the sentence is there already, or
 * there are enough: those that do the same have the same one. */
static struct fth_blind_spot *add_sentence(struct fth_blind_spots *spots,
                                           const struct fth_walk *walk,
                                           const struct fth_spill_open *inner,
                                           const struct fth_spill_open *outer, const char *file)
{
    const struct fth_facts *facts = &walk->process.facts;
    const char *slash = strrchr(facts->exe, '/'), *program = slash ? slash + 1 : facts->exe;
    if (spots->count == MOST_SENTENCES)
        return NULL;
    char *sentence = fth_text_format(FTH_UNRETURNED "%s did not return from %s%s%s%s%s", program,
                                     function_name(walk, inner), file ? " of " : "",
                                     file ? file : "", inner == outer ? "" : " in ",
                                     inner == outer ? "" : function_name(walk, outer));
    struct fth_blind_spot *spot = fth_blind_spots_add(spots, FTH_UNSEEN_CALL, sentence);
    if (spot->program)
        return NULL;
    spot->program = fth_text_copy(program);
    spot->path = file && *file == '/' ? fth_text_copy(file) : NULL;
    spot->image = facts->image;
    return spot;
}

struct fth_blind_spot *fth_unreturned_add(struct fth_blind_spots *spots,
                                          const struct fth_walk *walk,
                                          const struct fth_spill_live *live, uint64_t *begin)
{
    const struct fth_spill_open *inner = NULL, *outer = NULL;
    for (size_t i = 0; i < FTH_SPILL_OPEN; i++) {
        if (!live->open[i].begin || !function_name(walk, &live->open[i]))
            continue;
        inner = &live->open[i];
        outer = outer ? outer : inner;
    }
    if (!inner || process_ended(walk))
        return NULL;
    *begin = outer->begin;
    char *file = file_of_open(walk, inner);
    struct fth_blind_spot *spot =
        may_be_usual(walk, inner, file) ? NULL : add_sentence(spots, walk, inner, outer, file);
    free(file);
    return spot;
}
