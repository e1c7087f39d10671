/* `fathom report --svg DIR`: the main pictures of a run as files. Whether they can be written is
 * looked at before the calls are read, which may take long. */
#include "base/memory.h"
#include "base/visible.h"
#include "cmd/shared/command.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/reporting.h"
#include "views/pictures/pictures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct pictures {
    const struct fth_cmd_pictures *wanted;
    fth_cmd_findings *find;
    void *context; /* of `find` */
};

static char *path_of(const struct fth_cmd_pictures *wanted, const struct fth_picture_kind *kind)
{
    return fth_text_format("%s/%s.svg", wanted->folder, fth_views_picture_name(kind));
}

/* Is there a folder that all pictures can go to? 1: it was made. */
static int make_folder(const struct fth_cmd_pictures *wanted, struct fth_error **error)
{
    struct stat facts;
    int result = mkdir(wanted->folder, 0777) ? 0 : 1;
    if (!result && (stat(wanted->folder, &facts) || !S_ISDIR(facts.st_mode)))
        return errno == EEXIST
                   ? fth_fail(error, "'%s' is no folder; choose another one with --svg",
                              wanted->folder)
                   : fth_fail_errno(error, "cannot make the folder '%s' for --svg", wanted->folder);
    for (size_t i = 0; i < fth_picture_count; i++) {
        char *path = path_of(wanted, fth_picture_kinds[i]);
        int checked = fth_cmd_check_new_file(path, wanted->force, error);
        free(path);
        if (checked)
            return -1;
    }
    return result;
}

static int find(void *context, struct fth_trace *trace, struct fth_results *results,
                struct fth_error **error)
{
    struct pictures *pictures = context;
    return pictures->find(pictures->context, trace, results, error);
}

/* Draws them all, and says where each one is. */
static int save(void *context, const struct fth_report_request *request, struct fth_trace *trace,
                const struct fth_results *results, struct fth_error **error)
{
    const struct pictures *pictures = context;
    const struct fth_pictured pictured = {trace, results, &request->view};
    for (size_t i = 0; i < fth_picture_count; i++) {
        struct fth_sink drawn;
        fth_sink_open_memory(&drawn);
        fth_views_draw(fth_picture_kinds[i], &pictured, &drawn);
        char *path = path_of(pictures->wanted, fth_picture_kinds[i]);
        int result = fth_cmd_save(path, &drawn, pictures->wanted->force, error);
        fth_sink_close_memory(&drawn);
        if (!result)
            fth_say(stdout, "%s\n", path);
        free(path);
        if (result)
            return -1;
    }
    return fflush(stdout) ? fth_fail_errno(error, "cannot write to the standard output") : 0;
}

int fth_cmd_report_pictures(struct fth_report_request *request,
                            const struct fth_cmd_pictures *wanted, fth_cmd_findings *findings,
                            void *context, struct fth_error **error)
{
    struct pictures pictures = {wanted, findings, context};
    struct fth_trace *trace = fth_cmd_open_trace(request->view.trace_path, error);
    if (!trace)
        return -1;
    int made = make_folder(wanted, error), result = made < 0 ? -1 : 0;
    if (!result)
        fth_cmd_report_incomplete("report", trace, &request->selection, NULL);
    if (!result)
        result = fth_cmd_report_of(request, trace, find, save, &pictures, error);
    if (result && made > 0)
        rmdir(wanted->folder); /* unless something is in it */
    fth_trace_close(trace);
    return result;
}
