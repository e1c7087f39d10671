/* The MPI library of this process, for our own use: its functions under the names of the profiling
 * interface (nobody records those), and the communicator on which the ranks of a run talk among
 * themselves. */
#ifndef FTH_CAPTURE_MPI_PROFILING_INTERFACE_H
#define FTH_CAPTURE_MPI_PROFILING_INTERFACE_H

#include "capture/mpi/abi.h"
#include "capture/wrap/wrap_mpi.h"

/* Handles are passed as fth_mpi_handle(value). What is optional may be NULL. */
#define FTH_PMPI_FUNCTIONS(FUNCTION, OPTIONAL)                                                     \
    FUNCTION(Initialized, int *flag)                                                               \
    FUNCTION(Get_library_version, char *version, int *length)                                      \
    FUNCTION(Comm_rank, MPI_Comm comm, int *rank)                                                  \
    FUNCTION(Comm_size, MPI_Comm comm, int *size)                                                  \
    OPTIONAL(Comm_test_inter, MPI_Comm comm, int *flag)                                            \
    OPTIONAL(Comm_remote_size, MPI_Comm comm, int *size)                                           \
    OPTIONAL(File_get_group, MPI_File file, void *group)                                           \
    OPTIONAL(Group_size, MPI_Group group, int *size)                                               \
    OPTIONAL(Group_free, void *group)                                                              \
    OPTIONAL(Comm_group, MPI_Comm comm, void *group)                                               \
    OPTIONAL(Group_translate_ranks, MPI_Group from, int count, const int *ranks, MPI_Group to,     \
             int *there)                                                                           \
    OPTIONAL(Info_create, void *made)                                                              \
    OPTIONAL(Info_dup, MPI_Info info, void *made)                                                  \
    OPTIONAL(Info_set, MPI_Info info, const char *key, const char *value)                          \
    OPTIONAL(Info_free, void *info)                                                                \
    OPTIONAL(Info_c2f, MPI_Info info)                                                              \
    OPTIONAL(Allreduce, const void *from, void *to, int count, MPI_Datatype datatype, MPI_Op op,   \
             MPI_Comm comm)                                                                        \
    OPTIONAL(Topo_test, MPI_Comm comm, int *topology)                                              \
    OPTIONAL(Cartdim_get, MPI_Comm comm, int *dimensions)                                          \
    OPTIONAL(Graph_neighbors_count, MPI_Comm comm, int rank, int *count)                           \
    OPTIONAL(Dist_graph_neighbors_count, MPI_Comm comm, int *in, int *out, int *weighted)          \
    FUNCTION(Comm_dup, MPI_Comm comm, void *made)                                                  \
    FUNCTION(Comm_split, MPI_Comm comm, int color, int key, void *made)                            \
    FUNCTION(Comm_free, void *comm)                                                                \
    FUNCTION(Comm_get_errhandler, MPI_Comm comm, void *errhandler)                                 \
    FUNCTION(Comm_set_errhandler, MPI_Comm comm, MPI_Errhandler errhandler)                        \
    FUNCTION(Errhandler_free, void *errhandler)                                                    \
    FUNCTION(Bcast, void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)       \
    FUNCTION(Allgather, const void *from, int count, MPI_Datatype datatype, void *to,              \
             int to_count, MPI_Datatype to_datatype, MPI_Comm comm)                                \
    FUNCTION(Send, const void *buffer, int count, MPI_Datatype datatype, int dest, int tag,        \
             MPI_Comm comm)                                                                        \
    FUNCTION(Recv, void *buffer, int count, MPI_Datatype datatype, int source, int tag,            \
             MPI_Comm comm, void *status)                                                          \
    FUNCTION(Iprobe, int source, int tag, MPI_Comm comm, int *flag, void *status)                  \
    FUNCTION(Type_size, MPI_Datatype datatype, int *size)                                          \
    OPTIONAL(Type_size_x, MPI_Datatype datatype, MPI_Count *size)                                  \
    FUNCTION(Get_elements, const void *status, MPI_Datatype datatype, int *count)                  \
    OPTIONAL(Get_elements_x, const void *status, MPI_Datatype datatype, MPI_Count *count)

#define FTH_PMPI_DECLARE(name, ...) int (*name)(__VA_ARGS__);
struct fth_pmpi {
    FTH_PMPI_FUNCTIONS(FTH_PMPI_DECLARE, FTH_PMPI_DECLARE)
};
extern struct fth_pmpi fth_pmpi;

static inline void *fth_mpi_handle(uint64_t handle)
{
    return (void *)(uintptr_t)handle;
}

/* The ranks of MPI_COMM_WORLD, from after MPI_Init to MPI_Finalize. On one node they need no
 * messages until they merge. */
struct fth_mpi_world {
    bool is_up;      /* they act together */
    uint64_t comm;   /* a duplicate that returns errors; on one node only while they merge */
    uint64_t number; /* shared by these ranks and by no others; 0: they could not agree on one */
    int rank, size;
    int first_on_node; /* the rank that acts for its node */
    bool on_one_node;  /* all of them; all know it */
};
extern struct fth_mpi_world fth_mpi_world;

/* May the ranks of MPI_COMM_WORLD do something together? The same answer for all of them that ask,
 * and each asks once, after MPI_Init. May wait a few seconds for ranks that are not traced. Of
 * `world`, given rank and size, gives number (what the ranks on this node call it) and what is on
 * this node. */
bool fth_mpi_is_everybody_here(struct fth_mpi_world *world);

/* All ranks of a world on one node ask this once, in MPI_Finalize, and get the same answer: is what
 * they have recorded worth merging now? It waits for all ranks to come, but not for ever: then the
 * answer is no. `spilled`: bytes of this rank. */
bool fth_mpi_is_worth_merging(uint64_t spilled);

/* The nodes of the world compare their clocks; all ranks call it, when they have come up and again
 * before they merge. */
void fth_mpi_meet(void);
void fth_mpi_meet_no_more(void);

/* Merges the ranks' streams into a trace; all ranks call it, on fth_mpi_world.comm. */
void fth_mpi_merge(void);

/* MPI can be called: it is initialized (also by MPI_Session_init) and not finalized. */
bool fth_mpi_is_up(void);
void fth_mpi_session_was_made(void);
/* After MPI_Init, and after MPI_Finalize. */
void fth_mpi_came_up(void);
void fth_mpi_went_down(void);
/* Notes which library it is. */
void fth_mpi_note_version(void);

/* Between these two nothing of this thread is recorded or counted as lost: our own calls make MPI
 * call libc. */
struct fth_mpi_quiet {
    struct fth_recorder *recorder;
    uint64_t lost;
    uintptr_t busy;
    int saved_errno;
};
void fth_mpi_quiet_begin(struct fth_mpi_quiet *quiet);
void fth_mpi_quiet_end(const struct fth_mpi_quiet *quiet);

#endif
