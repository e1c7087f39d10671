/* The calls that random programs are made of. */
#ifndef CALLS_H
#define CALLS_H

#include <stdint.h>
#include <stdio.h>

enum {
    DESCRIPTORS = 12, /* of each thread */
    STREAMS = 4,
    NEST = 4, /* loops inside one another */
    HOARD = 300,
    LONGEST_PATH = 600,
};

/* A number that depends on where the loops are. */
struct expression {
    enum { LINEAR, RANDOM, EXTREME } kind;
    int64_t base, steps[NEST]; /* LINEAR */
    int64_t range, grain;      /* RANDOM: base + grain * [0, range) */
};

struct call {
    int which;  /* index into calls[] */
    int target; /* descriptor or stream */
    int other;  /* another one */
    struct expression count, offset, choice;
    int rarely; /* made every so many turns only */
};

struct descriptor {
    int fd; /* -1: closed */
    char file[LONGEST_PATH];
};

struct stream {
    FILE *stream;
    char file[LONGEST_PATH];
};

/* What a thread works on. */
struct worker {
    uint64_t random;
    int64_t turns[NEST];
    struct descriptor descriptors[DESCRIPTORS];
    struct stream streams[STREAMS];
    int hoard[HOARD], hoarded;
    char name; /* first letter of the names of its files */
    char cwd[LONGEST_PATH / 2];
};

uint64_t draw(uint64_t *random);
int64_t value_of(struct worker *worker, const struct expression *expression);

/* How many kinds of calls there are, and how often a kind should come up. */
extern const int call_count;
int call_weight(int which);
void make_call(struct worker *worker, const struct call *call);

void calls_start(void);
void worker_start(struct worker *worker, char name, uint64_t seed);
/* Keeps so many descriptors open that those to come have high numbers. */
void worker_hoard(struct worker *worker);
void worker_end(struct worker *worker);

#endif
