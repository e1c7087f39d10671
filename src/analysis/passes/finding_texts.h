/* What passes share when they add findings. Inner header of the passes. */
#ifndef FTH_ANALYSIS_FINDING_TEXTS_H
#define FTH_ANALYSIS_FINDING_TEXTS_H

#include "analysis/survey/survey.h"
#include "base/phrase.h"

static inline double fth_threshold_of(const struct fth_survey *survey, enum fth_threshold which)
{
    return survey->thresholds->values[which];
}
/* Is it enough time to talk about? */
bool fth_finding_is_worth(const struct fth_survey *survey, int64_t severity);
/* For the texts of findings: "1,234", "1.21 MiB", "mostly of 640 B", "12.3 ms"; each lives as long
 * as the statement that it stands in. */
#define FTH_COUNT(number) fth_phrase_count((int64_t)(number)).text
#define FTH_BYTES(number) fth_phrase_bytes((uint64_t)(number)).text
#define FTH_SIZES(sizes) fth_sizes_phrase(sizes).text
#define FTH_TIME(ns) fth_phrase_duration(ns).text
#define FTH_EACH(time, calls, longest) fth_each_phrase(time, calls, longest).text
#define FTH_SEVERAL(number, one, many) fth_phrase_several((uint64_t)(number), one, many).text

/* How long each of some calls takes, of their time and the longest: "40.0 ms", "21.0 ms on average
 * and 40.0 ms at most". */
struct fth_each_phrase {
    char text[96];
};
struct fth_each_phrase fth_each_phrase(int64_t time, uint64_t calls, int64_t longest);

/* Part of a whole, 0 to 1; 0 of nothing. */
double fth_share(uint64_t part, uint64_t whole);
struct fth_cell fth_finding_percent(uint64_t part, uint64_t whole);

/* A call to look at. */
struct fth_example {
    /* the outermost call of I/O around it, or it itself; NULL: no call is known */
    const struct fth_function *asked;
    uint64_t number;
    int64_t time; /* it took */
    uint32_t proc, thread;
};
/* The longest of them is kept, of equals the first one of its thread. */
void fth_example_see(struct fth_example *example, const struct fth_frame *frame);
/* Is it the other one now? */
bool fth_example_merge(struct fth_example *example, const struct fth_example *other);

void fth_finding_write_file(struct fth_finding *finding, const struct fth_survey *survey,
                            uint32_t file);
/* Its rank, and the call. */
void fth_finding_write_example(struct fth_finding *finding, const struct fth_survey *survey,
                               const struct fth_example *example);

/* A new finding about a file (FTH_NO_FILE: about none) with a call to look at. */
struct fth_finding *fth_finding_write(const struct fth_survey *survey, struct fth_results *results,
                                      uint32_t file, const struct fth_example *example,
                                      const char *kind, const char *title, int64_t severity);

#endif
