/* Inner header of the sim room: what a recorder keeps until the trace is written. */
#ifndef FTH_SIM_RECORD_RECORDER_STATE_H
#define FTH_SIM_RECORD_RECORDER_STATE_H

#include "catalog/values.h"
#include "sim/record/record.h"
#include "trace/file/container.h"
#include "trace/file/part.h"

enum { FTH_SIM_FIRST_DESCRIPTOR = 3 }; /* of slot 0 */

static inline bool fth_sim_is_collective_file(enum fth_sim_verb verb)
{
    return verb >= FTH_SIM_FILE_OPEN_ALL;
}

/* A call that is about to be noted. */
struct call {
    const char *function; /* NULL: that of the command's verb */
    uint32_t rank;
    struct fth_sim_command command;
    struct open_file *file;
    const char *path;
    uint64_t bytes, received, offset;
    uint32_t number; /* of its request */
    int64_t source, tag, color, key, new_communicator;
    int64_t target; /* of puts and gets: a process */
    int64_t parts;  /* of alltoallv: string with the bytes that come from each rank */
};

struct made_signature {
    uint32_t function;
    int32_t count;
    int64_t values[FTH_MOST_VALUES];
};

struct noted {
    uint32_t signature; /* of the recorder's */
    bool reads, writes;
    bool is_binding; /* says which file a handle is of, and is no call */
    const char *path;
    uint64_t bytes;
    int64_t begin, end;
};

struct open_file {
    uint32_t file, slot;
    bool is_open, is_mpi;
    int64_t cursor;
};

struct request {
    bool is_used;
    uint32_t noted; /* number of its call + 1 */
    struct call call;
};

struct completed {
    uint32_t slot;
    int64_t time, source, tag;
};

/* What a process did. */
struct track {
    struct noted *calls;
    uint32_t call_count, binding_count;
    struct open_file *files;
    uint32_t file_count;
    struct request *requests; /* by slot */
    uint32_t request_count;
    struct completed *completed; /* requests that the present wait was for */
    uint32_t completed_count;
};

struct fth_sim_recorder {
    struct fth_sim_world *world;
    const struct fth_sim_program *program;
    struct fth_part part;
    struct fth_intern names;      /* of the functions of the catalogue, by their numbers */
    struct fth_intern signatures; /* of struct made_signature */
    struct track *tracks;         /* by rank */
    char **paths;                 /* of the program's files */
    bool has_window;              /* somebody put or got something */
};

/* The number of a function; UINT32_MAX: there is none. */
uint32_t fth_sim_function_of(const struct fth_sim_recorder *recorder, const struct call *call);
bool fth_sim_has_function(enum fth_sim_verb verb);
uint32_t fth_sim_find_function(const struct fth_sim_recorder *recorder, const char *name);
/* The number of the call's signature; UINT32_MAX: there is no such function. */
uint32_t fth_sim_make_signature(struct fth_sim_recorder *recorder, const struct call *call);

/* The slot of a communicator of the program in a process, which has slots only for those that it is
 * in, behind that of all processes. */
int64_t fth_sim_slot_of_communicator(const struct fth_sim_recorder *recorder, uint32_t rank,
                                     uint32_t communicator);

/* The file system that a node sees: a section MNTS (docs/format.md). */
void fth_sim_recorder_mounts(const struct fth_sim_recorder *recorder, uint32_t node,
                             struct fth_bytes *raw);

#endif
