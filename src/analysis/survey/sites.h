/* Frames of calls that come again (model/calls/again.h), and what they add up to: passes are
 * given sums of them. Inner header of the analysis room. */
#ifndef FTH_ANALYSIS_SITES_H
#define FTH_ANALYSIS_SITES_H

#include "analysis/survey/survey.h"

/* A call of a turn that comes again. */
struct fth_survey_site {
    struct fth_frame frame; /* as it came last */
    struct fth_frame sum;   /* those that passes have not been given; calls 0: there are none */
    bool known;
};

struct fth_survey_sites {
    struct fth_survey_site **items;
    uint32_t limit;
    uint32_t *summed; /* those that have sums */
    uint32_t summed_count, summed_limit;
};

/* The site, which stays where it is. */
struct fth_survey_site *fth_survey_site(struct fth_survey_sites *sites, uint32_t number);
void fth_survey_sites_free(struct fth_survey_sites *sites);

/* One call more, which is over. False: it is unlike the others, and has to be given by itself. */
bool fth_survey_site_add(struct fth_survey_site *site, const struct fth_frame *frame);

/* What a frame of one call adds up to by itself. */
void fth_frame_close(struct fth_frame *frame);
/* It stands for `count` more calls, each an access `step` bytes behind the one before. Their times
 * are `apart` behind one another; so are their numbers. */
void fth_frame_repeat(struct fth_frame *frame, const struct fth_again_time *times, uint32_t count,
                      uint32_t apart, int64_t step);
/* What it is of one of these calls becomes what it is of all. */
void fth_frame_add_up(struct fth_frame *frame);

#endif
