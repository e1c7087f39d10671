/* The catalogue in memory: what `.calls` files say (docs/catalog.md), for the generator at build
 * time and for the reader, which parses the rows that travel in a trace. */
#ifndef FTH_CATALOG_CATALOG_H
#define FTH_CATALOG_CATALOG_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum fth_class_form {
    FTH_CLASS_FILE,      /* bound to a path */
    FTH_CLASS_OBJECT,    /* bound to a name */
    FTH_CLASS_ANONYMOUS, /* bound to nothing */
};

/* A class of handles. */
struct fth_class {
    char *name;
    enum fth_class_form form;
    /* data calls move bytes to and from a buffer; what passes between buffer and file are calls
     * of their own */
    bool buffered;
};

/* Names of the bits or values of a parameter. */
struct fth_flag {
    int64_t value;
    char *name;
};
struct fth_flags {
    char *name;
    size_t count;
    struct fth_flag *entries;
};

enum fth_role {
    FTH_ROLE_NONE, /* nothing is kept */
    FTH_ROLE_USE,
    FTH_ROLE_CLOSE,
    FTH_ROLE_NEW,
    FTH_ROLE_PATH,
    FTH_ROLE_STRING,
    FTH_ROLE_STRINGS,
    FTH_ROLE_DATA, /* contents: of a text its length is kept, of a number nothing */
    FTH_ROLE_BYTES,
    FTH_ROLE_SIZE,
    FTH_ROLE_ITEMS,
    FTH_ROLE_COUNT,
    FTH_ROLE_OFFSET,
    FTH_ROLE_OFFSET_VIEW,
    FTH_ROLE_DISTANCE,
    FTH_ROLE_WHENCE,
    FTH_ROLE_FLAGS,
    FTH_ROLE_MODE,
    FTH_ROLE_VALUE,
    FTH_ROLE_PEER,
    FTH_ROLE_ROOT,
    FTH_ROLE_TAG,
    FTH_ROLE_IN,
    FTH_ROLE_OUT,
    FTH_ROLE_IOV,
    FTH_ROLE_STATUS,
    FTH_ROLE_AIO,
    FTH_ROLE_AIO_LIST,
    FTH_ROLE_ARGUMENT,
    /* of results only */
    FTH_ROLE_MOVED,
    FTH_ROLE_RESULT_ITEMS,
    FTH_ROLE_BYTE,
    FTH_ROLE_TEXT,
    FTH_ROLE_LINE,
    FTH_ROLE_POSITION,
    FTH_ROLE_RESULT_STATUS,
    FTH_ROLE_CODE,
    FTH_ROLE_POINTER,
};

/* What only the library knows, asked before the call: "H5Sget_simple_extent_ndims(space_id)"; or
 * what another list gives: "last(index)". */
enum { FTH_MOST_ASKED = 6 /* arguments */, FTH_ASK_ANSWER = -1 };
struct fth_ask {
    char *function;
    int count;
    int arguments
        /* parameters of the row; FTH_ASK_ANSWER: where the answer, an int, is stored */
        [FTH_MOST_ASKED];
};

/* `last(LIST)` and `sum(LIST)`: the last one of the integers in another parameter, or all of them
 * together. */
static inline bool fth_ask_is_of_list(const struct fth_ask *ask)
{
    return strcmp(ask->function, "last") == 0 || strcmp(ask->function, "sum") == 0;
}

/* One parameter, or the result (name "" then). */
struct fth_field {
    char *type; /* C type without the name: "const char *", "int" (of one element for arrays) */
    char *name;
    char *role_words; /* as written, "" without */
    enum fth_role role;
    bool array;       /* declared with [] */
    bool optional;    /* the last one of a variadic function: `mode?` */
    int class_index;  /* into classes, for use, close, new; else -1 */
    int flags_index;  /* into flags, for flags; else -1 */
    int length_field; /* index of the parameter that holds the array's length, else -1 */
    int64_t length;   /* or the length itself when it is a number; 0: it is asked; else -1 */
    int at_field;     /* `path at FD`, `string at ROOT`: index of that parameter, else -1 */
    /* For those who write wrappers; the tables of packed.h lack them. */
    int in_field, name_field; /* `new CLASS in HANDLE named NAME`: indices of parameters, else -1 */
    struct fth_ask *ask;      /* `in[FUNCTION(...)]`, `moved FUNCTION(...)`, else NULL */
    bool moved_all;           /* `moved all` */
    bool of_lists; /* `in[n][FUNCTION(...)]`: n pointers to arrays, each of so many integers */
};

/* What a call does to a file that models of consistency ask for. */
enum {
    FTH_MEANS_OPENS = 1,  /* what others have closed is there */
    FTH_MEANS_CLOSES = 2, /* the file is closed, and with the system */
    FTH_MEANS_SYNCS = 4,  /* what was written is with the system */
};

enum {
    FTH_CALL_COLLECTIVE = 1,
    FTH_CALL_NONBLOCKING = 2,
    FTH_CALL_BEGIN = 4,
    FTH_CALL_END = 8,
    FTH_CALL_NORETURN = 16,
    FTH_CALL_OFF = 32,
    FTH_CALL_BY_HAND = 64,
    FTH_CALL_VARIADIC = 128,
    FTH_CALL_ON_STDIN = 256,
    FTH_CALL_ON_STDOUT = 512,
    FTH_CALL_HOOKED = 1024,
    FTH_CALL_COLLECTIVE_IF_SHARED = 2048,
    FTH_CALL_COPIES = 4096,
    FTH_CALL_COMMON = 8192,
    FTH_CALL_ADVANCES = 16384,
    FTH_CALL_LINKS = 32768,
    FTH_CALL_UNCOUNTED = 65536,
    FTH_CALL_SYSTEM = 131072,
    FTH_CALL_WATCHED = 262144,
    FTH_CALL_AROUND = 524288,
};

/* `as WORD, ...`: how the handle that a call makes is opened, whatever its arguments say. */
enum {
    FTH_OPENS_TO_READ = 1,
    FTH_OPENS_TO_WRITE = 2,
    FTH_OPENS_NEW = 4,
    FTH_OPENS_EMPTY = 8,
    FTH_OPENS_EXCLUSIVE = 16,
    FTH_OPENS_TEMPORARY = 32,
};

/* One row. */
struct fth_row {
    int64_t id;    /* within a trace: the number written in front of the row; else its index */
    char *text;    /* the row itself, on one line, without the number */
    char *library; /* "libc", "mpi", ...; of which there may be a struct fth_library */
    char *layer;
    char *kind;
    unsigned flags;  /* FTH_CALL_... */
    unsigned opens;  /* FTH_OPENS_... */
    bool says_means; /* by `means WORD, ...`, and not by its kind and roles */
    unsigned means;  /* FTH_MEANS_... then */
    char *via;       /* of `via NAME`, else NULL */
    char *builds;    /* of `builds WORD`, else NULL */
    char *orders;    /* of `orders WORD`, else NULL */
    char *name;
    size_t field_count;
    struct fth_field *fields;
    struct fth_field result;
    const char *file; /* where it was read from */
    int line;
};

/* Does it ask whether something has come? How often a program does so follows no rule. */
static inline bool fth_row_polls(const struct fth_row *row)
{
    return strcmp(row->kind, "test") == 0 || strcmp(row->kind, "probe") == 0;
}

/* A library whose functions are bound when it is seen in a process: how its shared object is
 * recognised. */
struct fth_library {
    char *name;
    char *stem;   /* that the name of its file begins with: "libhdf5" */
    char *symbol; /* a function that it defines itself */
    char *needs;  /* a function that versions lack which the rows do not describe, or NULL */
    bool itself;  /* its references to its own functions are bound, too */
    /* of these words one is in the names of the files of its libraries for Fortran; if the library
     * has the functions for Fortran inside, in their names. NULL: there are no such */
    char *fortran[2];
    bool asked_after; /* what it is asked (struct fth_ask) it is asked after the call, not before */
};

/* What a library lets programs set, as advice names it. */
enum fth_hint {
    FTH_HINT_LARGER,     /* fewer and larger accesses of what is asked for */
    FTH_HINT_TOGETHER,   /* collective instead of independent accesses */
    FTH_HINT_BUFFER,     /* a larger buffer in between */
    FTH_HINT_UNUSED,     /* fewer bytes that nobody asked for */
    FTH_HINT_ALIGNED,    /* pieces that begin where blocks do */
    FTH_HINT_OBJECTS,    /* less metadata in files */
    FTH_HINT_ATTRIBUTES, /* fewer and larger attributes */
    FTH_HINT_KEPT,       /* what a library keeps for what is open, where that is closed again */
    FTH_HINTS
};
enum fth_hint_language { FTH_HINT_IN_C, FTH_HINT_IN_PYTHON, FTH_HINT_LANGUAGES };

/* What a layer is to those who read its calls: `is WORD, ...`. Said of Fathom's own alone, as what
 * follows from it is in Fathom. */
enum {
    /* calls of the system. Nothing is part of one: what is recorded inside is of a signal handler
     * that interrupted it, and moves bytes of its own */
    FTH_LAYER_SYSTEM = 1,
    FTH_LAYER_STREAMS = 2, /* libc's, over descriptors */
    FTH_LAYER_PROCESSES = 4,
    FTH_LAYER_THREADS = 8,   /* and their locks */
    FTH_LAYER_COUNTERS = 16, /* semaphores and the like, which processes share */
    FTH_LAYER_MESSAGES = 32, /* MPI but for its files */
    FTH_LAYER_TOGETHER = 64, /* files that ranks open together: those of MPI */
    FTH_LAYER_NETCDF = 128,  /* errors have the numbers of NetCDF */
    FTH_LAYER_DEVICES = 256,
    FTH_LAYER_REGIONS = 512, /* parts of the program, which it has named */
    FTH_LAYER_NOTES = 1024,  /* of the tracer itself: no calls */
    FTH_LAYER_HDF5 = 2048,   /* identifiers that the library makes have its names for them */
    FTH_LAYER_PROBES = 4096, /* code in sources: what it has moved, calls inside it have moved */
};

/* A layer, and what is said of it and not of single calls. */
struct fth_layer {
    const char *name;
    const char *library; /* of the first row */
    const char *text;    /* what follows its name, on one line; NULL: nothing */
    /* programs access files with its calls, as far as advice goes */
    bool accesses_files;
    /* its calls open, close and sync what the system has, and not what a library keeps of it */
    bool synchronizes;
    unsigned is;                      /* FTH_LAYER_... */
    const char *about;                /* a few words, or NULL */
    const char *open, *close, *flush; /* functions that do so with a file, or NULL */
    const char *open_together;        /* the former for several ranks, if that is another one */
    /* functions that macros call where a buffer is at its end: "f, g"; or NULL */
    const char *refills;
    const char *hints[FTH_HINT_LANGUAGES][FTH_HINTS]; /* or NULL */
};

struct fth_catalog {
    size_t class_count, flags_count, row_count, library_count, layer_count;
    struct fth_class *classes;
    struct fth_flags *flags;
    struct fth_row *rows;
    struct fth_library *libraries;
    struct fth_layer *layers; /* in the order of their first rows */
    char **includes;          /* what lines `include` say, "<kv.h>": the types of the rows */
    size_t include_count;
    /* so many are those of another catalogue, to which this one adds (packed.h); else 0 */
    size_t given_classes, given_rows, given_layers;
    char **files; /* names that rows point to */
    size_t file_count;
    char *library, *layer; /* while parsing: what applies to the next row */
    /* the memory of all strings and fields, and the index by name */
    struct fth_catalog_store *store;
};

/* Adds the rows of `text` (length bytes, need not end in NUL) to the catalogue (all zero at first).
 * `file` names the text in errors: "posix.calls:12:8: unknown role 'pth'; the roles are: path,
 * ...". Classes must be declared before their use, flags may be declared in any earlier place.
 * Returns 0, or -1 with *error set; the catalogue can then only be freed. Limits: 65,535 rows, 31
 * parameters, 254 classes. */
int fth_catalog_parse(struct fth_catalog *catalog, const char *file, const char *text,
                      size_t length, struct fth_error **error);
/* The same, but goes on behind what is wrong; each error is given to `complain`, which frees it.
 * Returns how many there were. */
size_t fth_catalog_check(struct fth_catalog *catalog, const char *file, const char *text,
                         size_t length, void (*complain)(void *context, struct fth_error *error),
                         void *context);
/* The same for a file; `library` and `layer` start anew in each. */
int fth_catalog_parse_file(struct fth_catalog *catalog, const char *path, struct fth_error **error);
/* The row of this function, or NULL. Valid until more is parsed. In O(1), but for constant tables
 * (packed.h), which have no index: in O(rows). */
const struct fth_row *fth_catalog_find(const struct fth_catalog *catalog, const char *name);
/* The layer of this name, or NULL; valid as the row is. */
const struct fth_layer *fth_catalog_layer(const struct fth_catalog *catalog, const char *name);
void fth_catalog_free(struct fth_catalog *catalog);

#endif
