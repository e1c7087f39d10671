/* Runs of programs alone and together; and the search for servers that keep them apart: of two
 * programs every division of the servers, or of many servers up to 16 of them, in either order; of
 * more programs one by their bytes and one in equal parts. A program whose files are on some
 * servers only may stay there, and the others get the rest. */
#include "sim/results/contended.h"

#include "base/memory.h"
#include "sim/io/server.h"
#include "sim/program/program_text.h"
#include "sim/world/world.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DIVISIONS = 16 };
/* Who waits less than this for others is not slowed down by them; the same of what is better. */
static const double LITTLE = 0.01;

/* ---- one run ---- */

static struct fth_sim_program *open_one(const struct fth_sim_contention *contention, size_t index,
                                        struct fth_error **error)
{
    const char *path = contention->paths[index];
    return fth_sim_is_trace(path) ? fth_sim_replay_open(path, contention->replay, error)
                                  : fth_sim_program_read(path, 0, error);
}

static void close_one(const struct fth_sim_contention *contention, size_t index,
                      struct fth_sim_program *program)
{
    if (program && fth_sim_is_trace(contention->paths[index]))
        fth_sim_replay_free(program);
    else if (program)
        fth_sim_program_free(program);
}

static int note_ends(const struct fth_sim_contention *contention, const struct fth_sim_world *world,
                     const struct fth_sim_program *together, struct fth_sim_contended *run,
                     struct fth_error **error)
{
    for (size_t i = 0; i < contention->count; i++) {
        uint32_t first = fth_sim_together_rank(together, i),
                 behind = fth_sim_together_rank(together, i + 1);
        run->ranks[i] = behind - first;
        for (uint32_t rank = first; rank < behind; rank++) {
            char text[256];
            int64_t end = fth_sim_world_end(world, rank, text, sizeof text);
            if (end < 0)
                return fth_fail(error, "rank %u of '%s' waits forever: %s", rank - first,
                                contention->paths[i], text);
            run->ends[i] = end > run->ends[i] ? end : run->ends[i];
        }
    }
    return 0;
}

static void note_servers(const struct fth_sim_contention *contention,
                         const struct fth_sim_world *world, const struct fth_sim_program *together,
                         struct fth_sim_contended *run)
{
    uint32_t servers = contention->cluster->servers.count;
    const struct fth_sim_server *server;
    run->time = fth_sim_world_time(world);
    run->busy = fth_new(servers + 1, sizeof *run->busy);
    run->bytes = fth_new((size_t)servers * contention->count + 1, sizeof *run->bytes);
    for (uint32_t i = 0; (server = fth_sim_world_server(world, i)); i++) {
        run->busy[i] = server->disk.busy;
        for (size_t k = 0; k < contention->count; k++)
            for (uint32_t file = fth_sim_together_file(together, k);
                 file < fth_sim_together_file(together, k + 1); file++)
                run->bytes[i * contention->count + k] += server->done.bytes_of[file];
    }
}

static int simulate(const struct fth_sim_contention *contention,
                    const struct fth_sim_contender *contenders, struct fth_sim_contended *run,
                    struct fth_error **error)
{
    struct fth_sim_program *together = fth_sim_together_new(contenders, contention->count, error);
    struct fth_sim_world *world =
        together ? fth_sim_world_new(contention->cluster, together, error) : NULL;
    int result = world ? 0 : -1;
    for (size_t i = 0; world && i < contention->method_count; i++)
        fth_sim_world_use(world, contention->methods[i]);
    if (!result)
        result = fth_sim_run_within(world, contention->limits, error);
    if (!result)
        result = note_ends(contention, world, together, run, error);
    if (!result)
        note_servers(contention, world, together, run);
    fth_sim_world_free(world);
    fth_sim_together_free(together);
    return result;
}

enum { ALL = FTH_SIM_CONTENDERS };

/* `alone`: the only one that is there, or ALL. Traces are read anew, as they are used up. */
static int run(const struct fth_sim_contention *contention,
               const struct fth_sim_server_set *servers, size_t alone, bool is_reported,
               struct fth_sim_contended *run_of, struct fth_error **error)
{
    struct fth_sim_contender contenders[FTH_SIM_CONTENDERS] = {0};
    int result = 0;
    for (size_t i = 0; i < contention->count && !result; i++) {
        contenders[i].program = open_one(contention, i, error);
        contenders[i].is_absent = alone != ALL && alone != i;
        contenders[i].servers = run_of->servers[i] = servers[i];
        bool is_trace = contenders[i].program && fth_sim_is_trace(contention->paths[i]);
        if (is_trace && is_reported && contention->opened)
            contention->opened(contenders[i].program);
        result = contenders[i].program ? 0 : -1;
    }
    if (!result)
        result = simulate(contention, contenders, run_of, error);
    for (size_t i = 0; i < contention->count; i++) {
        bool is_trace = contenders[i].program && fth_sim_is_trace(contention->paths[i]);
        if (!result && is_trace && is_reported && contention->ended)
            result = contention->ended(contenders[i].program, error);
        close_one(contention, i, contenders[i].program);
    }
    return result;
}

static void forget(struct fth_sim_contended *run_of)
{
    free(run_of->busy);
    free(run_of->bytes);
    *run_of = (struct fth_sim_contended){0};
}

/* ---- what it means ---- */

double fth_sim_slowdown(const struct fth_sim_contention_result *result,
                        const struct fth_sim_contended *run_of, size_t index)
{
    int64_t alone = result->alone[index].ends[index];
    return alone > 0 ? (double)run_of->ends[index] / (double)alone : 1;
}

static double worst(const struct fth_sim_contention_result *result,
                    const struct fth_sim_contended *run_of)
{
    double most = 0;
    for (size_t i = 0; i < result->count; i++) {
        double slowdown = fth_sim_slowdown(result, run_of, i);
        most = slowdown > most ? slowdown : most;
    }
    return most;
}

/* More servers may make one faster than it was alone, which makes up for nothing that others
 * lose. */
static double mean(const struct fth_sim_contention_result *result,
                   const struct fth_sim_contended *run_of)
{
    double sum = 0;
    for (size_t i = 0; i < result->count; i++) {
        double slowdown = fth_sim_slowdown(result, run_of, i);
        sum += slowdown > 1 ? slowdown : 1;
    }
    return sum / (double)result->count;
}

/* Of the servers that two or more use, that whose disk works longest; of equals that which moves
 * most. */
static uint32_t find_met(const struct fth_sim_contention_result *result)
{
    const struct fth_sim_contended *together = &result->together;
    uint32_t met = UINT32_MAX;
    uint64_t most = 0;
    for (uint32_t server = 0; server < result->server_count; server++) {
        uint64_t bytes = 0;
        size_t users = 0;
        for (size_t i = 0; i < result->count; i++) {
            bytes += together->bytes[server * result->count + i];
            users += together->bytes[server * result->count + i] > 0;
        }
        bool is_first = met == UINT32_MAX;
        if (users > 1 && (is_first || together->busy[server] > together->busy[met] ||
                          (together->busy[server] == together->busy[met] && bytes > most))) {
            met = server;
            most = bytes;
        }
    }
    return met;
}

/* ---- servers for each ---- */

struct dividing {
    const struct fth_sim_contention *contention;
    struct fth_sim_contention_result *result;
};

static int try(const struct dividing *dividing, const struct fth_sim_server_set *servers,
               struct fth_error **error)
{
    struct fth_sim_contention_result *result = dividing->result;
    struct fth_sim_contended run_of = {0};
    if (run(dividing->contention, servers, ALL, false, &run_of, error)) {
        forget(&run_of);
        return -1;
    }
    result->tried++;
    const struct fth_sim_contended *best = result->apart.busy ? &result->apart : &result->together;
    double now = mean(result, &run_of), before = mean(result, best),
           now_worst = worst(result, &run_of), before_worst = worst(result, best);
    bool is_better = now < before * (1 - LITTLE) ||
                     (now < before * (1 + LITTLE) && now_worst < before_worst * (1 - LITTLE));
    if (!is_better) {
        forget(&run_of);
        return 0;
    }
    forget(&result->apart);
    result->apart = run_of;
    return 0;
}

/* The servers that a program used alone, if they are not all, and one behind the other. */
static struct fth_sim_server_set used_by(const struct fth_sim_contention_result *result,
                                         size_t index)
{
    const uint64_t *bytes = result->alone[index].bytes;
    struct fth_sim_server_set set = {0};
    uint32_t begins = 0;
    for (uint32_t i = 0; i < result->server_count; i++) {
        uint32_t before = (i + result->server_count - 1) % result->server_count;
        bool uses = bytes[i * result->count + index] > 0,
             used = bytes[before * result->count + index] > 0;
        set.count += uses;
        if (uses && !used) {
            set.first = i;
            begins++;
        }
    }
    return begins == 1 && set.count < result->server_count ? set : (struct fth_sim_server_set){0};
}

/* Two programs: who is on some servers stays there; or the first so many servers for one of them,
 * the rest for the other one, where that is better. */
static int try_two(const struct dividing *dividing, struct fth_error **error)
{
    uint32_t servers = dividing->result->server_count;
    for (size_t i = 0; i < 2; i++) {
        struct fth_sim_server_set stays = used_by(dividing->result, i), sets[2];
        sets[i] = stays;
        sets[1 - i] = (struct fth_sim_server_set){(stays.first + stays.count) % servers,
                                                  servers - stays.count};
        if (stays.count && try(dividing, sets, error))
            return -1;
    }
    uint32_t step = (servers - 1 + MOST_DIVISIONS - 1) / MOST_DIVISIONS;
    for (uint32_t first = step; first < servers; first += step) {
        const struct fth_sim_server_set sets[2] = {{0, first}, {first, servers - first}};
        if (try(dividing, sets, error))
            return -1;
    }
    return 0;
}

static uint64_t bytes_of(const struct fth_sim_contention_result *result, size_t index)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < result->server_count; i++)
        bytes += result->together.bytes[i * result->count + index];
    return bytes;
}

/* Each gets one, and of the others a part that goes by its bytes, or an equal one. */
static int try_parts(const struct dividing *dividing, bool by_bytes, struct fth_error **error)
{
    const struct fth_sim_contention_result *result = dividing->result;
    struct fth_sim_server_set sets[FTH_SIM_CONTENDERS];
    double all = 0, before = 0;
    uint32_t spare = result->server_count - (uint32_t)result->count, given = 0;
    for (size_t i = 0; i < result->count; i++)
        all += by_bytes ? (double)bytes_of(result, i) : 1;
    for (size_t i = 0; i < result->count; i++) {
        before += by_bytes ? (double)bytes_of(result, i) : 1;
        uint32_t upto = all > 0 ? (uint32_t)(before / all * spare + 0.5) : 0;
        sets[i] = (struct fth_sim_server_set){(uint32_t)i + given, 1 + upto - given};
        given = upto;
    }
    return try(dividing, sets, error);
}

static int divide(const struct dividing *dividing, struct fth_error **error)
{
    const struct fth_sim_contention_result *result = dividing->result;
    if (result->server_count < result->count || result->met == UINT32_MAX ||
        worst(result, &result->together) < 1 + LITTLE)
        return 0;
    if (result->count == 2)
        return try_two(dividing, error);
    return try_parts(dividing, true, error) || try_parts(dividing, false, error) ? -1 : 0;
}

/* ---- all of it ---- */

int fth_sim_contend(const struct fth_sim_contention *contention,
                    struct fth_sim_contention_result *result, struct fth_error **error)
{
    *result = (struct fth_sim_contention_result){.count = contention->count,
                                                 .server_count = contention->cluster->servers.count,
                                                 .met = UINT32_MAX};
    if (run(contention, contention->servers, ALL, true, &result->together, error))
        return -1;
    for (size_t i = 0; i < contention->count; i++)
        if (run(contention, contention->servers, i, false, &result->alone[i], error))
            return -1;
    result->met = find_met(result);
    return divide(&(struct dividing){contention, result}, error);
}

void fth_sim_contention_free(struct fth_sim_contention_result *result)
{
    for (size_t i = 0; i < result->count; i++)
        forget(&result->alone[i]);
    forget(&result->together);
    forget(&result->apart);
}
