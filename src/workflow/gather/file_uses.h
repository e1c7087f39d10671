/* Which files each process read, wrote, made, renamed and deleted, and when: two tables of a
 * pass, for who joins processes by the files that they hand to each other. Times are ns since
 * the start of the run. */
#ifndef FTH_WORKFLOW_FILE_USES_H
#define FTH_WORKFLOW_FILE_USES_H

#include "analysis/survey/survey.h"

/* One row for each process and file, and one more for each time that its name was given to another
 * file meanwhile, or the file was made anew. Columns of times are null where nothing was read, or
 * written. What a program only opened has a row if another program took its place (exec). */
enum fth_file_use_column {
    FTH_USE_PROC,
    FTH_USE_PATH,
    FTH_USE_HOST, /* null: the same file on all nodes */
    FTH_USE_FIRST_READ,
    FTH_USE_LAST_READ,
    FTH_USE_READ,      /* bytes */
    FTH_USE_READ_FROM, /* of the file; null, as the next: not known */
    FTH_USE_READ_TO,
    FTH_USE_FIRST_WRITE,
    FTH_USE_LAST_WRITE,
    FTH_USE_WRITTEN,
    FTH_USE_WRITTEN_FROM,
    FTH_USE_WRITTEN_TO,
    FTH_USE_FRESH, /* 1: it made the file, or cut it to nothing */
    /* Returns of the last open before the first access, and of the last close of what may write;
     * null: none was seen. A close counts for what was written before it. */
    FTH_USE_OPENED,
    FTH_USE_CLOSED,
    FTH_USE_READING, /* ns in calls that read it, or found its end, and that wrote to it */
    FTH_USE_WRITING,
    FTH_USE_COLUMNS
};

/* One row for each name that was given or taken away. */
enum fth_name_change_column {
    FTH_CHANGE_PROC,
    FTH_CHANGE_KIND, /* "renamed", "linked", "deleted"; "pointed": it is a symbolic link now */
    FTH_CHANGE_PATH,
    FTH_CHANGE_HOST,
    FTH_CHANGE_TO, /* null for "deleted" and "pointed" */
    FTH_CHANGE_TO_HOST,
    FTH_CHANGE_TIME,
    FTH_CHANGE_COLUMNS
};

/* Its tables are the last two of the results: uses, and changes of names. Files of the system, of
 * libraries and of launchers are left out. */
extern const struct fth_pass fth_pass_file_uses;

#endif
