/* Where an export goes: the standard output, a file or a folder. What is half-written has another
 * name. */
#include "cmd/export/export_request.h"

#include "base/memory.h"
#include "cmd/shared/command.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/output_folder.h"
#include "cmd/shared/surveying.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

struct fth_trace *fth_cmd_export_open(struct fth_cmd_export *request, struct fth_error **error)
{
    if (request->anonymous && fth_pseudonyms_begin(&request->names, request->key_file, error))
        return NULL;
    struct fth_trace *trace = fth_cmd_open_trace(request->trace_path, error);
    if (trace && fth_analysis_check_selection(&request->selection, trace, error)) {
        fth_trace_close(trace);
        return NULL;
    }
    if (trace)
        fth_cmd_report_incomplete("export", trace, &request->selection, NULL);
    return trace;
}

bool fth_cmd_export_to_standard_output(const struct fth_cmd_export *request)
{
    return request->output && !strcmp(request->output, "-");
}

char *fth_cmd_export_output(const struct fth_cmd_export *request)
{
    static const char suffix[] = ".fathom";
    if (request->output)
        return fth_text_copy(request->output);
    const char *slash = strrchr(request->trace_path, '/');
    const char *name = slash ? slash + 1 : request->trace_path;
    size_t length = strlen(name), end = sizeof suffix - 1;
    if (length > end && !strcmp(name + length - end, suffix))
        length -= end;
    return fth_text_format("%.*s%s", (int)length, name, request->exporter->extension);
}

static int report(struct fth_trace *trace, const struct fth_selection *selection,
                  struct fth_results *results, struct fth_error **error)
{
    struct fth_cmd_survey survey = {.selection = selection};
    fth_thresholds_init(&survey.thresholds);
    return fth_cmd_survey(&survey, trace, results, error);
}

int fth_cmd_export_to(const struct fth_cmd_export *request, struct fth_trace *trace,
                      struct fth_output *output, const char *folder,
                      const struct fth_export_share *share, struct fth_export_sums *sums,
                      struct fth_error **error)
{
    const struct fth_export_request wanted = {
        .exporter = request->exporter,
        .selection = &request->selection,
        .output = output,
        .folder = folder,
        .tables = &request->tables,
        .names = request->anonymous ? &request->names : NULL,
        /* What a terminal shows is not joined from files: control characters are made visible. */
        .jobs = output && output->style.width ? 1 : request->jobs,
        .share = share ? *share : (struct fth_export_share){.count = 1},
        .report = report,
    };
    return fth_export(&wanted, trace, sums, error);
}

static int to_standard_output(const struct fth_cmd_export *request, struct fth_trace *trace,
                              struct fth_export_sums *sums, struct fth_error **error)
{
    static struct fth_output output;
    const char *folder = getenv("TMPDIR");
    if (request->exporter->is_folder)
        return fth_fail(error, "%s is a folder of files, which the standard output cannot be",
                        request->exporter->name);
    if (fth_views_open(&output, NULL, NULL, error))
        return -1;
    int result = fth_cmd_export_to(request, trace, &output, folder && *folder ? folder : "/tmp",
                                   NULL, sums, error);
    return fth_views_close(&output, result ? NULL : error) || result ? -1 : 0;
}

static int to_draft(const struct fth_cmd_export *request, struct fth_trace *trace,
                    struct fth_cmd_draft *draft, struct fth_export_sums *sums,
                    struct fth_error **error)
{
    static struct fth_output output;
    char *copy = fth_text_copy(draft->path);
    fth_views_open_file(&output, draft->descriptor, draft->path);
    int result = fth_cmd_export_to(request, trace, &output, dirname(copy), NULL, sums, error);
    free(copy);
    return result ? result : fth_views_finish(&output, error);
}

int fth_cmd_export_draft(const struct fth_cmd_export *request, struct fth_cmd_draft *draft,
                         const char *path, struct fth_error **error)
{
    const char *inputs[] = {request->trace_path, NULL};
    return fth_views_check_output(path, inputs, error) ||
                   fth_cmd_check_new_file(path, request->force, error) ||
                   fth_cmd_open_draft(draft, path, request->force, error)
               ? -1
               : 0;
}

static int to_file(const struct fth_cmd_export *request, struct fth_trace *trace, const char *name,
                   struct fth_export_sums *sums, struct fth_error **error)
{
    struct fth_cmd_draft draft;
    char *path = fth_cmd_output_file(name);
    if (!path)
        return fth_fail_errno(error, "cannot write to '%s'", name);
    int result = fth_cmd_export_draft(request, &draft, path, error);
    if (!result)
        result = fth_cmd_close_draft(&draft, to_draft(request, trace, &draft, sums, error), error);
    free(path);
    return result;
}

static int to_folder(const struct fth_cmd_export *request, struct fth_trace *trace,
                     const char *name, struct fth_export_sums *sums, struct fth_error **error)
{
    struct fth_cmd_draft_folder draft;
    if (fth_cmd_open_draft_folder(&draft, name, request->exporter->mark, request->force, error))
        return -1;
    int result = fth_cmd_export_to(request, trace, NULL, draft.name, NULL, sums, error);
    return fth_cmd_close_draft_folder(&draft, result, error);
}

int fth_cmd_export_alone(const struct fth_cmd_export *request, struct fth_trace *trace,
                         const char *name, struct fth_export_sums *sums, struct fth_error **error)
{
    if (fth_cmd_export_to_standard_output(request))
        return to_standard_output(request, trace, sums, error);
    return request->exporter->is_folder ? to_folder(request, trace, name, sums, error)
                                        : to_file(request, trace, name, sums, error);
}
