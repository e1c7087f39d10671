/* The ledger: what time calls took, kept apart from all passes, so that what a finding claims can
 * be held against the calls that it says it is about (struct fth_finding: functions, classes,
 * files). Time of a call is entered once, without that of the calls inside of it, under all the
 * calls that it is made in: summed up over those that a finding names, nothing counts twice. */
#ifndef FTH_ANALYSIS_LEDGER_H
#define FTH_ANALYSIS_LEDGER_H

#include "table/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_ledger;

struct fth_ledger *fth_ledger_new(void);
void fth_ledger_free(struct fth_ledger *ledger); /* NULL is allowed */

/* A call and those that it is made in, the innermost first. The result is their number. */
struct fth_ledger_step {
    const char *function; /* is copied */
    unsigned class;       /* 1 << enum fth_call_class_kind */
};
uint32_t fth_ledger_chain(struct fth_ledger *ledger, const struct fth_ledger_step *steps,
                          size_t count);
/* The number of a file by its path; FTH_LEDGER_NO_FILE of NULL. */
#define FTH_LEDGER_NO_FILE UINT32_MAX
uint32_t fth_ledger_file(struct fth_ledger *ledger, const char *path);
/* `file` is the number of the one that the call is about, `asked` that of the outermost call of I/O
 * around it. ns: its own time. */
void fth_ledger_enter(struct fth_ledger *ledger, uint32_t chain, uint32_t file, uint32_t asked,
                      int64_t ns);

/* ns of the calls that the finding is about; 0 if it does not say which they are. */
int64_t fth_ledger_time(const struct fth_ledger *ledger, const struct fth_finding *finding);

/* Holds every finding about time against its calls: it claims at most what they took (what is of
 * processes, fth_finding.of_lifetimes, at most `lifetimes`). Those are removed of which less than
 * `least` is left, and those that do not say what they are about. */
void fth_ledger_settle(const struct fth_ledger *ledger, int64_t lifetimes, double least,
                       struct fth_findings *findings);

#endif
