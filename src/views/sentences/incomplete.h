/* What is missing in a trace, in words: the first thing that a view says. */
#ifndef FTH_VIEWS_INCOMPLETE_H
#define FTH_VIEWS_INCOMPLETE_H

#include "analysis/select/select.h"
#include "base/json.h"
#include "views/output/output.h"

struct fth_paragraph {
    char text[1600];
};
/* "880,874 of 1,000,000 calls are missing, from 1.23 s on: no room in the spill folder (ENOSPC)";
 * and which programs were not recorded; empty where nothing is missing. UTF-8 without control
 * characters. */
struct fth_paragraph fth_views_missing(const struct fth_incomplete *incomplete);
/* "no room in the spill folder (ENOSPC)" */
struct fth_paragraph fth_views_why_missing(int error);
/* The same and what it means for figures, as a line of its own; nothing where nothing is
 * missing. */
void fth_views_put_missing(struct fth_output *output, const struct fth_incomplete *incomplete);
/* Key "incomplete": an object, or null where nothing is missing. */
void fth_views_missing_json(struct fth_json *json, const struct fth_incomplete *incomplete);

/* Which calls figures are of, as a sentence, where some are missing. */
const char *fth_views_what_is_shown(const struct fth_incomplete *incomplete);

#endif
