/* What `fathom record` or `fathom attach` asks for, and the environment of programs that this
 * process starts. Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_ENVIRONMENT_H
#define FTH_CAPTURE_PROCESS_ENVIRONMENT_H

#include "base/settings.h"
#include "interpose/interpose.h"

/* What is asked for, by the name of the variable; NULL: nothing. */
const char *fth_setting(const char *name) FTH_PUBLIC;
/* The environment with what makes a new program one that is recorded. */
char **fth_environment_with_us(char *const *environment) FTH_PUBLIC;
/* Puts aside what `fathom record` has set in the environment. Once, when the program starts. */
void fth_environment_keep(void);
/* The same from what `fathom attach` says: texts with a zero behind each, and another one behind
 * the last. NULL: programs that are started from now on are not recorded. It stays where it is. */
void fth_environment_given(const char *settings);
/* Names this process image in `environ`, for programs that libc starts by itself. When an image
 * starts, also after a fork. */
void fth_environment_name_image(uint64_t image);
/* The program has another root: if we cannot be loaded from there, `environ` does not ask for it
 * any more. */
void fth_environment_moved(void);
bool fth_environment_is_readable(char *const *environment);
/* libc is about to start a program by itself, with `environ`: it is noted if that lacks what makes
 * it one that is recorded. */
void fth_environment_handed_over(void) FTH_PUBLIC;
/* Are programs that this process starts to be recorded? */
bool fth_environment_is_passed_on(void);
/* For a program in which we have no place: the environment without our libraries. */
char **fth_environment_without_us(char *const *environment);
/* What one of these has made is no longer needed. */
void fth_environment_done(char **environment, char *const *given);
/* The child of this thread's vfork has gone. */
void fth_environment_done_in_vfork(void);

#endif
