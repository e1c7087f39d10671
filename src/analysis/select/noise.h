/* Files that are there in any run of a launcher or an interpreter, and that nobody asked for. */
#ifndef FTH_ANALYSIS_NOISE_H
#define FTH_ANALYSIS_NOISE_H

#include <stdbool.h>

/* Of the system, of libraries and Python's modules, of the launcher and of MPI itself, or no file
 * at all. Pipes and shared memory through which something went are the program's. */
bool fth_analysis_is_noise(const char *path, bool has_moved_bytes);

/* Of those: what processes of a run, their launcher and MPI reach one another by. How often they
 * use it depends on who comes first. */
bool fth_analysis_is_of_session(const char *path);

/* Of those: a file beside one of the program that OMPIO makes, locks and removes at once, to see
 * whether the file system has locks. No process reaches another one by it. */
bool fth_analysis_is_lock_test(const char *path);

#endif
