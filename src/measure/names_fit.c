/* From timings of names, of two processes at once, and of MPI-IO to keys of servers and of MPI. */
#include "measure/machine.h"

#include <math.h>

/* Where two take this much longer than one, they take turns. */
#define IN_TURN 1.5

static void add_call(struct fth_measured *measured, const char *key, const char *trial)
{
    double time = fth_measured_time(measured, "files", trial);
    struct fth_machine_parameter *added =
        fth_parameter_add(measured, "servers", key, FTH_SIM_TIME, floor(time + 0.5), true,
                          "files with names: %s", trial);
    fth_parameter_spread(measured, added, "files", trial);
}

/* Whether two processes hinder each other. */
static void add_turns(struct fth_measured *measured, const char *key, const char *handoff,
                      const char *one, const char *two, double more)
{
    double alone = fth_measured_time(measured, "files", one) + more;
    double both = fth_measured_time(measured, "files", two);
    bool in_turn = alone > 0 && both > IN_TURN * alone;
    fth_parameter_add(measured, "servers", key, FTH_SIM_COUNT, 0, true,
                      "with another process it takes %.2f times as long",
                      alone > 0 ? both / alone : 0)
        ->word = in_turn ? "in turn" : "at once";
    if (!in_turn)
        return;
    struct fth_machine_parameter *added = fth_parameter_add(
        measured, "servers", handoff, FTH_SIM_TIME, floor(fmax(0, both - 2 * alone) / 2 + 0.5),
        true, "what is more than twice as long, of each of the two");
    fth_parameter_spread(measured, added, "files", two);
}

static void add_library(struct fth_measured *measured, const char *key, const char *trial,
                        double system, const char *besides)
{
    double time = fth_measured_time(measured, "MPI-IO", trial);
    struct fth_machine_parameter *added =
        fth_parameter_add(measured, "mpi", key, FTH_SIM_TIME, floor(fmax(0, time - system) + 0.5),
                          true, "%s, without %s", trial, besides);
    fth_parameter_spread(measured, added, "MPI-IO", trial);
}

void fth_fit_names(struct fth_measured *measured)
{
    double created = fth_measured_time(measured, "files", "create");
    double closed = fth_measured_time(measured, "files", "close");
    double written = fth_measured_time(measured, "MPI-IO", "pwrite");
    double again = fth_measured_time(measured, "MPI-IO", "MPI_File_open, new");
    add_call(measured, "open call", "open again");
    add_call(measured, "create call", "create");
    add_call(measured, "close call", "close");
    add_call(measured, "stat call", "stat");
    add_call(measured, "rename call", "rename");
    add_call(measured, "delete call", "delete");
    add_turns(measured, "names", "names handoff", "create", "two create", closed);
    add_turns(measured, "writers", "writers handoff", "one writes", "two write", 0);
    if (written <= 0)
        return;
    fth_parameter_add(measured, "mpi", "waits", FTH_SIM_COUNT, 0, false,
                      "its library looks for messages all the time")
        ->word = "polling";
    fth_parameter_add(measured, "mpi", "cb_nodes", FTH_SIM_COUNT, measured->nodes, false,
                      "one aggregator on each node, as ROMIO has it");
    add_library(measured, "first file open", "first MPI_File_open", again, "a later one");
    add_library(measured, "file open", "MPI_File_open, new", created, "creating the file");
    add_library(measured, "file close", "MPI_File_close", closed, "closing the file");
    add_library(measured, "file access", "MPI_File_write_at", written, "the write");
}
