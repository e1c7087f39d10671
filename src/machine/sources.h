/* The files in which the kernel counts for the node: opened once, read at each sample. Inner header
 * of the machine room. */
#ifndef FTH_MACHINE_SOURCES_H
#define FTH_MACHINE_SOURCES_H

#include "machine/reading.h"

enum { FTH_NODE_SOURCES = 8, FTH_MOST_DOMAINS = 64, FTH_MOST_CLIENTS = 16 };

/* A part of the machine whose energy is counted (RAPL), and the counter begins anew when it is at
 * `range`. */
struct fth_energy_domain {
    int file;
    char name[48];
    uint64_t range, before, used;
    bool read;
};

struct fth_lustre_client {
    int file;
    char name[48];
};

struct fth_sources {
    int files[FTH_NODE_SOURCES];
    struct fth_energy_domain domains[FTH_MOST_DOMAINS];
    size_t domain_count;
    struct fth_lustre_client clients[FTH_MOST_CLIENTS];
    size_t client_count;
    char *text; /* of the file that was read last */
    size_t room;
};

void fth_sources_open(struct fth_sources *sources);
void fth_sources_take(struct fth_sources *sources, const struct fth_taker *taker);
void fth_sources_close(struct fth_sources *sources);
/* All of a file, from its start; stands until the next one is read. NULL: there is none, or it
 * cannot be read. */
const char *fth_source_text(struct fth_sources *sources, int file);

#endif
