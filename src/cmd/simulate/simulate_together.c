/* `fathom simulate A B`: programs that run at the same time on one cluster. */
#include "base/phrase.h"
#include "base/visible.h"
#include "cmd/shared/command.h"
#include "cmd/simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fth_cmd_add_program(struct argp_state *state, struct fth_cmd_simulation *request,
                         const char *path)
{
    struct fth_sim_contention *contention = &request->contention;
    if (contention->count == FTH_SIM_CONTENDERS)
        fth_cmd_wrong(state, "there can be %d programs; '%s' is one more", FTH_SIM_CONTENDERS,
                      path);
    else
        contention->paths[contention->count++] = path;
    request->program_path = contention->paths[0];
}

/* "2=1-7", "1=0": a program by its number, and servers. */
void fth_cmd_place_files(struct argp_state *state, struct fth_cmd_simulation *request,
                         const char *text)
{
    unsigned program = 0, first = 0, last = 0;
    int used = 0;
    bool is_range = sscanf(text, "%8u=%8u-%8u%n", &program, &first, &last, &used) == 3;
    if (!is_range) {
        used = 0;
        if (sscanf(text, "%8u=%8u%n", &program, &first, &used) != 2)
            used = 0;
        last = first;
    }
    if (!used || text[used] || !program || program > FTH_SIM_CONTENDERS || last < first) {
        fth_cmd_wrong(
            state, "--files-on takes the number of a program and servers: 2=1-7, not '%s'", text);
        return;
    }
    request->contention.servers[program - 1] = (struct fth_sim_server_set){first, last - first + 1};
    if (program > request->most_placed)
        request->most_placed = program;
}

/* What is for one program only. */
void fth_cmd_check_programs(struct argp_state *state, const struct fth_cmd_simulation *request)
{
    if (request->contention.count < 2) {
        if (request->most_placed)
            fth_cmd_wrong(state, "--files-on is for several programs");
        return;
    }
    const struct {
        const char *option;
        bool is_given;
    } single[] = {{"--sweep", request->sweep.axis_count > 0},
                  {"--against", request->is_compared},
                  {"--trace", request->trace_path != NULL},
                  {"--processes", request->processes > 0}};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (single[i].is_given)
            fth_cmd_wrong(state, "%s is for one program, and '%s' is the second", single[i].option,
                          request->contention.paths[1]);
    if (request->most_placed > request->contention.count)
        fth_cmd_wrong(state, "--files-on %u: there are %zu programs", request->most_placed,
                      request->contention.count);
}

/* ---- the page ---- */

/* What MPI-IO calls that set of servers, where a file system takes it. */
static void say_apart(struct fth_writer *writer, const struct fth_sim_contention *contention,
                      const struct fth_sim_contention_result *result)
{
    for (size_t i = 0; i < result->count; i++) {
        const struct fth_sim_server_set *set = &result->apart.servers[i];
        char *text = fth_sim_server_set_text(set, result->server_count);
        fth_views_write_remark(
            writer, FTH_PAINT_GOOD,
            "Apart: files of %s on server%s %s (striping_factor=%u, start_iodevice=%u): %s, "
            "%s times alone",
            contention->paths[i], set->count == 1 ? "" : "s", text, set->count, set->first,
            fth_phrase_duration(result->apart.ends[i]).text,
            fth_phrase_ratio(fth_sim_slowdown(result, &result->apart, i)).text);
        free(text);
    }
}

enum { SLOWED_PERCENT = 1 /* less is shown as a slowdown of 1.00 */ };

static bool slows(const struct fth_sim_contention_result *result)
{
    for (size_t i = 0; i < result->count; i++)
        if (fth_sim_slowdown(result, &result->together, i) >= 1 + SLOWED_PERCENT / 200.0)
            return true;
    return false;
}

static void say_met(struct fth_writer *writer, const struct fth_sim_contention *contention,
                    const struct fth_sim_contention_result *result)
{
    if (result->met == UINT32_MAX) {
        fth_views_write_remark(writer, FTH_PAINT_PLAIN, "The programs meet at no server.");
        return;
    }
    if (!slows(result)) {
        fth_views_write_remark(writer, FTH_PAINT_GOOD,
                               "They meet at server %u, but do not slow each other down.",
                               result->met);
        return;
    }
    const uint64_t *bytes = &result->together.bytes[result->met * result->count];
    int64_t busy = result->together.busy[result->met];
    fth_views_write_remark(writer, FTH_PAINT_WARNING,
                           "They meet at server %u, whose disk is busy for %s of %s:", result->met,
                           fth_phrase_duration(busy).text,
                           fth_phrase_duration(result->together.time).text);
    for (size_t i = 0; i < result->count; i++)
        if (bytes[i])
            fth_views_write_remark(writer, FTH_PAINT_PLAIN,
                                   "%s moves %s there; alone the disk is busy for %s",
                                   contention->paths[i], fth_phrase_bytes(bytes[i]).text,
                                   fth_phrase_duration(result->alone[i].busy[result->met]).text);
}

static void say(struct fth_writer *writer, const struct fth_sim_contention *contention,
                const struct fth_sim_contention_result *result)
{
    say_met(writer, contention, result);
    if (result->apart.busy)
        say_apart(writer, contention, result);
    else if (result->tried)
        fth_views_write_remark(writer, FTH_PAINT_PLAIN,
                               "None of %zu divisions of the servers makes the programs faster on "
                               "average.",
                               result->tried);
    else if (result->met != UINT32_MAX && slows(result) && result->server_count < result->count)
        fth_views_write_remark(writer, FTH_PAINT_PLAIN,
                               "There are too few servers to keep them apart.");
}

static void put_facts(struct fth_json *facts, const struct fth_sim_contention *contention,
                      const struct fth_sim_contention_result *result)
{
    fth_json_key_text(facts, "cluster", contention->cluster->name);
    fth_json_key(facts, "met_at");
    if (result->met == UINT32_MAX)
        fth_json_null(facts);
    else
        fth_json_unsigned(facts, result->met);
    fth_json_key_unsigned(facts, "divisions", result->tried);
}

static int show(const struct fth_cmd_simulation *request,
                const struct fth_sim_contention_result *result, struct fth_error **error)
{
    const struct fth_sim_contention *contention = &request->contention;
    struct fth_table *programs = fth_sim_contenders_table(contention, result),
                     *servers = fth_sim_met_servers_table(contention, result);
    const struct fth_table_layout all = {0},
                                  some = {.top = request->top * result->count,
                                          .more = "--top 0 shows all",
                                          .top_of_all = request->top_chosen
                                                            ? request->top * result->count
                                                            : 0};
    struct fth_writer writer;
    int failed = !programs || !servers || fth_table_failed(programs) || fth_table_failed(servers)
                     ? fth_fail(error, "out of memory for the tables")
                     : fth_cmd_open_simulation(&writer, request, error);
    if (!failed) {
        put_facts(&writer.facts, contention, result);
        fth_views_write_table(&writer, programs, &all);
        if (fth_table_rows(servers) || !fth_views_for_people(&writer)) {
            fth_views_write_gap(&writer);
            fth_views_write_table(&writer, servers, &some);
        }
        fth_views_write_gap(&writer);
        say(&writer, contention, result);
        failed = fth_cmd_close_page(&writer, 0, error);
    }
    fth_table_free(programs);
    fth_table_free(servers);
    return failed;
}

int fth_cmd_together(struct fth_cmd_simulation *request, const struct fth_sim_limits *limits,
                     struct fth_error **error)
{
    struct fth_sim_cluster cluster;
    struct fth_sim_contention_result result;
    struct fth_sim_contention *contention = &request->contention;
    if (fth_sim_cluster_read(&cluster, request->cluster_path, error))
        return -1;
    contention->cluster = &cluster;
    contention->methods = request->methods;
    contention->method_count = request->method_count;
    contention->replay = &request->replay;
    contention->limits = limits;
    int failed = 0;
    for (size_t i = 0; i < contention->count && !failed; i++) {
        const struct fth_sim_server_set *set = &contention->servers[i];
        if (set->count && set->first + set->count > cluster.servers.count)
            failed = fth_fail(error, "--files-on %zu=%u...: the cluster has %s, numbered from 0",
                              i + 1, set->first,
                              fth_phrase_several(cluster.servers.count, "server", "servers").text);
    }
    if (!failed) {
        failed = fth_sim_contend(contention, &result, error);
        if (!failed)
            failed = show(request, &result, error);
        fth_sim_contention_free(&result);
    }
    fth_sim_cluster_free(&cluster);
    return failed;
}
