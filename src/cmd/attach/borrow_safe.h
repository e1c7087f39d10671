/* Is a stopped thread at a point where it may be made to call functions? Inner header of the cmd
 * room. */
#ifndef FTH_CMD_ATTACH_BORROW_SAFE_H
#define FTH_CMD_ATTACH_BORROW_SAFE_H

#include "cmd/attach/borrow.h"

struct user_regs_struct;

/* The memory of a process; false: not all of it is there. */
bool fth_borrow_read(pid_t pid, uint64_t at, void *to, size_t size);
/* A place in the code. `call`: the system call that it waits in, or -1. */
bool fth_borrow_is_safe_place(const struct fth_borrowed *borrowed, uint64_t pc, int64_t call,
                              uint64_t second_argument);
/* A thread with these registers. */
bool fth_borrow_is_safe(const struct fth_borrowed *borrowed, const struct user_regs_struct *now);

#endif
