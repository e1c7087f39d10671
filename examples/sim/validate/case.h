/* Cases: what a source says, and what the simulator makes of it. */
#ifndef FATHOM_VALIDATE_CASE_H
#define FATHOM_VALIDATE_CASE_H

#include <stdbool.h>
#include <stdint.h>

/* One comparison. `tolerance` is absolute, in the unit of the values. Why they differ where they
 * do: known.h. */
void compare(const char *id, const char *what, const char *source, double published, double ours,
             double tolerance);

extern const char *reference_cluster; /* its file */

/* Where the values come from. */
#define THESIS "Kunkel 2013, "
#define ORIGINAL "PIOsimHD itself, run with OpenJDK 17"
#define REFERENCE_MODEL "an independent model of the same rules"

void validate_disks(void);
void validate_network(void);
void validate_paths(void);
void validate_messages(void);
void validate_patterns(void);
void validate_trends(void);
void validate_files(void);
void validate_caches(void);
void validate_rates(void);
void validate_partdiff(void);

#endif
