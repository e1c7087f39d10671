/* Numbers with units that people can read at a glance. */
#ifndef FTH_BASE_PHRASE_H
#define FTH_BASE_PHRASE_H

#include <stdint.h>

/* A short text by value: `fth_phrase_bytes(n).text`. */
struct fth_phrase {
    char text[48];
};

struct fth_phrase fth_phrase_bytes(uint64_t bytes);   /* "512 B", "1.21 MiB" */
struct fth_phrase fth_phrase_duration(int64_t ns);    /* "12.3 us", "1.21 s", "3 min 12 s" */
struct fth_phrase fth_phrase_count(int64_t count);    /* "1,234,567" */
struct fth_phrase fth_phrase_percent(double percent); /* "12.3 %" */
struct fth_phrase fth_phrase_ratio(double ratio);     /* "0.42", "17.3" */
/* "1 file", "2 files" */
struct fth_phrase fth_phrase_several(uint64_t count, const char *one, const char *many);
/* "3", "3 of world 1": a rank of MPI, where more than one MPI_COMM_WORLD may be (MPI_Comm_spawn) */
struct fth_phrase fth_phrase_rank(int64_t world, int64_t rank);

#endif
