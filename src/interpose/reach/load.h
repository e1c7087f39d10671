/* The linker's functions behind our own, and others of libc that tools stand in front of: libc's
 * own. */
#ifndef FTH_INTERPOSE_REACH_LOAD_H
#define FTH_INTERPOSE_REACH_LOAD_H

#include "interpose/interpose.h"

void *fth_real_dlsym(void *handle, const char *name) FTH_PUBLIC;
/* libc's own, for a jump. */
void *fth_next_dlsym(void);
/* For us: past all tools. */
void *fth_real_dlopen(const char *file, int mode) FTH_PUBLIC;
/* For the program: a tool that stands behind us, a sanitizer say, is to see it. */
void *fth_dlopen_for_program(const char *file, int mode);
typedef void *fth_dlopen_function(const char *, int);
fth_dlopen_function *fth_next_dlopen(void);
int fth_real_dlclose(void *handle);
struct dl_phdr_info;
int fth_real_iterate(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data);
int fth_real_on_exit(void (*at_end)(int status, void *data), void *data);
/* The function of this name that comes after ours; looked for once. */
void *fth_next_function(void **known, const char *name);
/* Were we loaded into a program that runs, and not preloaded? */
bool fth_is_loaded_later(void);

#endif
