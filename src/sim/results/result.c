/* Tables of a simulation: see the header. */
#include "sim/io/server.h"
#include "sim/results/result.h"

#include "sim/io/buffers.h"
#include "sim/results/resources.h"
#include "sim/world/world.h"

#include <stdio.h>

enum {
    TIME,
    LAST_END,
    PROCESSES,
    WAITING,
    EVENTS,
    MESSAGES,
    BYTES,
    GRANTED,
    LOCAL,
    CONFLICTS,
    INDEX_ASKED,
    INDEX_PASSED,
    INDEX_FETCHED,
    CRITICAL,
    BOUND,
    SUMMARY_COLUMNS
};
static const struct fth_column summary_columns[SUMMARY_COLUMNS] = {
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"end", "last end", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"unfinished", "unfinished", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"events", "events", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"messages", "messages", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes", "sent", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"tokens_granted", "tokens granted", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"tokens_local", "by the node", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"tokens_conflicts", "in conflict", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"index_requests", "fs requests", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"index_passed", "to other servers", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"index_fetched", "bytes of peers", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"critical", "busiest", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"bound", "lower bound", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
};

struct fth_table *fth_sim_summary(const struct fth_sim_world *world, uint32_t ranks)
{
    static const struct fth_shape shape = {"summary", "Simulation", summary_columns,
                                           SUMMARY_COLUMNS, 0};
    struct fth_table *table = fth_table_new(&shape);
    if (!table)
        return NULL;
    size_t row = fth_table_add_row(table);
    uint64_t bytes, messages = fth_sim_world_messages(world, &bytes);
    uint32_t waiting;
    int64_t end = fth_sim_world_last_end(world, &waiting);
    char name[64];
    int64_t bound = fth_sim_busiest(world, name, sizeof name);
    const struct fth_sim_token_managers none = {.granted = 0},
                                        *tokens = world->storage ? &world->storage->tokens : &none;
    const struct fth_sim_index nobody = {.count = 0},
                               *index = world->storage ? &world->storage->index : &nobody;
    const int64_t cells[] = {fth_sim_world_time(world),
                             end,
                             ranks,
                             waiting,
                             (int64_t)fth_sim_world_events(world),
                             (int64_t)messages,
                             (int64_t)bytes,
                             (int64_t)tokens->granted,
                             (int64_t)tokens->local,
                             (int64_t)tokens->conflicts,
                             (int64_t)index->asked,
                             (int64_t)index->passed,
                             (int64_t)index->fetched};
    for (size_t i = 0; i < CRITICAL; i++)
        fth_table_set(table, row, i, fth_cell_integer(cells[i]));
    if (bound)
        fth_table_set(table, row, CRITICAL, fth_cell_text(name));
    fth_table_set(table, row, BOUND, fth_cell_integer(bound));
    return table;
}

enum { NODES, PROCESSORS, WORKED, MEAN, MOST, PROCESSOR_COLUMNS };
static const struct fth_column processor_columns[PROCESSOR_COLUMNS] = {
    {"nodes", "nodes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"processors", "processors", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"busy", "busy", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"mean", "on average", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"busiest", "busiest", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};

struct fth_table *fth_sim_processors(const struct fth_sim_world *world)
{
    static const struct fth_shape shape = {"processors", "Processors", processor_columns,
                                           PROCESSOR_COLUMNS, 0};
    struct fth_table *table = fth_table_new(&shape);
    if (!table)
        return NULL;
    double time = (double)fth_sim_world_time(world), used = 0, most = 0;
    uint64_t count = 0;
    for (uint32_t i = 0; i < world->node_count; i++) {
        const struct fth_sim_processor *processor = &world->processors[i];
        double share =
            time > 0 ? 100 * (double)processor->used / (time * (double)processor->count) : 0;
        used += (double)processor->used;
        count += processor->count;
        most = share > most ? share : most;
    }
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, NODES, fth_cell_integer(world->node_count));
    fth_table_set(table, row, PROCESSORS, fth_cell_integer((int64_t)count));
    fth_table_set(table, row, WORKED, fth_cell_integer((int64_t)used));
    fth_table_set(table, row, MEAN,
                  fth_cell_real(time > 0 ? 100 * used / (time * (double)count) : 0));
    fth_table_set(table, row, MOST, fth_cell_real(most));
    return table;
}

enum { COMPONENT, COUNT, PACKETS, PASSED, BUSY, LARGEST, WAITED, MOST_WAITED, COMPONENT_COLUMNS };
static const struct fth_column component_columns[COMPONENT_COLUMNS] = {
    {"component", "component", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"count", "count", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"packets", "packets", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"busy", "busy", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"busiest", "busiest", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"queue", "waiting", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    {"longest_queue", "at most", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
};

/* A row has the largest value of its components. */
static void raise_real(struct fth_table *table, size_t row, size_t column, double value)
{
    struct fth_cell cell = fth_table_row(table, row)[column];
    if (cell.type == FTH_CELL_NULL || value > cell.real)
        fth_table_set(table, row, column, fth_cell_real(value));
}

static void raise_count(struct fth_table *table, size_t row, size_t column, int64_t value)
{
    struct fth_cell cell = fth_table_row(table, row)[column];
    if (cell.type == FTH_CELL_NULL || value > cell.integer)
        fth_table_set(table, row, column, fth_cell_integer(value));
}

struct fth_table *fth_sim_components(const struct fth_sim_world *world)
{
    static const struct fth_shape shape = {"components", "Network", component_columns,
                                           COMPONENT_COLUMNS, 1};
    struct fth_table *table = fth_table_new(&shape);
    if (!table)
        return NULL;
    const struct fth_sim_network *network = fth_sim_world_network(world);
    int64_t time = fth_sim_world_time(world);
    const char *name = NULL; /* of the row */
    size_t row = FTH_NO_ROW;
    for (size_t i = 0; i < fth_sim_network_components(network); i++) {
        const struct fth_sim_component *component = fth_sim_network_component(network, i);
        if (component->name != name) {
            struct fth_cell key = fth_cell_text(component->name);
            row = fth_table_group(table, &key);
            name = component->name;
        }
        if (row == FTH_NO_ROW)
            break;
        fth_table_increase(table, row, COUNT, 1);
        fth_table_increase(table, row, PACKETS, component->packets);
        fth_table_increase(table, row, PASSED, component->bytes);
        fth_table_increase(table, row, BUSY, (uint64_t)component->busy);
        double share = time ? 100.0 * (double)component->busy / (double)time : 0;
        raise_real(table, row, LARGEST, share);
        raise_real(table, row, WAITED, fth_sim_component_queue(component, time));
        raise_count(table, row, MOST_WAITED, component->most);
    }
    return table;
}

enum {
    SERVER,
    REQUESTS,
    READ,
    WRITTEN,
    OPERATIONS,
    SEQUENTIAL,
    NEAR,
    FAR,
    FLUSHES,
    DISK,
    PEAK,
    QUEUE,
    LONGEST,
    CLOSED,
    HITS,
    MISSES,
    AHEAD,
    UNUSED,
    SERVER_COLUMNS
};
static const struct fth_column server_columns[SERVER_COLUMNS] = {
    {"server", "server", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"requests", "requests", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"operations", "disk operations", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"sequential", "sequential", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"near", "short seeks", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"far", "seeks", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"flushes", "flushes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"disk", "disk busy", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"memory", "most memory", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"queue", "waiting", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    {"longest_queue", "at most", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"closed", "took nothing", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"hits", "blocks kept", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"misses", "missed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"read_ahead", "ahead", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"unused", "for nothing", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
};

struct fth_table *fth_sim_servers_table(const struct fth_sim_world *world)
{
    static const struct fth_shape shape = {"servers", "Servers", server_columns, SERVER_COLUMNS, 0};
    struct fth_table *table = fth_table_new(&shape);
    int64_t time = fth_sim_world_time(world);
    const struct fth_sim_server *server;
    for (uint32_t i = 0; table && (server = fth_sim_world_server(world, i)); i++) {
        const struct fth_sim_disk *disk = &server->disk;
        size_t row = fth_table_add_row(table);
        const uint64_t cells[SERVER_COLUMNS] = {[SERVER] = i,
                                                [REQUESTS] = server->done.requests,
                                                [READ] = server->done.bytes_read,
                                                [WRITTEN] = server->done.bytes_written,
                                                [OPERATIONS] = disk->operations,
                                                [SEQUENTIAL] = disk->sequential,
                                                [NEAR] = disk->near,
                                                [FAR] = disk->far,
                                                [FLUSHES] = disk->flushes,
                                                [PEAK] = server->done.peak,
                                                [LONGEST] = server->done.most_queued,
                                                [CLOSED] = (uint64_t)server->done.closed,
                                                [HITS] = server->blocks.hits,
                                                [MISSES] = server->blocks.misses,
                                                [AHEAD] = server->blocks.read_ahead,
                                                [UNUSED] = server->blocks.unused};
        for (size_t column = 0; column < SERVER_COLUMNS; column++)
            fth_table_set(table, row, column, fth_cell_integer((int64_t)cells[column]));
        double share = time ? 100.0 * (double)disk->busy / (double)time : 0;
        fth_table_set(table, row, DISK, fth_cell_real(share));
        fth_table_set(table, row, QUEUE, fth_cell_real(fth_sim_server_queue(server, time)));
    }
    return table;
}

enum { BUFFER, BUFFERED, PAST, BUFFER_READ, BUFFER_DISK, FULLEST, BUFFER_COLUMNS };
static const struct fth_column buffer_columns[BUFFER_COLUMNS] = {
    {"buffer", "buffer", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_past", "past it", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"disk", "disk busy", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"fullest", "fullest", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};

struct fth_table *fth_sim_buffers_table(const struct fth_sim_world *world)
{
    static const struct fth_shape shape = {"buffers", "Burst buffers", buffer_columns,
                                           BUFFER_COLUMNS, 0};
    struct fth_table *table = fth_table_new(&shape);
    int64_t time = fth_sim_world_time(world);
    const struct fth_sim_buffer *buffer;
    for (uint32_t i = 0; table && (buffer = fth_sim_world_buffer(world, i)); i++) {
        size_t row = fth_table_add_row(table);
        double share = time ? 100.0 * (double)buffer->disk.busy / (double)time : 0;
        fth_table_set(table, row, BUFFER, fth_cell_integer(i));
        fth_table_set(table, row, BUFFERED, fth_cell_integer((int64_t)buffer->written));
        fth_table_set(table, row, PAST, fth_cell_integer((int64_t)buffer->past));
        fth_table_set(table, row, BUFFER_READ, fth_cell_integer((int64_t)buffer->read));
        fth_table_set(table, row, BUFFER_DISK, fth_cell_real(share));
        fth_table_set(table, row, FULLEST, fth_cell_integer((int64_t)buffer->peak));
    }
    return table;
}

enum { RANK, END, COMPUTING, MESSAGING, ACCESSING, WAITING_TIME, WAITS, END_COLUMNS };
static const struct fth_column end_columns[END_COLUMNS] = {
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"end", "end", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"computing", "computing", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"messages", "messages", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"io", "I/O", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"waiting", "waiting", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"waits", "waits", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};

struct fth_table *fth_sim_ends(const struct fth_sim_world *world, uint32_t ranks)
{
    static const struct fth_shape shape = {"processes", "Processes", end_columns, END_COLUMNS, 0};
    struct fth_table *table = fth_table_new(&shape);
    for (uint32_t rank = 0; table && rank < ranks; rank++) {
        char waits[256];
        int64_t end = fth_sim_world_end(world, rank, waits, sizeof waits);
        size_t row = fth_table_add_row(table);
        const struct fth_sim_split *split = fth_sim_world_split(world, rank);
        fth_table_set(table, row, RANK, fth_cell_integer(rank));
        fth_table_set(table, row, COMPUTING, fth_cell_integer(split->computing));
        fth_table_set(table, row, MESSAGING, fth_cell_integer(split->messages));
        fth_table_set(table, row, ACCESSING, fth_cell_integer(split->io));
        fth_table_set(table, row, WAITING_TIME, fth_cell_integer(split->waiting));
        if (end >= 0)
            fth_table_set(table, row, END, fth_cell_integer(end));
        else
            fth_table_set(table, row, WAITS, fth_cell_text(waits));
    }
    return table;
}
