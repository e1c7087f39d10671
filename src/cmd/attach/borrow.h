/* Borrows a thread of a program that runs: stops it where it may be made to call functions, lets it
 * call some, and gives it back as it was, so that the program notices nothing but the time. The
 * other threads go on meanwhile. */
#ifndef FTH_CMD_ATTACH_BORROW_H
#define FTH_CMD_ATTACH_BORROW_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A part of a program's memory with a file behind it, as it stands in /proc/PID/maps. */
struct fth_borrow_object {
    char *path;
    uint64_t start, end; /* of all its parts */
    bool allocates; /* it is a place where memory may be managed: not to be interrupted there */
    bool loads;     /* it is the dynamic linker, or the tracer */
    bool is_libc;
};

struct fth_borrowed {
    pid_t pid, tid; /* tid 0: none is borrowed */
    size_t object_count;
    struct fth_borrow_object *objects;
    uint64_t started;  /* when, as the kernel counts: another process may get this pid */
    uint64_t gate;     /* address of an instruction that makes a system call */
    uint64_t restorer; /* where signal handlers return to, 0: not found */
    struct fth_borrowed_state *state;
};

/* A word of /proc/PID/stat, counted from 1 as in proc(5), from the fourth on: a number. 0: there is
 * no such process. */
enum { FTH_STAT_PARENT = 4, FTH_STAT_START = 22 };
uint64_t fth_borrow_stat(pid_t pid, unsigned word);

/* Learns what the program consists of; *borrowed is given back with fth_borrow_forget. The error
 * says why it cannot be borrowed from, and what to do. */
int fth_borrow_look(struct fth_borrowed *borrowed, pid_t pid, struct fth_error **error);
void fth_borrow_forget(struct fth_borrowed *borrowed);
/* Is it the same program still, in the same place? It may have executed another one since. */
bool fth_borrow_is_same(const struct fth_borrowed *borrowed);
/* The process that traces it, 0: none. */
pid_t fth_borrow_tracer(pid_t pid);
/* The address of a function that an object of this name (what follows the last slash begins with
 * it) defines; 0: there is none. */
uint64_t fth_borrow_find(const struct fth_borrowed *borrowed, const char *object,
                         const char *function);
const struct fth_borrow_object *fth_borrow_object(const struct fth_borrowed *borrowed,
                                                  const char *object);

/* Stops a thread at a safe point; may take some seconds when the program is hardly ever at one. */
int fth_borrow(struct fth_borrowed *borrowed, struct fth_error **error);
/* Has it call the function. `text`, `size` bytes or NULL, is copied to the program, and its address
 * is the first argument, in front of these two. */
int fth_borrow_call(struct fth_borrowed *borrowed, uint64_t function, const void *text, size_t size,
                    uint64_t second, uint64_t *result, struct fth_error **error);
/* Gives it back. */
void fth_borrow_end(struct fth_borrowed *borrowed);

#endif
