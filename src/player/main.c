/* The player of `fathom replay`: see player.h. Its arguments are the folder of the scripts and the
 * libraries of MPI and of HDF5 ("" for one that fits). */
#include "base/launchers.h"
#include "player/player.h"

#include <string.h>

static uint32_t process_of_rank(int rank)
{
    for (uint32_t i = 0; i < fth_player.plan->process_count; i++)
        if (fth_player.processes[i].rank == rank)
            return i;
    fth_player_fail("the recorded run had no rank %d", rank);
}

static void play_rank(void)
{
    struct fth_launch launch;
    const struct fth_script_plan *plan = fth_player.plan;
    if (!fth_launch_find(&launch))
        fth_player_fail("the launcher does not tell its ranks who they are");
    if ((uint32_t)launch.size != plan->ranks)
        fth_player_fail("the launcher starts %d ranks, and the recorded run had %u", launch.size,
                        plan->ranks);
    fth_player_begin_process(process_of_rank(launch.rank));
}

static void play_roots(void)
{
    for (uint32_t i = 0; i < fth_player.plan->process_count; i++)
        if (fth_player.processes[i].is_root)
            fth_player_fork(i);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        fth_player_fail("the player is started by `fathom replay`");
    fth_player_catch_signals();
    fth_player_load(argv[1], argv[2], argv[3]);
    if (fth_player.plan->uses_hdf5 && !fth_player.plan->ranks)
        fth_player_begin_hdf5();
    fth_player.base = fth_player_now();
    if (fth_player.plan->ranks)
        play_rank();
    else
        play_roots();
    fth_player_end_process();
    return 0;
}
