/* The recorded processes of a node that are alive. Inner header of the machine room. */
#ifndef FTH_MACHINE_LIVE_PROCESSES_H
#define FTH_MACHINE_LIVE_PROCESSES_H

#include "base/intern.h"
#include "machine/hardware.h"

#include <sys/types.h>

enum { FTH_WATCHED_FILES = 3 }; /* stat, status, io */

struct fth_watched {
    uint64_t image, previous; /* of the process before its last exec that we saw; 0: none */
    int64_t pid;
    uint64_t born;       /* 0: not known yet */
    int64_t image_began; /* ns of CLOCK_MONOTONIC */
    int files[FTH_WATCHED_FILES];
    struct fth_hardware hardware;
};

struct fth_watch {
    const char *folder;
    int changes; /* of inotify; -1: the folder is listed each time */
    struct fth_intern seen;
    uint64_t *begun; /* images whose file was not whole yet */
    size_t begun_count;
    struct fth_watched *processes;
    size_t count;
};

void fth_watch_begin(struct fth_watch *watch, const char *folder);
/* Takes in those that are new. */
void fth_watch_look(struct fth_watch *watch);
/* This one has ended. */
void fth_watch_forget(struct fth_watch *watch, size_t number);
void fth_watch_end(struct fth_watch *watch);

#endif
