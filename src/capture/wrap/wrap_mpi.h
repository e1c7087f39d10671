/* What the generated wrappers of MPI need: one library for every implementation, so handles are as
 * wide as a pointer here and the ABI that is found at run time says what they hold
 * (capture/mpi/abi.h). */
#ifndef FTH_CAPTURE_WRAP_WRAP_MPI_H
#define FTH_CAPTURE_WRAP_WRAP_MPI_H

#include "capture/wrap/wrap_bound.h"

/* An int passed where these are declared comes through unchanged: both psABIs give each argument a
 * register or 8 bytes of the stack. */
typedef void *MPI_Comm, *MPI_Datatype, *MPI_Request, *MPI_File, *MPI_Win, *MPI_Info, *MPI_Group,
    *MPI_Op, *MPI_Errhandler, *MPI_Message, *MPI_Session;
typedef struct {
    char bytes[1]; /* at least */
} MPI_Status, MPI_F08_status;
typedef int64_t MPI_Offset, MPI_Count;
typedef intptr_t MPI_Aint;
typedef int MPI_Fint;

/* Callbacks are passed on, never called. */
typedef void MPI_User_function(void), MPI_User_function_c(void), MPI_Handler_function(void),
    MPI_Copy_function(void), MPI_Delete_function(void), MPI_Comm_copy_attr_function(void),
    MPI_Comm_delete_attr_function(void), MPI_Type_copy_attr_function(void),
    MPI_Type_delete_attr_function(void), MPI_Win_copy_attr_function(void),
    MPI_Win_delete_attr_function(void), MPI_Comm_errhandler_function(void),
    MPI_File_errhandler_function(void), MPI_Win_errhandler_function(void),
    MPI_Session_errhandler_function(void), MPI_Grequest_query_function(void),
    MPI_Grequest_free_function(void), MPI_Grequest_cancel_function(void),
    MPI_Datarep_extent_function(void), MPI_Datarep_conversion_function(void),
    MPI_Datarep_conversion_function_c(void), MPI_T_event_cb_function(void),
    MPI_T_event_free_cb_function(void), MPI_T_event_dropped_cb_function(void);
typedef void *MPI_T_enum, *MPI_T_cvar_handle, *MPI_T_pvar_handle, *MPI_T_pvar_session,
    *MPI_T_event_registration, *MPI_T_event_instance;
typedef int MPI_T_cb_safety, MPI_T_source_order;

enum { FTH_MPI_MOST = 1024 }; /* handles of one array that are followed */
struct fth_mpi_handles {
    int64_t count;  /* -1: a null pointer */
    uint64_t nulls; /* bits of those that were null; their slots are those of handles before them */
    uint64_t handles[FTH_MPI_MOST];
    int32_t slots[FTH_MPI_MOST];
};
/* Room for the status of any implementation, for calls with MPI_STATUS_IGNORE. */
struct fth_mpi_own_status {
    int64_t words[8];
};

/* The handle itself: what a by-value parameter holds, what a pointer points to (0 for a null
 * pointer). */
uint64_t fth_mpi_value(uint32_t handle_class, uintptr_t parameter);
uint64_t fth_mpi_at(uint32_t handle_class, const void *pointer);
/* Slots. A null handle is FTH_SLOT_NONE; one that was never seen made is adopted when it is
 * predefined, else FTH_SLOT_UNKNOWN. */
int32_t fth_mpi_find(uint32_t handle_class, uint64_t handle);
int32_t fth_mpi_open(uint32_t handle_class, const void *pointer, const char *path);
int32_t fth_mpi_close(uint32_t handle_class, uint64_t handle);
/* A new request of a call of which these values are kept so far; those with a bit in `identity` say
 * whose it is. Of the completion of one that is receiving a message, the status counts, and of one
 * that reads or writes a file: it has the bytes. */
enum fth_mpi_request {
    FTH_REQUEST_OTHER,
    FTH_REQUEST_RECEIVES,
    FTH_REQUEST_OF_FILE,
    FTH_REQUEST_RECEIVES_ANY /* from any source, or with any tag */
};
enum fth_mpi_request fth_mpi_receives_from(int source, int tag);
int32_t fth_mpi_open_request(const struct fth_draft *draft, const void *pointer, uint32_t identity,
                             enum fth_mpi_request what);
bool fth_mpi_receives(int32_t slot); /* any but the first */
bool fth_mpi_is_of_file(int32_t slot);
bool fth_mpi_is_of_file_at(const struct fth_mpi_handles *saved, const int *index);
/* The same for the request that `index` chooses. */
bool fth_mpi_receives_at(const struct fth_mpi_handles *saved, const int *index);
/* Looks n handles up, for what comes after the call. */
void fth_mpi_save(struct fth_draft *draft, uint32_t handle_class, const void *handles, int64_t n,
                  struct fth_mpi_handles *saved);
/* The same for requests that may end in the call. */
void fth_mpi_save_ending(struct fth_draft *draft, uint32_t handle_class, const void *handles,
                         int64_t n, struct fth_mpi_handles *saved);
/* The list of their slots. It is made after the call: calls inside it may make the recorder forget
 * all strings and lists. */
int64_t fth_mpi_list(struct fth_draft *draft, const struct fth_mpi_handles *saved);
/* Gives up what the library has set to null since. */
void fth_mpi_done(uint32_t handle_class, const void *pointer, uint64_t given);
void fth_mpi_done_all(uint32_t handle_class, const void *handles,
                      const struct fth_mpi_handles *saved);
/* How many members a communicator has on this side; from how many a collective call receives; from
 * how many one with neighbours does. -1: not known. */
int64_t fth_mpi_members(MPI_Comm comm);
int64_t fth_mpi_senders(MPI_Comm comm);
int64_t fth_mpi_sources(MPI_Comm comm);
/* From how many the root receives, or to how many it sends; -1: this process is not the root. */
int64_t fth_mpi_root_parts(MPI_Comm comm, int root);
/* To how many a collective call sends these bytes; -1: they are taken from where it receives. */
int64_t fth_mpi_receivers(MPI_Comm comm, const void *sent);
/* Is this process the one of that rank in the communicator? */
bool fth_mpi_is_root(MPI_Comm comm, int root);
/* Bytes of one element of the datatype in this slot; 0: not known. */
int64_t fth_mpi_size(int32_t slot);
int64_t fth_mpi_filled(const int *outcount);
/* Dimensions of a Cartesian communicator; -1: it is none. */
int64_t fth_mpi_dims(MPI_Comm comm);
/* The caller's statuses, or our own when it does not want them and one of the requests receives
 * from anybody: only they say from whom. */
enum { FTH_MPI_MOST_OWN = 64 };
struct fth_mpi_own_statuses {
    struct fth_mpi_own_status statuses[FTH_MPI_MOST_OWN];
};
MPI_Status *fth_mpi_own_statuses(const void *statuses, const struct fth_mpi_handles *saved,
                                 struct fth_mpi_own_statuses *own);
/* The caller's status, or our own when it does not want one. */
MPI_Status *fth_mpi_status(const void *status, struct fth_mpi_own_status *own);
int64_t fth_mpi_source(const void *status, bool of_file);
int64_t fth_mpi_tag(const void *status, bool of_file); /* or bytes */
int64_t fth_mpi_bytes(const void *status);
/* Source and tag of n statuses, as a list, MPI_UNDEFINED where no message was received; 0 when they
 * are ignored or none was. They belong to the saved requests with these indices, or to the first n
 * of them when `indices` is NULL. */
int64_t fth_mpi_statuses(struct fth_draft *draft, const void *statuses, int64_t n,
                         const struct fth_mpi_handles *saved, const int *indices);

/* Stand between the wrapper and the function (capture/mpi/tunable_files.c). */
typedef int fth_real_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info,
                          MPI_File *fh);
typedef int fth_real_close(MPI_File *fh);
int fth_around_MPI_File_open(fth_real_open *real, MPI_Comm comm, const char *filename, int amode,
                             MPI_Info info, MPI_File *fh);
int fth_around_MPI_File_close(fth_real_close *real, MPI_File *fh);

void fth_before_MPI_Init(void);
void fth_after_MPI_Init(int result);
void fth_before_MPI_Init_thread(void);
void fth_after_MPI_Init_thread(int result);
void fth_before_MPI_Finalize(void);
void fth_after_MPI_Finalize(int result);

#endif
