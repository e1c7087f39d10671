/* Questions of a staging to other servers. Inner header of the fs room. */
#ifndef FTH_FS_STAGE_ASKED_H
#define FTH_FS_STAGE_ASKED_H

#include "fs/server/stage_state.h"

enum { FTH_STAGE_WHY = 640 /* room for whose loss it is */ };
#define FTH_STAGE_NO_SHARE UINT32_MAX

struct fth_stage_asked *fth_stage_new_asked(struct fth_staging *staging, uint32_t server,
                                            uint32_t share);
/* Has its server write its intervals to the file, by this name in the folder below ("": the server
 * holds it), which is at least so long then. */
void fth_stage_ask(struct fth_staging *staging, struct fth_stage_asked *asked, const char *name,
                   uint64_t end);
/* Has this server not answered before? */
bool fth_stage_is_lost(const struct fth_staging *staging, uint32_t server);
void fth_stage_tell_who_is_lost(const struct fth_staging *staging, uint32_t server,
                                char why[FTH_STAGE_WHY]);
/* It has not answered, and may still write old bytes to the file. */
void fth_stage_note_unanswered(struct fth_staging *staging, uint32_t server);
/* What a server answers that was asked whether it still does. */
void fth_stage_take_end_of_old(struct fth_staging *staging, uint32_t server, int error,
                               const char *why);
/* Asks the servers that may still write old bytes to the file whether they do. false: there are
 * none, or one that does not answer, so that the staging fails. */
bool fth_stage_ask_unanswered(struct fth_staging *staging);

#endif
