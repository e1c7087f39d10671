/* Calls of the recorder's own, which give a reader what it needs to know for those that follow.
 * They stand before the call at hand, and before its values are kept. Inner header of the
 * capture room. */
#ifndef FTH_CAPTURE_RECORD_RECORDER_NOTES_H
#define FTH_CAPTURE_RECORD_RECORDER_NOTES_H

#include "capture/record/runtime.h"

/* What a slot is bound to (trace/state/state.h). False: there was no room for it. */
bool fth_record_binding(struct fth_draft *draft, const char *class_name, int32_t slot,
                        int64_t number, const char *name, size_t length);
/* Where the connection of a socket leads. */
void fth_record_connection(struct fth_draft *draft, int32_t slot, const char *text);
/* The working directory. */
bool fth_record_directory(struct fth_draft *draft, const char *path);
/* What was written by the call at this depth, as a hash. */
void fth_record_contents(struct fth_recorder *recorder, uint32_t depth, uint64_t hash,
                         int64_t bytes);
/* Where the descriptor of the call stands; -1: nowhere. */
void fth_record_standing(struct fth_draft *draft, int64_t at);
/* A thread is started inside the call that is open, or else the thread of the recorder, which has
 * recorded nothing yet, is of that start. */
void fth_record_start(struct fth_recorder *recorder, bool is_made, uint32_t number);

#endif
