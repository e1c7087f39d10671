/* Findings in words. */
#ifndef FTH_VIEWS_FINDING_SENTENCES_H
#define FTH_VIEWS_FINDING_SENTENCES_H

#include "analysis/select/silent.h"
#include "analysis/survey/survey.h"
#include "analysis/tables/stats_table.h"
#include "views/output/output.h"

struct fth_message_list;
struct fth_handle_list;
struct fth_overview;
struct fth_report_view {
    const struct fth_stats *stats; /* of the same processes */
    const char *trace_path;
    const char *selected;           /* which options chose a part of the run; NULL: all of it */
    bool all;                       /* every finding, every table */
    bool results_only;              /* no tables of the statistics */
    const char *nothing;            /* what is said without findings; NULL: "Nothing stands out" */
    size_t top;                     /* rows of a table at most; 0: all */
    size_t files;                   /* rows of a table by file at most, for programs; 0: all */
    size_t findings;                /* at most; 0: all */
    struct fth_launchers launchers; /* that were left out */
    struct fth_silent silent;
    struct fth_incomplete incomplete;    /* what is missing of the processes that are shown */
    const struct fth_overview *overview; /* for pictures; NULL: none are wanted */
    /* with an overview; NULL: those of the run are not followed */
    const struct fth_message_list *messages;
    const struct fth_handle_list *handles; /* likewise; NULL: a part of the run is selected */
    size_t size; /* bytes of the page, at most; 0: as usual for a run of so many calls */
    const struct fth_sink *samples;  /* for the page; NULL, or empty: there are none */
    const struct fth_sink *verdict;  /* for the page, as it wants it; NULL: it is not wanted */
    const struct fth_sink *workflow; /* likewise (docs/page.md); NULL: the run is of one step */
};

/* Is it shown at all? */
bool fth_views_stands_out(const struct fth_finding *finding, const struct fth_report_view *view);

bool fth_views_is_any_shown(const struct fth_results *results, const struct fth_report_view *view);
/* What is said first of a program of which there is nothing; NULL: there is something. */
const char *fth_views_nothing(const struct fth_trace *trace, const struct fth_report_view *view);

/* The title of the findings; valid until the next one is asked for. */
const char *fth_views_heading(const struct fth_trace *trace, const struct fth_results *results,
                              const struct fth_report_view *view);
/* Where no finding stands out: the largest minor one, of a large part of all time; NULL: none. */
const struct fth_finding *fth_views_largest_minor(const struct fth_results *results,
                                                  const struct fth_report_view *view);
/* "possible gain up to 12.9 ms, 1.8 % of the critical path"; NULL: it is not about time. Valid
 * until the next one is asked for. */
const char *fth_views_worth(const struct fth_finding *finding);
/* What a list of ranks is called: "procs" where none of those that are kept has a rank; and an item
 * of it, without that word. */
const char *fth_views_label(const char *label, const struct fth_finding_list *list);
const char *fth_views_item(const char *label, const char *item);
/* "29.5 % of all time", which is what all processes lasted; "2.1 times what all processes lasted"
 * where threads did it at the same time. Valid until the next one is asked for. */
const char *fth_views_share(const struct fth_finding *finding);
/* "479 ms, 29.5 % of all time", where that is not in its worth; else NULL. Valid until the next one
 * is asked for. */
const char *fth_views_time_of(const struct fth_finding *finding);
/* "Starting and ending MPI took 92 % of all time. Shares of findings refer to the rest, 80 ms.":
 * what they are of, where the sentence about the table of times does not say it; the first sentence
 * also where no finding is shown. Valid until it is asked for again; NULL: there is no need. */
const char *fth_views_base(const struct fth_results *results, bool any_shown);
/* What the critical path cannot know, as it was not recorded. Valid until it is asked for again;
 * NULL: there is no path, or nothing to say of it. */
const char *fth_views_path_limits(const struct fth_results *results);
/* What shares of the table of times are of. Valid until it is asked for again; NULL: there is no
 * such table. */
const char *fth_views_threads(const struct fth_results *results);
/* "fathom dump --call 3.0.253 app.fathom": what shows the first call of the evidence. The caller
 * frees it; NULL: there is none, or no trace to show it of. */
char *fth_views_show(const struct fth_finding *finding, const struct fth_report_view *view);
/* Puts each sentence that follows the text of a finding: "This is the worst of 3 such cases.",
 * "Half or more of this may be due to: Late sender.", "It may explain part of: Late sender, 206
 * ms.". Each is valid until the next one. */
typedef void fth_views_put_sentence(void *to, const char *sentence);
void fth_views_relations(const struct fth_results *results, const struct fth_finding *finding,
                         fth_views_put_sentence *put, void *to);

#endif
