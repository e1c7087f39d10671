/* `fathom report --html TRACE TRACE...`: several runs on one page. All are read before the page is
 * written, so that it is whole or not there. */
#include "cmd/shared/command.h"
#include "cmd/shared/reporting.h"
#include "views/browser/browser_page.h"

struct runs {
    struct fth_sink packed;
    size_t count;
    fth_cmd_findings *find;
    void *context; /* of `find` */
};

static int find(void *context, struct fth_trace *trace, struct fth_results *results,
                struct fth_error **error)
{
    struct runs *runs = context;
    return runs->find(runs->context, trace, results, error);
}

static int pack(void *context, const struct fth_report_request *request, struct fth_trace *trace,
                const struct fth_results *results, struct fth_error **error)
{
    struct runs *runs = context;
    (void)error;
    fth_views_put_run(&runs->packed, runs->count++, trace, results, &request->view);
    return 0;
}

static int add_run(struct runs *runs, struct fth_report_request *request, const char *path,
                   struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(path, error);
    if (!trace)
        return -1;
    request->view.trace_path = path;
    fth_cmd_report_incomplete(path, trace, &request->selection, NULL);
    int result = fth_cmd_report_of(request, trace, find, pack, runs, error);
    fth_trace_close(trace);
    if (result)
        fth_fail_in(error, "trace '%s'", path);
    return result;
}

int fth_cmd_report_page(struct fth_report_request *request, const char *const *paths,
                        fth_cmd_findings *findings, void *context, struct fth_error **error)
{
    static struct fth_output output;
    struct runs runs = {.find = findings, .context = context};
    int result = 0;
    size_t count = 0;
    while (paths[count])
        count++;
    request->view.size /= count;
    fth_sink_open_memory(&runs.packed);
    for (const char *const *path = paths; *path && !result; path++)
        result = add_run(&runs, request, *path, error);
    if (!result)
        result = fth_views_open(&output, request->page.path, paths, error);
    if (!result) {
        fth_views_put_page(&output.sink, &runs.packed);
        result = fth_views_close(&output, error);
    }
    fth_sink_close_memory(&runs.packed);
    return result;
}
