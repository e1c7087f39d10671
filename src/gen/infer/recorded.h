/* What the processes of a recorded program read and wrote, file by file: in rounds, which are what
 * a process did between two meetings with others. Inner header of the room gen. */
#ifndef FTH_GEN_RECORDED_H
#define FTH_GEN_RECORDED_H

#include "base/arena.h"
#include "gen/template/data_model.h"

#include <fathom/access.h>

enum {
    FTH_GEN_MOST_RECORDED = 1 << 22, /* runs of all processes: more are not looked at */
    FTH_GEN_MOST_SPACES = 4096,      /* arrays of a file of a library */
};

/* Bytes of a space without a hole. `type`: that of the call; NULL: bytes. */
struct fth_gen_run {
    uint32_t space;
    const struct fth_gen_type *type;
    uint64_t at, length;
};

/* What a process did to a file between two meetings. */
struct fth_gen_round {
    bool writes, collective;
    size_t first, count;    /* runs */
    uint64_t meetings;      /* collective calls of all ranks that this one made before */
    uint64_t gathered;      /* bytes that each process sent to this one just before; 0: none */
    int64_t gathering_size; /* of that group */
};

struct fth_gen_recorded_rank {
    struct fth_gen_round *rounds;
    size_t round_count;
    struct fth_gen_run *runs;
    size_t run_count;
};

/* Where places are counted: the bytes of a file, or an array of a library in it. */
struct fth_gen_space {
    const char *group; /* in which `number` counts; NULL: that of the file */
    const char *name;  /* of the array; NULL: not known, or the bytes of the file */
    int64_t number;    /* of a variable; -1 */
    const struct fth_gen_type *defined; /* in the file; NULL: the calls do not say */
    const char *foreign; /* a type of the library in the file that hints lack; NULL */
    const struct fth_gen_type
        *given; /* in the memory of the program; NULL: not known, or several */
    bool has_given, gives_several;
    unsigned rank; /* 0: bytes */
    int64_t *extent;
    bool extent_known; /* else as far as it was accessed */
    uint64_t item;     /* bytes of an element; 0: not known */
    const char *why;   /* elements are not known, because */
};

/* A variable of NetCDF or PnetCDF, as it was defined, or its number was asked for. */
struct fth_gen_named_variable {
    const char *group; /* NULL: that of the file */
    int64_t number;
    const char *name;
    const struct fth_gen_type *type; /* NULL: not known, or none that hints have */
    const char *foreign;             /* then the library's name of it, if that is known */
};

struct fth_gen_recorded_file {
    const char *path;
    const char *layer; /* of the calls that access it */
    struct fth_gen_space *spaces;
    uint32_t space_count;
    struct fth_gen_named_variable *variables;
    size_t variable_count;
    struct fth_gen_recorded_rank *ranks;
    bool reads, writes;
    size_t process;               /* of the trace, that accessed it last, + 1; 0: none */
    bool has_bytes, has_elements; /* accesses of either sort */
    uint64_t bytes;
    char *why; /* not known, because; NULL: all of it is known */
};

struct fth_gen_recorded {
    int64_t ranks; /* 1 where there is no MPI */
    bool with_mpi;
    bool lacks_calls;                /* of a process that was looked at: lost, or only in sums */
    const char *program, *directory; /* of one of them; NULL: not known */
    struct fth_gen_recorded_file *files;
    size_t file_count;
    size_t run_count;
    struct fth_arena arena;
};

/* Goes through the calls of the ranks of a run, or of its processes where there is no MPI. -1:
 * *error is set. fth_gen_recorded_free either way. */
int fth_gen_recorded_read(struct fth_trace *trace, struct fth_gen_recorded *recorded,
                          struct fth_error **error);
void fth_gen_recorded_free(struct fth_gen_recorded *recorded);

/* The elements of an array that a call accesses; they become runs when the lengths of all
 * arrays are known. */
struct fth_gen_slabs {
    uint32_t file, space;
    size_t round; /* of the file and rank */
    size_t count; /* slabs, as struct fth_elements has them; 0: all */
    const int64_t *numbers;
};
/* Runs of these slabs in order, appended to `rank`. false: too many. */
bool fth_gen_slabs_expand(struct fth_gen_recorded *recorded,
                          const struct fth_gen_recorded_file *file,
                          const struct fth_gen_slabs *slabs, struct fth_gen_recorded_rank *rank);

/* Which array of a file; `name` and `group` may be NULL, `number` is -1 where arrays have names. */
struct fth_gen_space_key {
    const char *group, *name;
    int64_t number;
    const struct fth_gen_named_variable *variable; /* NULL: nothing is known of it */
};
struct fth_gen_space_key fth_gen_space_key_of(const struct fth_gen_recorded_file *file,
                                              const struct fth_call *call,
                                              const struct fth_selected *selected);
/* Its number among the spaces of the file; UINT32_MAX: there are too many. */
uint32_t fth_gen_space_of(struct fth_gen_recorded *recorded, struct fth_gen_recorded_file *file,
                          const struct fth_gen_space_key *key, unsigned rank);
/* The type that this access has in memory. */
void fth_gen_space_take_type(struct fth_gen_space *space, const struct fth_access *access);
/* What a call says of a variable: a number that it returns (`varid`: out) for a name (`string`),
 * and a type (`xtype`). */
void fth_gen_variables_note(const struct fth_trace *trace, struct fth_gen_recorded *recorded,
                            struct fth_gen_recorded_file *file, const struct fth_call *call);
/* In the file, if that is known, else in memory; NULL: not known, or elements of another size. */
const struct fth_gen_type *fth_gen_space_type(const struct fth_gen_space *space);

/* What a datatype is made of, if it is one type; NULL: several, or none that hints know. */
const struct fth_gen_type *fth_gen_type_of_mpi(const struct fth_datatype *datatype);
/* The type of elements in memory: that of HDF5 or MPI among the arguments, or of the buffer in the
 * prototype; NULL: none that hints know. */
const struct fth_gen_type *fth_gen_type_in_memory(const struct fth_access *access);
/* By the name that NetCDF has for it (NC_INT); NULL: none that hints know. */
const struct fth_gen_type *fth_gen_type_of_netcdf(const char *name);

#endif
