/* The tables of queries: their columns. */
#include "analysis/query/query_tables.h"

#include "base/memory.h"

#include <string.h>

#define NUMBER(name)                                                                               \
    {                                                                                              \
        name, name, FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS                                               \
    }
#define PROCESS                                                                                    \
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},                                       \
    {                                                                                              \
        "proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS                                           \
    }
#define FUNCTION                                                                                   \
    {                                                                                              \
        "func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS                                         \
    }
#define SERVER                                                                                     \
    NUMBER("server"),                                                                              \
    {                                                                                              \
        "name", "server is", FTH_UNIT_PATH, FTH_SHOW_ALWAYS                                        \
    }
#define TIME(name, title)                                                                          \
    {                                                                                              \
        name, title, FTH_UNIT_TIME, FTH_SHOW_ALWAYS                                                \
    }
#define COUNT(name)                                                                                \
    {                                                                                              \
        name, name, FTH_UNIT_COUNT, FTH_SHOW_ALWAYS                                                \
    }
#define BYTES                                                                                      \
    {                                                                                              \
        "bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS                                          \
    }
#define RATE                                                                                       \
    {                                                                                              \
        "bytes_per_second", "per second", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS                          \
    }
#define JOULES                                                                                     \
    TIME("active", "active"), TIME("span", "span"),                                                \
    {                                                                                              \
        "joules", "joules", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS                                        \
    }

static const struct fth_column list_columns[] = {
    PROCESS,  NUMBER("call"), NUMBER("subcall"),   SERVER,
    FUNCTION, BYTES,          TIME("start", "at"), TIME("latency", "latency")};
static const struct fth_column extreme_columns[] = {
    PROCESS, NUMBER("call"), FUNCTION, TIME("latency", "latency"), NUMBER("subcall"), SERVER};
static const struct fth_column server_extreme_columns[] = {
    SERVER, TIME("latency", "latency"), PROCESS, NUMBER("call"), NUMBER("subcall"), FUNCTION};
static const struct fth_column average_columns[] = {
    NUMBER("call"),          FUNCTION,
    COUNT("processes"),      COUNT("subcalls"),
    TIME("time", "time"),    TIME("mean", "mean"),
    TIME("shortest", "min"), TIME("longest", "max")};
static const struct fth_column segment_columns[] = {PROCESS,
                                                    COUNT("calls"),
                                                    BYTES,
                                                    TIME("time", "time"),
                                                    TIME("mean", "mean"),
                                                    TIME("shortest", "min"),
                                                    TIME("longest", "max")};
static const struct fth_column rate_columns[] = {PROCESS, NUMBER("call"),       SERVER, FUNCTION,
                                                 BYTES,   TIME("time", "time"), RATE};
static const struct fth_column server_rate_columns[] = {
    NUMBER("call"), SERVER, COUNT("processes"), BYTES, TIME("time", "time"), RATE};
static const struct fth_column energy_columns[] = {PROCESS, NUMBER("call"), SERVER, JOULES};
static const struct fth_column server_energy_columns[] = {SERVER, JOULES};
static const struct fth_column issued_columns[] = {PROCESS, SERVER, COUNT("subcalls"), BYTES};
static const struct fth_column server_issued_columns[] = {SERVER, COUNT("processes"),
                                                          COUNT("subcalls"), BYTES};
static const struct fth_column access_columns[] = {PROCESS, NUMBER("call"), FUNCTION,
                                                   COUNT("subcalls"), BYTES};
static const struct fth_column comm_columns[] = {
    PROCESS,
    NUMBER("call"),
    FUNCTION,
    TIME("latency", "latency"),
    TIME("communication", "communication"),
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_column nodes_columns[] = {
    NUMBER("call"), FUNCTION,         COUNT("processes"), COUNT("aggregators"),
    COUNT("nodes"), COUNT("servers"), COUNT("subcalls"),  BYTES};
static const struct fth_column server_columns[] = {SERVER};

/* Latencies of calls: a column for each layer follows. */
static const struct fth_column breakdown_columns[] = {PROCESS, NUMBER("call"), FUNCTION,
                                                      COUNT("subcalls")};
_Static_assert(sizeof breakdown_columns / sizeof *breakdown_columns == FTH_ANSWER_FIRST_LAYER, "");

#define SHAPE(name, title, columns, keys)                                                          \
    {                                                                                              \
        name, title, columns, sizeof(columns) / sizeof *(columns), keys                            \
    }
static const struct fth_shape shapes[][2] = {
    [FTH_QUERY_LIST] = {SHAPE("subcalls", "Subcalls", list_columns, 0)},
    [FTH_QUERY_MAX] = {SHAPE("calls", "The slowest subcall of each call", extreme_columns, 3),
                       SHAPE("servers", "The slowest subcall at each server",
                             server_extreme_columns, 2)},
    [FTH_QUERY_MIN] = {SHAPE("calls", "The fastest subcall of each call", extreme_columns, 3),
                       SHAPE("servers", "The fastest subcall at each server",
                             server_extreme_columns, 2)},
    [FTH_QUERY_AVERAGE] = {SHAPE("calls", "Subcalls of each call", average_columns, 1)},
    [FTH_QUERY_SEGMENT] = {SHAPE("processes", "Calls in the segment", segment_columns, 2)},
    [FTH_QUERY_THROUGHPUT] = {SHAPE("calls", "Throughput of each call", rate_columns, 5),
                              SHAPE("servers", "Throughput of each server", server_rate_columns,
                                    3)},
    [FTH_QUERY_ENERGY] = {SHAPE("calls", "Energy of each call", energy_columns, 5),
                          SHAPE("servers", "Energy of each server", server_energy_columns, 2)},
    [FTH_QUERY_CALLS] = {SHAPE("processes", "Subcalls from processes to servers", issued_columns,
                               4),
                         SHAPE("servers", "Subcalls at each server", server_issued_columns, 2)},
    [FTH_QUERY_ACCESSES] = {SHAPE("calls", "Subcalls of each call", access_columns, 3)},
    [FTH_QUERY_COMMUNICATION] = {SHAPE("calls", "Communication in collective calls", comm_columns,
                                       3)},
    [FTH_QUERY_NODES] = {SHAPE("calls", "Who took part in each call", nodes_columns, 1)},
    [FTH_QUERY_SERVERS] = {SHAPE("servers", "Servers", server_columns, 2)},
};

static const struct fth_shape *breakdown_shape(const struct fth_asking *asking)
{
    struct fth_answer *answer = asking->answer;
    size_t layers = asking->classes->layer_count;
    answer->columns = fth_new(FTH_ANSWER_FIRST_LAYER + layers, sizeof *answer->columns);
    memcpy(answer->columns, breakdown_columns, sizeof breakdown_columns);
    for (size_t i = 0; i < layers; i++) /* from the library down */
        answer->columns[FTH_ANSWER_FIRST_LAYER + i] = (struct fth_column){
            asking->classes->layers[layers - 1 - i], asking->classes->layers[layers - 1 - i],
            FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL};
    answer->shape = (struct fth_shape){"calls",
                                       asking->query->kind == FTH_QUERY_INCLUSIVE
                                           ? "Time of each call in each layer, inclusive"
                                           : "Time of each call in each layer, exclusive",
                                       answer->columns, FTH_ANSWER_FIRST_LAYER + layers, 0};
    return &answer->shape;
}

struct fth_table *fth_query_table(const struct fth_asking *asking, size_t number)
{
    enum fth_query_kind kind = asking->query->kind;
    if (kind == FTH_QUERY_INCLUSIVE || kind == FTH_QUERY_EXCLUSIVE)
        return number ? NULL : fth_table_new(breakdown_shape(asking));
    return shapes[kind][number].name ? fth_table_new(&shapes[kind][number]) : NULL;
}
