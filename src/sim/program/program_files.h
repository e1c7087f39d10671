/* Inner header of the sim room: what programs say of files.
 *
 *     file out size 10 GiB stripe 64 KiB servers 5
 *     write out at 100 MiB * rank + 500 MiB * turn size 100 MiB
 *     read_all out at 8 KiB * rank size 8 KiB count 100 stride 64 KiB */
#ifndef FTH_SIM_PROGRAM_PROGRAM_FILES_H
#define FTH_SIM_PROGRAM_PROGRAM_FILES_H

#include "sim/plan/program_commands.h"
#include "sim/text/line_words.h"

/* A file's name is not used before the line that declares it. */
struct fth_sim_named_files {
    struct fth_sim_file *files;
    uint32_t count;
};

/* The offset of an access, which depends on the rank and on the turn of the innermost loop. */
struct fth_sim_place {
    uint64_t base, per_rank, per_turn;
};

/* A further one; its name is copied. */
int fth_sim_named_files_add(struct fth_sim_words *words, struct fth_sim_named_files *files,
                            const struct fth_sim_file *file);
/* What is behind the word `file`. */
int fth_sim_words_file(struct fth_sim_words *words, struct fth_sim_named_files *files);
enum { FTH_SIM_MOST_REQUESTS = 1 << 30 };

/* Whether the command of that verb works with a file. */
bool fth_sim_works_with_file(enum fth_sim_verb verb);
/* What is behind the name of such a command; of one that is only begun, a request, too. */
int fth_sim_words_access(struct fth_sim_words *words, const struct fth_sim_named_files *files,
                         bool begins, struct fth_sim_command *command, struct fth_sim_place *place);
void fth_sim_named_files_free(struct fth_sim_named_files *files);

/* Offsets beyond this are none that any file has. */
#define FTH_SIM_MOST_OFFSET (UINT64_C(1) << 60)

static inline uint64_t fth_sim_place_at(const struct fth_sim_place *place, uint64_t rank,
                                        uint64_t turn)
{
    unsigned __int128 offset = place->base + (unsigned __int128)place->per_rank * rank +
                               (unsigned __int128)place->per_turn * turn;
    return offset < FTH_SIM_MOST_OFFSET ? (uint64_t)offset : FTH_SIM_MOST_OFFSET;
}

#endif
