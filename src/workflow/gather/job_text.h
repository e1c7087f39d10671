/* Values in the text of batch systems: times, durations, amounts of memory, numbers of jobs. */
#ifndef FTH_WORKFLOW_JOB_TEXT_H
#define FTH_WORKFLOW_JOB_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* "", "Unknown", "N/A", "(null)" ...: the batch system has no value there. */
bool fth_job_text_is_empty(const char *text);
/* ns since 1970 of "2024-05-01T12:00:00" and the forms of PBS and LSF, which are local times, or of
 * seconds since 1970; INT64_MIN: none of these. */
int64_t fth_job_text_time(const char *text);
/* ns of "1-02:03:04", "02:03:04", "03:04.500", or of a number of minutes; 0: unlimited, or none of
 * these. */
int64_t fth_job_text_duration(const char *text);
/* Bytes of "4000M", "16G", "100kb"; "4000Mc" is for each of `processors`. 0: none of these. */
uint64_t fth_job_text_bytes(const char *text, uint64_t processors);
/* The numbers in "afterok:12:13(unfulfilled)" or "done(12) && ended(13)", with blanks between; to
 * be freed. */
char *fth_job_text_needs(const char *text);

#endif
