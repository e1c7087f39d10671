/* Findings: what a pass says is worth knowing about a run, with evidence and advice. Texts are
 * copied. Memory that is out ends the program (base/memory.h). Not thread-safe. */
#ifndef FTH_TABLE_FINDING_H
#define FTH_TABLE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most so many of each are kept, and shown to programs; all are counted. */
enum { FTH_FINDING_KEPT = 1024, FTH_FINDING_LISTED = 16 };

struct fth_finding_list {
    uint64_t total;
    size_t count; /* of those kept */
    char **items;
    uint32_t *hashes; /* of them */
};

struct fth_finding {
    const char *kind;  /* for programs: "small_accesses" */
    const char *title; /* for people: "Many small accesses" */
    /* ns, over all processes, that could be gone at best; 0: it is not about time */
    int64_t severity;
    double share;   /* of what all processes lasted, percent */
    bool effective; /* an optimisation that is at work, nothing to mend */
    bool wrong;     /* data can be lost or wrong: it matters whatever time it takes */
    /* ns that the run could be shorter at most without what it is about, along its critical path;
     * -1: not known */
    int64_t gain;
    double gain_share;  /* of `gain_of`, percent */
    int64_t gain_of;    /* ns of the critical path, without the start and the end of MPI */
    bool gain_of_part;  /* there are these two */
    size_t times;       /* so many findings were folded into this one */
    bool behind;        /* reported behind those about time, whatever they take */
    bool aside;         /* minor whatever it takes */
    bool of_most_calls; /* minor, but of most of the calls: not to be passed over in silence */
    bool again;         /* what it is about is done to the same again and again */
    bool minor;         /* the run would hardly be shorter without it, whatever time it takes */
    /* kind of the finding that causes it: its seconds are reported there; or NULL */
    const char *part_of;
    /* kind of one that stands for less than half of it, or NULL: both are shown */
    const char *partly_due_to;
    char *text;   /* what was seen: one sentence or two */
    char *advice; /* what to try */
    /* Those that make the calls it is about: some of them, and how many there are at least. "0",
     * "3"; of processes without one "proc 5" */
    struct fth_finding_list ranks;
    struct fth_finding_list late;  /* of them: those that these wait for */
    struct fth_finding_list files; /* paths */
    /* calls as `fathom dump --call` takes them: "PROC.THREAD.NUMBER" */
    struct fth_finding_list evidence;
    bool of_a_part; /* of the calls: others were only watched, so nothing is known of all of them */
    int64_t explains; /* ns of other findings that are due to it at most; 0: as much as its own */
    /* What it is about, for those who compute what would be gained (path/path.h) and who hold it
     * against the calls (analysis/survey/ledger.h): calls of these functions, of these kinds of
     * work, on its files. A finding about time says at least one of the first two, or
     * `of_lifetimes`. */
    struct fth_finding_list functions; /* none: of any */
    unsigned classes;                  /* 1 << enum fth_call_class_kind; 0: of any */
    bool of_processors; /* what it takes are processors: nobody knows what the run would gain */
    bool of_lifetimes;  /* its time is that of processes, whatever they do */
    bool any_file;      /* also on files that are not listed */
};

struct fth_findings {
    size_t count;
    struct fth_finding *list;
};

/* kind and title outlive it. The result lives until the next one is added. */
struct fth_finding *fth_finding_add(struct fth_findings *findings, const char *kind,
                                    const char *title);
/* The one that was added last is none after all. */
void fth_finding_drop(struct fth_findings *findings);
void fth_findings_remove(struct fth_findings *findings, size_t index);
void fth_finding_say(struct fth_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fth_finding_advise(struct fth_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What is listed already is not added again. */
void fth_finding_list_add(struct fth_finding_list *list, const char *item);
/* At least so many processes make the calls it is about. */
void fth_finding_spread(struct fth_finding *finding, uint64_t processes);
void fth_finding_call(struct fth_finding *finding, size_t proc, uint32_t thread, uint64_t number);

/* Findings of one kind become one: the worst of them, with the time, ranks, files and evidence of
 * all. */
void fth_findings_fold(struct fth_findings *findings);
/* What is most worth acting on first: what is wrong, then by what the run would be shorter; where
 * that is not known the severity is taken to be spread evenly over so many processes. Then what is
 * minor, what is part of another one, and what is effective. Stable. */
void fth_findings_sort(struct fth_findings *findings, size_t processes);
/* NULL: there is none of this kind. */
struct fth_finding *fth_finding_of(const struct fth_findings *findings, const char *kind);
/* Sets the shares. whole: ns; 0: they stay 0. */
void fth_findings_share(struct fth_findings *findings, int64_t whole);
/* Says which are minor: those about time without which less than this share (0 to 1) of the run, or
 * where that is not known of all time, would be gone. */
void fth_findings_weigh(struct fth_findings *findings, double least);
void fth_findings_free(struct fth_findings *findings);

#endif
