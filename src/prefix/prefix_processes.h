/* Processes: their copies, the programs that they become, their ends. */
#ifndef FTH_PREFIX_PREFIX_PROCESSES_H
#define FTH_PREFIX_PREFIX_PROCESSES_H

/* The linker is about to read this file. */
void fth_prefix_loads(const char *file);
/* Exit has come. */
void fth_prefix_ends(void);

#endif
