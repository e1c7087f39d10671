/* What is said of a verdict wherever it is shown to people. Inner header of the views room. */
#ifndef FTH_VIEWS_VERIFY_WORDS_H
#define FTH_VIEWS_VERIFY_WORDS_H

#include "base/sink.h"
#include "verify/verify.h"

enum { FTH_MOST_LINKS = 32 }; /* of a chain of calls */

/* "12 pairs" */
void fth_views_verdict_count(struct fth_sink *sink, uint64_t count, const char *one,
                             const char *many);
/* Of any model. */
uint64_t fth_views_verdict_most_conflicts(const struct fth_verdict *verdict);
/* The layers that it compares. */
void fth_views_verdict_layers(struct fth_sink *sink, const struct fth_consistency *model);
/* Is there nothing that it could compare? */
bool fth_views_model_has_nothing(const struct fth_verdict_model *model);
/* Is one of the two made by a call that resizes the file? */
bool fth_views_verdict_is_resized(const struct fth_verdict *verdict,
                                  const struct fth_verdict_group *group);
/* Of the layers that are shown: what holds for one model of a layer holds for the others. */
uint64_t fth_views_verdict_unordered_threads(const struct fth_verdict *verdict, const char *asked,
                                             const char **unrecorded);
/* The verdict in one sentence. `asked`: the model that was asked for, or NULL. */
void fth_views_verdict_sentence(struct fth_sink *sink, const struct fth_verdict *verdict,
                                const char *asked);
/* "12 conflicting pairs, 3 not synchronized, 1 kind of place" */
/* "safe", "safe as far as was seen", "not known", "racy". */
const char *fth_views_safety_word(enum fth_safety safety);
/* What is known of the file of a violation of a model of libraries, by the calls of the system;
 * NULL: nothing, or the model is one of file systems. */
const struct fth_verdict_by_file *fth_views_verdict_below(const struct fth_verdict *verdict,
                                                          const struct fth_verdict_model *model,
                                                          const struct fth_verdict_group *group);
/* "the calls of the system ... are in order: in this run no data was at risk" */
void fth_views_verdict_put_below(struct fth_sink *sink, const struct fth_verdict *verdict,
                                 const struct fth_verdict_by_file *below,
                                 const struct fth_verdict_group *group);
/* The same of a model, or "-" where there is nothing to verify. */
const char *fth_views_model_word(const struct fth_verdict_model *model);
/* ". Wanted: a commit (such as fsync, close) between the two"; nothing where nothing is enough. */
void fth_views_verdict_wanted(struct fth_sink *sink, const struct fth_consistency *model,
                              const struct fth_alone *rule);
/* "bytes 0 to 7", "all bytes from 8 on". */
void fth_views_verdict_range(struct fth_sink *sink, uint64_t start, uint64_t end, bool finds_end);
/* " (now /data/out)" behind the name of a file that was renamed; nothing for NULL. */
void fth_views_verdict_renamed(struct fth_sink *sink, const char *renamed);
/* "two writes in no order", "truncation and write in no order". */
void fth_views_verdict_hazard(struct fth_sink *sink, const struct fth_verdict_group *group);
/* "truncates the file (O_TRUNC)"; NULL: the call takes nothing out of the file. */
const char *fth_views_verdict_removal(const struct fth_verdict *verdict,
                                      const struct fth_verdict_access *access);
/* Should races of threads be shown as this model compares them? The first of those that compare the
 * same. */
bool fth_views_verdict_shows_threads(const struct fth_verdict *verdict, size_t index,
                                     const char *asked);
void fth_views_verdict_pairs(struct fth_sink *sink, const struct fth_verdict_model *model);
/* "rank 3 thread 1 of other.fathom" */
void fth_views_verdict_who(struct fth_sink *sink, const struct fth_verdict *verdict,
                           const struct fth_verdict_access *access);
/* A finding of a run: "rank 1: MPI_Send to rank 3 ... is never received, at a.c:12 main". */
void fth_views_verdict_finding(struct fth_sink *sink, const struct fth_verdict *verdict, size_t run,
                               size_t finding);
/* What races of threads are called. */
const char *fth_views_verdict_thread_heading(const struct fth_verdict_model *model);
/* What races for names are called that are listings, or are none; "2 names, such as /d/a, 3 pairs
 * of calls that nothing orders". */
const char *fth_views_verdict_race_heading(const struct fth_verdict *verdict, bool listings);
void fth_views_verdict_race(struct fth_sink *sink, const struct fth_verdict_race *race);
/* Of a race on a file position: "where 3 accesses go ...", what is missing, and the repair. */
#define FTH_VIEWS_POSITION_HEADING "Races on file positions"
void fth_views_verdict_position_race(struct fth_sink *sink,
                                     const struct fth_verdict_position_race *race);
void fth_views_verdict_position_missing(struct fth_sink *sink,
                                        const struct fth_verdict_position_race *race);
const char *fth_views_verdict_position_repair(const struct fth_verdict_position_race *race);
/* The first process from this one on that did not come to its end, or of which calls are lost;
 * behind the last one if there is none. */
uint32_t fth_views_verdict_cut_off(const struct fth_verdict *verdict, uint32_t from);
/* "such as bytes 0 to 7"; of a group that is not known to be a violation when it is one:
 * "if they meet: bytes 0 to 7". */
void fth_views_verdict_put_example(struct fth_sink *sink, const struct fth_verdict_group *group);
/* The same in two parts: a word, and what stands behind it. */
const char *fth_views_verdict_example(const struct fth_verdict_group *group);
void fth_views_verdict_shared(struct fth_sink *sink, const struct fth_verdict_group *group);
/* What the verdict is for: a sentence. */
const char *fth_views_verdict_scope(void);
/* What was compared, and what could not be: lines, each with its end. */
void fth_views_verdict_notes(struct fth_sink *sink, const struct fth_verdict *verdict);
/* The next stronger model, which is violated by as many pairs: the list of the model would be that
 * one's; NULL: there is none, or nothing to list. */
const struct fth_verdict_model *fth_views_verdict_like(const struct fth_verdict *verdict,
                                                       size_t model);
/* Are the violations of this model shown? Those of a stronger one are shown once: the weaker ones
 * have the same, and more. */
bool fth_views_verdict_shows_violations(const struct fth_verdict *verdict, size_t model,
                                        const char *asked);
/* Is it the model that was asked for, or are all? */
bool fth_views_verdict_shows(const struct fth_verdict_model *model, const char *asked);

#endif
