/* What programs ask the system for by number. Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_BY_NUMBER_H
#define FTH_CAPTURE_WRAP_BY_NUMBER_H

#include "capture/record/runtime.h"

/* Generated: the numbers of system calls, and the wrappers of functions that do the same with the
 * same arguments. */
struct fth_system_function {
    int number;
    void *function;
};
extern const struct fth_system_function fth_system_functions[];
extern const unsigned fth_system_function_count;

/* Has the function that does the same do it; errno is set as by syscall(2). False: there is
 * none. */
bool fth_call_by_number(long number, const long *with, long *result);
/* Any other has been called. */
void fth_called_by_number(long number, long result);

/* This thread is in a function of a library that is followed (queues.h): what it asks the system
 * for is no surprise. */
void fth_queue_of_library(bool now) FTH_PUBLIC;

#endif
