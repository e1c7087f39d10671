/* Queues of reads and writes between a program and the system. */
#ifndef FTH_PREFIX_PREFIX_QUEUES_H
#define FTH_PREFIX_PREFIX_QUEUES_H

/* From now on this process gets none: ENOSYS. */
void fth_prefix_refuse_queues(void);
/* The linker is about to read this library: its constructors run before anybody looks again. */
void fth_prefix_expects_code(const char *path);
/* Code may have come that the first look did not see. */
void fth_prefix_looks_again(void);

#endif
