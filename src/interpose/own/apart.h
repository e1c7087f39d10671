/* Work on files, apart from the program. */
#ifndef FTH_INTERPOSE_OWN_APART_H
#define FTH_INTERPOSE_OWN_APART_H

#include "interpose/interpose.h"

/* Does work in a task of this process that has a table of descriptors of its own, while signals
 * wait; behind a filter of system calls it is not done. Everything that has to do with files
 * (own_files.h) belongs into such work. errno is left alone. */
void fth_apart(void (*work)(void *), void *argument) FTH_PUBLIC;
/* The same for work that is over soon: a process with one thread lends us descriptors for as long,
 * as nobody is there who could see them. Not for files that the program may have locked (fcntl(2)):
 * to close any descriptor of those gives up its locks. */
void fth_apart_or_alone(void (*work)(void *), void *argument);
/* The one descriptor of the program's table that such work may use, or AT_FDCWD. */
void fth_apart_keeps(int descriptor);

#endif
