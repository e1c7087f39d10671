/* What can be set in the library that accesses are made with: advice in the words of those who call
 * it, of programs in Python those of the packages that most of them use. Inner header of the
 * passes. */
#ifndef FTH_ANALYSIS_TUNING_HINTS_H
#define FTH_ANALYSIS_TUNING_HINTS_H

#include "analysis/passes/finding_texts.h"
#include "catalog/catalog.h"

/* What to try in a program that calls this layer for this file: a sentence or two. Which program
 * that is, the call to look at says. */
const char *fth_tuning_hint(const struct fth_survey *survey, struct fth_results *results,
                            const struct fth_example *example, uint32_t file, const char *layer,
                            enum fth_hint hint);
/* The same where what is in the file is opened again and again; NULL: it is not, or the layer has
 * no words for it. */
const char *fth_tuning_hint_kept(const struct fth_survey *survey, struct fth_results *results,
                                 const struct fth_example *example, uint32_t file,
                                 const char *layer);

#endif
