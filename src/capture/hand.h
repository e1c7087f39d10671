/* What the wrappers written by hand share. Inner header of the capture room. */
#ifndef FTH_CAPTURE_HAND_H
#define FTH_CAPTURE_HAND_H

#include "capture/runtime.h"

/* How many vforks deep this thread is: the calls are those of a child that borrows our memory, and
 * none of ours. */
extern __thread uint32_t fth_vforked __attribute__((tls_model("initial-exec")));

/* Puts aside what `fathom record` has set in the environment. Once, when the program starts. */
void fth_environment_keep(void);
/* The same from what `fathom attach` says: texts with a zero behind each, and another one behind
 * the last. NULL: programs that are started from now on are not recorded. It stays where it is. */
void fth_environment_given(const char *settings);
/* Names this process image in `environ`, for programs that libc starts by itself. When an image
 * starts, also after a fork. */
void fth_environment_name_image(void);
/* The program has another root: if we cannot be loaded from there, `environ` does not ask for it
 * any more. */
void fth_environment_moved(void);
bool fth_environment_is_readable(char *const *environment);
/* Are programs that this process starts to be recorded? */
bool fth_environment_is_passed_on(void);
/* For a program in which we have no place: the environment without our libraries. */
char **fth_environment_without_us(char *const *environment);
/* What one of these has made is no longer needed. */
void fth_environment_done(char **environment, char *const *given);
/* The child of this thread's vfork has gone. */
void fth_environment_done_in_vfork(void);

#endif
