/* This process, as its file in the spill folder describes it. Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_PROCESS_H
#define FTH_CAPTURE_PROCESS_PROCESS_H

#include "interpose/interpose.h"
#include "trace/record/spill.h"

enum { FTH_LONGEST_PATH = 4096, FTH_LONGEST_TEXT = 8192 };

extern FTH_PUBLIC struct fth_spill_process *fth_process; /* mapped; NULL: not recording */
/* A page that a fork wipes: zero in a process that has not started recording. */
extern FTH_PUBLIC volatile uint32_t *fth_alive;
/* Is that page there? */
bool fth_is_prepared(void);
/* How many vforks deep this thread is: the calls are those of a child that borrows our memory, and
 * none of ours. */
extern __thread uint32_t fth_vforked __attribute__((tls_model("initial-exec")));
/* Is this the child of a vfork that we have not seen begin? */
bool fth_is_borrowed(void);
/* --mask-arguments: names beside those that are known (base/mask.h); NULL: arguments are kept as
 * they are. */
extern const char *fth_masked_names;

/* This is our process file now, with blocks behind so many bytes of it. */
void fth_process_begin(struct fth_spill_process *process, size_t bytes);
/* Adds a fact to the process file: `start`, such as "mpi=", and the rest of it. False: there is no
 * room. */
bool fth_process_note(const char *start, const char *rest) FTH_PUBLIC;
/* In a forked child: the lock that another thread held is free. */
void fth_process_note_in_child(void);
/* Where a link of /proc leads; "": not known. */
void fth_process_read_link(const char *path, char *to, size_t room);
/* The path of the program that this process runs; "": not known. */
const char *fth_process_program(void);
/* What the recorder reads and writes is none of the program's doing: the system counts it, too. */
void fth_own_written(uint64_t bytes) FTH_PUBLIC;
void fth_own_read(uint64_t bytes) FTH_PUBLIC;
/* What was written before there was a process file. */
uint64_t fth_take_written_before(void);

#endif
