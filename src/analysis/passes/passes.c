/* All passes. */
#include "analysis/passes/passes.h"

const struct fth_pass *const fth_passes[] = {
    &fth_pass_spent,    &fth_pass_setups,       &fth_pass_patterns,       &fth_pass_levels,
    &fth_pass_metadata, &fth_pass_stalls,       &fth_pass_file_lifetimes, &fth_pass_sharing,
    &fth_pass_storms,   &fth_pass_bursts,       &fth_pass_roles,          &fth_pass_striped,
    &fth_pass_failures, &fth_pass_short_writes, &fth_pass_unwritten,      &fth_pass_entering,
    &fth_pass_activity, &fth_pass_volume,       &fth_pass_over_time,      &fth_pass_in_time,
    &fth_pass_tuned,
};
const size_t fth_pass_count = sizeof fth_passes / sizeof *fth_passes;

bool fth_pass_only_shows(const struct fth_pass *pass)
{
    static const struct fth_pass *const showing[] = {
        &fth_pass_spent,     &fth_pass_activity, &fth_pass_volume,
        &fth_pass_over_time, &fth_pass_in_time,  &fth_pass_tuned,
    };
    for (size_t i = 0; i < sizeof showing / sizeof *showing; i++)
        if (showing[i] == pass)
            return true;
    return false;
}
