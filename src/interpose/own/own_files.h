/* Files of what is preloaded: system calls that no wrapper sees. To be used inside of fth_apart.
 * Every function leaves errno alone. */
#ifndef FTH_INTERPOSE_OWN_OWN_FILES_H
#define FTH_INTERPOSE_OWN_OWN_FILES_H

#include "interpose/interpose.h"

/* Opens a file, never through a symbolic link at its end; -1 on failure, then *error. */
int fth_file_open_at(int directory, const char *path, int flags, int *error);
/* Any other file for reading; -1 on failure. */
int fth_file_open(const char *path) FTH_PUBLIC;
/* The same for reading and writing, made when it is not there. */
int fth_file_make(const char *path, int *error);
bool fth_file_write(int file, const void *bytes, size_t size, uint64_t at, int *error);
void fth_file_close(int file) FTH_PUBLIC;
/* Reserves and maps [at, at + bytes) of the file; NULL on failure. */
void *fth_file_map(int file, uint64_t at, size_t bytes, int *error) FTH_PUBLIC;
/* The same, but reserves little at first; *reached: so many bytes. */
void *fth_file_map_some(int file, uint64_t at, size_t bytes, size_t *reached, int *error);
/* Reserves what is mapped at `start` up to this end. False: there is no room for it. */
bool fth_file_reach(void *start, size_t *reached, size_t end);
/* Maps the same of another file over it, which has it already. */
bool fth_file_map_over(int file, uint64_t at, size_t bytes, void *memory);
/* May the same work when it is tried again later? */
bool fth_error_is_passing(int error);

#endif
