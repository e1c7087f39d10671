/* What `fathom report` and `fathom path` have in common: tables and findings of a trace, shown in
 * the form that was asked for. */
#ifndef FTH_CMD_SHARED_REPORTING_H
#define FTH_CMD_SHARED_REPORTING_H

#include "cmd/shared/page_options.h"
#include "views/pages/report_page.h"

struct fth_report_request {
    struct fth_selection selection;
    struct fth_report_view view;
    struct fth_cmd_page page;
};

/* As much as is shown without an option. */
#define FTH_CMD_REPORT_VIEW                                                                        \
    {                                                                                              \
        .top = 8, .findings = 3                                                                    \
    }

/* Shows them. `inputs`: paths that must not be written over, ended by NULL. `trace` may be NULL:
 * tables and findings are not about one run. */
int fth_cmd_show_report(const struct fth_report_request *request, const char *const *inputs,
                        const struct fth_trace *trace, const struct fth_results *results,
                        struct fth_error **error);

/* Finds tables and findings; 0 or -1. */
typedef int fth_cmd_findings(void *context, struct fth_trace *trace, struct fth_results *results,
                             struct fth_error **error);
/* What is done with them, `request->view` being complete; 0 or -1. */
typedef int fth_cmd_show(void *context, const struct fth_report_request *request,
                         struct fth_trace *trace, const struct fth_results *results,
                         struct fth_error **error);
/* Finds and shows. */
int fth_cmd_report_of(struct fth_report_request *request, struct fth_trace *trace,
                      fth_cmd_findings *find, fth_cmd_show *show, void *context,
                      struct fth_error **error);
/* Opens the trace, finds, shows on a page, and closes. */
int fth_cmd_report_on(struct fth_report_request *request, fth_cmd_findings *find, void *context,
                      struct fth_error **error);

/* `fathom report --html TRACE TRACE...`: the runs on one page. `paths`: ended by NULL. */
int fth_cmd_report_page(struct fth_report_request *request, const char *const *paths,
                        fth_cmd_findings *find, void *context, struct fth_error **error);

/* `fathom report --svg DIR`: pictures of the run, whose overview `find` makes. */
struct fth_cmd_pictures {
    const char *folder; /* made if it is not there; NULL: no pictures are wanted */
    bool force;         /* replaces pictures that are there */
};
int fth_cmd_report_pictures(struct fth_report_request *request,
                            const struct fth_cmd_pictures *wanted, fth_cmd_findings *find,
                            void *context, struct fth_error **error);

/* `fathom report TRACE TRACE...`: the runs side by side. */
int fth_cmd_compare_runs(struct fth_report_request *request,
                         const struct fth_thresholds *thresholds, const char *const *paths,
                         size_t path_count, unsigned jobs, struct fth_error **error);

#endif
