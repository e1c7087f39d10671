/* What programs ask the system for by number. Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_BY_NUMBER_H
#define FTH_CAPTURE_WRAP_BY_NUMBER_H

#include "capture/record/runtime.h"

#include <sys/syscall.h>

/* A system call as a list: its number, its arguments, as many as there can be, and the frame of
 * syscall, which the program called. */
enum { FTH_SYSTEM_ARGUMENTS = 6, FTH_SYSTEM_FRAME, FTH_SYSTEM_LIST };

/* Generated: the numbers of system calls, and what records them as the functions of these names,
 * for such a list. Or a function that is written by hand, which does
 * the same with the same arguments; `is_narrow`: it returns an int. */
struct fth_system_function {
    int number;
    long (*by_number)(const long *with);
    void *by_hand;
    bool is_narrow;
};
extern const struct fth_system_function fth_system_functions[];
extern const unsigned fth_system_function_count;

#ifdef SYS_newfstatat
#define SYS_fstatat SYS_newfstatat
#endif

/* The system call itself. */
long fth_make_by_number(const long *with);
/* Records a system call that is a function of the catalogue; errno is set as by syscall(2). False:
 * it is none, and was not made. */
bool fth_call_by_number(const long *with, long *result);
/* The same of those that copy this process: clone, clone3, fork. It returns twice. */
bool fth_copy_by_number(const long *with, long *result);
/* Any other has been called. */
void fth_called_by_number(long number, long result);

/* This thread is in a function of a library that is followed (queues.h): what it asks the system
 * for is no surprise. */
void fth_queue_of_library(bool now) FTH_PUBLIC;

#endif
