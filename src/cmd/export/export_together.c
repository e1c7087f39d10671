/* Ranks of a launcher that share an export. Each writes its parts: of a folder, files there; of a
 * file, one beside the draft of the first rank, which appends them in the order of the ranks. The
 * first rank puts the whole in its place when all have said that theirs is written. So a rank that
 * fails, or that the launcher ends, leaves nothing under the name of the export. */
#include "cmd/export/export_request.h"

#include "base/memory.h"
#include "cmd/shared/command.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/output_folder.h"
#include "measure/rank_results.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By the first rank, before the work. */
struct announcement {
    bool goes_on;
    char draft[PATH_MAX];
    struct fth_pseudonyms names; /* one key for all */
};

/* By each rank, after it. */
struct outcome {
    bool failed;
    uint64_t calls;
    char text[1024]; /* of the error */
};

struct meeting {
    struct fth_cmd_export *request;
    struct fth_ranks *ranks;
    uint32_t rank, count;
    struct announcement announced;
    struct fth_output *output; /* of a file; NULL: not open */
    uint64_t calls;            /* of all ranks, for the first one */
};

/* ---- files of other ranks ---- */

static char *file_of(const struct meeting *meeting, uint32_t rank)
{
    return fth_text_format("%s.%" PRIu32, meeting->announced.draft, rank);
}

static int append(struct fth_output *output, const char *path, struct fth_error **error)
{
    static char buffer[1 << 16];
    ssize_t count = -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    while (file >= 0 && (count = read(file, buffer, sizeof buffer)) > 0 &&
           !fth_views_stopped(output))
        fth_sink_bytes(&output->sink, buffer, (size_t)count);
    int result = count < 0 ? fth_fail_errno(error, "cannot read '%s'", path) : 0;
    if (file >= 0)
        close(file);
    return result;
}

/* Their files are removed, whatever came of it. */
static int append_others(const struct meeting *meeting, int result, struct fth_error **error)
{
    for (uint32_t rank = 1; rank < meeting->count; rank++) {
        char *path = file_of(meeting, rank);
        if (!result)
            result = append(meeting->output, path, error);
        unlink(path);
        free(path);
    }
    return result;
}

/* ---- the meeting ---- */

static uint32_t by_itself(uint64_t item, uint32_t ranks)
{
    return (uint32_t)(item % ranks);
}

static int hear_others(struct meeting *meeting, const struct outcome *outcomes,
                       struct fth_error **error)
{
    for (uint32_t rank = 0; rank < meeting->count; rank++) {
        meeting->calls += outcomes[rank].calls;
        if (rank && outcomes[rank].failed && !*error)
            fth_fail(error, "rank %" PRIu32 " of the export: %s", rank, outcomes[rank].text);
    }
    return *error ? -1 : 0;
}

/* Each rank comes here once, with what came of its share. */
static int meet(void *context, int result, uint64_t calls, struct fth_error **error)
{
    struct meeting *meeting = context;
    struct outcome *outcomes = fth_new(meeting->count, sizeof *outcomes);
    struct outcome *mine = &outcomes[meeting->rank];
    if (meeting->rank && meeting->output && !result)
        result = fth_views_finish(meeting->output, error);
    *mine = (struct outcome){.failed = result, .calls = calls};
    if (result)
        snprintf(mine->text, sizeof mine->text, "%s", fth_error_text(*error));
    fth_ranks_gather(meeting->ranks, by_itself, outcomes, sizeof *outcomes, meeting->count);
    if (!meeting->rank)
        result = hear_others(meeting, outcomes, error);
    if (!meeting->rank && meeting->output)
        result = append_others(meeting, result, error);
    free(outcomes);
    return result;
}

/* ---- a share ---- */

/* Of a file: also rank 0's, which is the draft. */
static int to_file(struct meeting *meeting, struct fth_trace *trace,
                   const struct fth_export_share *share, int descriptor, struct fth_error **error)
{
    static struct fth_output output;
    struct fth_export_sums sums;
    char *copy = fth_text_copy(meeting->announced.draft);
    fth_views_open_file(&output, descriptor, meeting->announced.draft);
    meeting->output = &output;
    int result =
        fth_cmd_export_to(meeting->request, trace, &output, dirname(copy), share, &sums, error);
    free(copy);
    return result || meeting->rank ? result : fth_views_finish(&output, error);
}

static int to_own_file(struct meeting *meeting, struct fth_trace *trace,
                       const struct fth_export_share *share, struct fth_error **error)
{
    char *path = file_of(meeting, meeting->rank);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int result = file < 0 ? fth_fail_errno(error, "cannot write to '%s'", path) : 0;
    if (file < 0)
        meet(meeting, result, 0, error);
    else
        result = to_file(meeting, trace, share, file, error);
    if (file >= 0)
        close(file);
    free(path);
    return result;
}

static int to_folder(struct meeting *meeting, struct fth_trace *trace,
                     const struct fth_export_share *share, struct fth_error **error)
{
    struct fth_export_sums sums = {0};
    int result = fth_cmd_export_to(meeting->request, trace, NULL, meeting->announced.draft, share,
                                   &sums, error);
    return meet(meeting, result, sums.calls, error);
}

/* ---- the ranks ---- */

/* The first rank has made the key, and says what there is to say. */
static struct fth_trace *open_trace(const struct fth_cmd_export *request, struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(request->trace_path, error);
    if (!trace || !fth_analysis_check_selection(&request->selection, trace, error))
        return trace;
    fth_trace_close(trace);
    return NULL;
}

/* The first rank says what is to be done. False: nothing. */
static bool hear(struct meeting *meeting, bool goes_on, const char *draft)
{
    struct announcement *announced = &meeting->announced;
    announced->goes_on = goes_on;
    announced->names = meeting->request->names;
    snprintf(announced->draft, sizeof announced->draft, "%s", draft ? draft : "");
    fth_ranks_tell(meeting->ranks, announced, sizeof *announced);
    meeting->request->names = announced->names;
    return announced->goes_on;
}

static void follow(struct meeting *meeting, const struct fth_export_share *share)
{
    struct fth_error *error = NULL;
    struct fth_trace *trace = open_trace(meeting->request, &error);
    if (!hear(meeting, false, NULL) || !trace)
        meet(meeting, trace ? 0 : -1, 0, &error);
    else if (meeting->request->exporter->is_folder)
        to_folder(meeting, trace, share, &error);
    else
        to_own_file(meeting, trace, share, &error);
    fth_trace_close(trace);
    fth_error_free(error); /* the first rank has it */
}

static int lead_to_folder(struct meeting *meeting, struct fth_trace *trace, const char *name,
                          const struct fth_export_share *share, struct fth_error **error)
{
    const struct fth_cmd_export *request = meeting->request;
    struct fth_cmd_draft_folder draft;
    int opened =
        fth_cmd_open_draft_folder(&draft, name, request->exporter->mark, request->force, error);
    if (!hear(meeting, !opened, opened ? NULL : draft.name))
        return meet(meeting, -1, 0, error);
    return fth_cmd_close_draft_folder(&draft, to_folder(meeting, trace, share, error), error);
}

static int lead_to_file(struct meeting *meeting, struct fth_trace *trace, const char *name,
                        const struct fth_export_share *share, struct fth_error **error)
{
    struct fth_cmd_draft draft;
    char *path = fth_cmd_output_file(name);
    int opened = path ? fth_cmd_export_draft(meeting->request, &draft, path, error)
                      : fth_fail_errno(error, "cannot write to '%s'", name);
    int result;
    if (!hear(meeting, !opened, opened ? NULL : draft.name))
        result = meet(meeting, -1, 0, error);
    else
        result = fth_cmd_close_draft(
            &draft, to_file(meeting, trace, share, draft.descriptor, error), error);
    free(path);
    return result;
}

static int lead(struct meeting *meeting, const char *name, const struct fth_export_share *share,
                struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_export_open(meeting->request, error);
    if (!trace) {
        hear(meeting, false, NULL);
        return meet(meeting, -1, 0, error);
    }
    int result = meeting->request->exporter->is_folder
                     ? lead_to_folder(meeting, trace, name, share, error)
                     : lead_to_file(meeting, trace, name, share, error);
    fth_trace_close(trace);
    return result;
}

int fth_cmd_export_together(struct fth_cmd_export *request, const struct fth_together *together,
                            struct fth_ranks *ranks, const char *name, uint64_t *calls,
                            struct fth_error **error)
{
    struct meeting *meeting = fth_new(1, sizeof *meeting);
    *meeting = (struct meeting){.request = request,
                                .ranks = ranks,
                                .rank = (uint32_t)together->rank,
                                .count = (uint32_t)together->size};
    const struct fth_export_share share = {
        .rank = meeting->rank,
        .count = meeting->count,
        .meet = request->exporter->is_folder ? NULL : meet,
        .meeting = meeting,
    };
    int result = 0;
    if (meeting->rank)
        follow(meeting, &share);
    else
        result = lead(meeting, name, &share, error);
    *calls = meeting->calls;
    free(meeting);
    return result;
}
