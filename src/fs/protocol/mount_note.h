/* The file `mount` of an instance: whether its prefix is a mount on this node, for programs that
 * nothing can be preloaded into. The process that is mounted has a lock on it while it lives. */
#ifndef FTH_FS_MOUNT_NOTE_H
#define FTH_FS_MOUNT_NOTE_H

#include <limits.h>
#include <sys/types.h>

enum fth_mount_word {
    FTH_NOT_MOUNTED, /* the text says why */
    FTH_MOUNTED,     /* the text says where, as the system knows it */
    FTH_MOUNT_MADE,  /* the same, and the folder was made for it */
};

enum { FTH_MOUNT_TEXT = 2 * PATH_MAX };

/* `flags`: of open(2). -1: errno is set. */
int fth_mount_note_open(int instance, int flags);
/* -1: errno is set. */
int fth_mount_note_write(int note, enum fth_mount_word word, const char *text);
/* A note that is not there, or damaged, says FTH_NOT_MOUNTED, and nothing why. */
enum fth_mount_word fth_mount_note_read(int note, char text[FTH_MOUNT_TEXT]);
/* The process that is mounted; 0: none. */
pid_t fth_mount_note_process(int note);

#endif
