/* Each trace gets one page, whatever number of steps it has; a link chooses the processes of its
 * step. */
#include "cmd/workflow/step_pages.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "base/path_text.h"
#include "base/text.h"
#include "cmd/shared/command.h"
#include "workflow/gather/trace_steps.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct page_of_trace {
    struct fth_trace *trace; /* NULL: there is none */
    uint32_t *owners;        /* by process: its step, as the trace alone numbers them */
    char *name;              /* of its file in the folder; NULL: it has no page */
    bool is_opened, is_tried;
};

/* "run.html" -> "run-steps" */
static char *folder_of(const char *html)
{
    size_t length = strlen(html);
    if (fth_text_ends(html, ".html"))
        length -= strlen(".html");
    return fth_text_format("%.*s-steps", (int)length, html);
}

/* The name of the file alone, with a number: traces of several folders may have one name. Only what
 * needs no escape in an address. */
static char *name_of_page(const char *trace, uint32_t number)
{
    const char *last = strrchr(trace, '/');
    char *name = fth_text_format("%u-%s.html", number, last ? last + 1 : trace);
    for (char *at = name; *at; at++)
        if (!strchr("-._", *at) && !(*at >= '0' && *at <= '9') && !(*at >= 'a' && *at <= 'z') &&
            !(*at >= 'A' && *at <= 'Z'))
            *at = '_';
    return name;
}

static bool write_page(const char *trace, const char *path, unsigned jobs)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%u", jobs ? jobs : 1);
    const char *words[] = {"fathom report", "--html", "-o",  path, "--jobs",
                           threads,         "--",     trace, NULL};
    char *copies[sizeof words / sizeof *words] = {NULL};
    size_t count = sizeof words / sizeof *words - 1;
    for (size_t i = 0; i < count; i++)
        copies[i] = fth_text_copy(words[i]);
    char *arguments[sizeof words / sizeof *words];
    memcpy(arguments, copies, sizeof copies); /* they are put into another order */
    int status = fth_cmd_report((int)count, arguments);
    for (size_t i = 0; i < count; i++)
        free(copies[i]);
    return !status;
}

static void open_trace(struct page_of_trace *page, const char *path)
{
    size_t steps;
    page->is_opened = true;
    page->trace = fth_trace_open(path, NULL);
    if (page->trace)
        page->owners = fth_workflow_steps_of(page->trace, &steps);
}

static void make_page(struct page_of_trace *page, const char *trace, const char *folder,
                      uint32_t number, unsigned jobs)
{
    char *name = name_of_page(trace, number), *path = fth_path_below(folder, name);
    page->is_tried = true;
    if (write_page(trace, path, jobs))
        page->name = name;
    else
        free(name);
    free(path);
}

/* "run-steps/0-a.fathom.html#view=timeline&procs=3,4" */
static char *link_to(const struct page_of_trace *page, const char *folder, const bool *procs)
{
    enum { MOST = 64 }; /* processes in an address */
    const char *last = strrchr(folder, '/');
    char *text = fth_text_format("%s/%s", last ? last + 1 : folder, page->name);
    uint32_t count = 0;
    for (size_t i = 0; i < fth_trace_process_count(page->trace) && count < MOST; i++) {
        if (!procs[i])
            continue;
        char *longer = fth_text_format("%s%s%zu", text, count++ ? "," : "#view=timeline&procs=", i);
        free(text);
        text = longer;
    }
    return text;
}

/* NULL: its trace is not here, or has no page. */
static char *page_of_step(struct page_of_trace *page, const struct fth_workflow_step *step,
                          const char *folder, uint32_t number, unsigned jobs)
{
    if (!page->is_opened)
        open_trace(page, step->trace);
    bool *procs = page->trace ? fth_workflow_processes_of(page->trace, page->owners, step) : NULL;
    if (procs && !page->is_tried)
        make_page(page, step->trace, folder, number, jobs);
    char *link = procs && page->name ? link_to(page, folder, procs) : NULL;
    free(procs);
    return link;
}

int fth_cmd_write_step_pages(struct fth_step_pages *pages, struct fth_workflow *workflow,
                             const char *html, unsigned jobs, struct fth_error **error)
{
    struct fth_keyed traces = {.size = sizeof(struct page_of_trace)};
    char *folder = folder_of(html);
    uint32_t lacking = 0, example = 0;
    *pages = (struct fth_step_pages){
        .count = workflow->step_count,
        .links = fth_new((size_t)workflow->step_count + 1, sizeof *pages->links)};
    if (mkdir(folder, 0777) && errno != EEXIST) {
        fth_fail_errno(error, "cannot make the folder '%s'", folder);
        free(folder);
        return -1;
    }
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const struct fth_workflow_step *step = &workflow->steps[i];
        struct page_of_trace *page = fth_keyed_get(&traces, step->trace, strlen(step->trace) + 1);
        pages->links[i] = page_of_step(page, step, folder, fth_keyed_count(&traces) - 1, jobs);
        if (!pages->links[i] && !lacking++)
            example = i;
    }
    if (lacking)
        fth_workflow_note(workflow, "what is in the traces of %u steps, which have no page: %s%s",
                          lacking, workflow->steps[example].trace, lacking > 1 ? " ..." : "");
    for (uint32_t i = 0; i < fth_keyed_count(&traces); i++) {
        struct page_of_trace *page = fth_keyed_item(&traces, i);
        fth_trace_close(page->trace);
        free(page->owners);
        free(page->name);
    }
    fth_keyed_free(&traces);
    free(folder);
    return 0;
}

void fth_step_pages_free(struct fth_step_pages *pages)
{
    for (uint32_t i = 0; i < pages->count; i++)
        free(pages->links[i]);
    free(pages->links);
    *pages = (struct fth_step_pages){0};
}
