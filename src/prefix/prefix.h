/* Programs that know nothing of the file system: their files in the folder below live in it.
 *
 * Names, permissions, links and folders are those of the folder below, at once; so are descriptors,
 * which the kernel knows as descriptors of these files, with the position that all who share them
 * see. Only bytes go another way: what the program writes is in the buffer of its process until the
 * consistency model wants that others see it, and is then attached (fs/client/publish.h).
 *
 * This header: the state of the process. Everything that is declared here may be called in signal
 * handlers and in the children of fork and vfork. */
#ifndef FTH_PREFIX_PREFIX_H
#define FTH_PREFIX_PREFIX_H

#include "fs/client/client.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FTH_LIKELY(x) __builtin_expect(!!(x), 1)
#define FTH_UNLIKELY(x) __builtin_expect(!!(x), 0)

struct fth_prefix {
    bool is_on;             /* this process runs on an instance */
    unsigned ends;          /* exits that have come, and execs under way: with one, what is
                               written is attached at once */
    bool is_strict;         /* others see each access, whatever the model is (given_files.h) */
    bool was_early;         /* a write that is under way found the buffer full (publishing.h) */
    dev_t device;           /* of the folder below */
    const char *under, *at; /* the folder below, and the prefix; without a slash at their ends */
    size_t under_length, at_length;
    bool translates;      /* they differ */
    const uint8_t *known; /* fs/protocol/held_files.h */
    uint64_t turn;        /* of the lock of the client: odd while somebody has it (quick_reads.h) */
};
extern struct fth_prefix fth_prefix;

/* This thread is in MPI_File_open: what it opens there is published and fetched in calls of MPI. */
extern __thread bool fth_prefix_mpi_opens __attribute__((tls_model("initial-exec")));
/* This thread is in a call of MPI that reads or writes for this rank alone. */
extern __thread bool fth_prefix_mpi_own __attribute__((tls_model("initial-exec")));

/* Finds the instance, once. */
void fth_prefix_start(void);

/* The lock of the client, while signals wait. A process that was forked behind our back becomes a
 * client of its own here. */
uint64_t fth_prefix_enter(void);
void fth_prefix_leave(uint64_t signals);
/* The lock is taken for the first time since this process was forked behind our back, if it was. */
bool fth_prefix_is_new_child(void);
/* This process may be the child of a vfork, in the memory of its parent. */
bool fth_prefix_is_borrowed(void);
/* Around fork: nothing of the client changes meanwhile, but by what this thread does. In the child,
 * everything is the child's. */
uint64_t fth_prefix_forks(void);
void fth_prefix_forked(uint64_t signals);
/* Does the model of the file want it now? NULL: that of any file. */
bool fth_prefix_publishes(const struct fth_client_file *file, enum fth_model_moment moment);
bool fth_prefix_fetches(const struct fth_client_file *file, enum fth_model_moment moment);

#endif
