/* Any text is either a profile of a workflow or an error, and what is in a profile has a graph,
 * a critical path, findings, tables and pictures. For libFuzzer; the test fuzz.workflow builds
 * and runs it. */
#include "workflow/gather/step_profile.h"
#include "workflow/tell/graph_dot.h"
#include "workflow/tell/graph_svg.h"
#include "workflow/tell/workflow_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void show(const struct fth_workflow_facts *facts, const struct fth_results *results,
                 const struct fth_format *format)
{
    static struct fth_output output;
    const char *const no_inputs[] = {NULL};
    const struct fth_workflow_view view = {.all = true};
    struct fth_error *error = NULL;
    struct fth_writer writer;
    if (fth_views_open(&output, "/dev/null", no_inputs, &error))
        abort();
    fth_views_begin(&writer, format, &output,
                    &(struct fth_page){"workflow", FTH_WORKFLOW_LINE_DEPTH, "steps"});
    fth_workflow_page(&writer, facts, results, &view);
    if (fth_views_end(&writer, &error) || fth_views_close(&output, &error))
        abort();
}

static void draw(const struct fth_workflow_facts *facts)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    for (enum fth_workflow_layout layout = FTH_LAYOUT_GRAPH; layout <= FTH_LAYOUT_TIME; layout++)
        fth_workflow_write_svg(facts, layout, &sink);
    fth_workflow_write_dot(facts, &sink);
    fth_workflow_write_graphml(facts, &sink);
    fth_sink_close_memory(&sink);
}

static void look_at(const struct fth_workflow *workflow)
{
    struct fth_workflow_facts facts;
    struct fth_results results = {0};
    fth_workflow_facts_make(&facts, workflow);
    fth_workflow_tables(&facts, &results);
    fth_workflow_findings(&facts, &results);
    show(&facts, &results, &fth_format_terminal);
    show(&facts, &results, &fth_format_json);
    draw(&facts);
    fth_results_free(&results);
    fth_workflow_facts_free(&facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct fth_workflow workflow = {0};
    struct fth_error *error = NULL;
    char path[64];
    int descriptor = memfd_create("profile", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, bytes, length) != (ssize_t)length)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    bool read = !fth_workflow_add_profile(&workflow, path, &error);
    if (read == (error != NULL))
        abort();
    if (read)
        look_at(&workflow);
    fth_error_free(error);
    fth_workflow_free(&workflow);
    close(descriptor);
    return 0;
}
