/* What the ranks of some parallel programs call, as the recorder would hand it on: slots for handles, distances for offsets. */
#include "models.h"

#include "trace/container.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    BLOCK = 1 << 20,
    DOUBLES = 4096,
    DATATYPE = 1,
    COMM = 0,
    CALL_TICKS = 2000,
    GAP_TICKS = 500
};

/* ---- one call ---- */

static uint32_t function_of(const char *name)
{
    static __thread struct {
        const char *name;
        uint32_t function;
    } known[64];
    size_t i = 0;
    while (known[i].name && known[i].name != name)
        i++;
    if (!known[i].name) {
        const struct fth_catalog *catalog = fth_builtin_catalog();
        uint32_t function = 0;
        while (strcmp(catalog->rows[function].name, name) != 0)
            function++;
        known[i].name = name;
        known[i].function = function;
    }
    return known[i].function;
}

/* `values`: as many as the function has, in order; `mask`: which of them are literal. */
static void call_with(struct rank *rank, const char *name, unsigned depth, uint32_t mask,
                      const int64_t *values)
{
    uint32_t function = function_of(name);
    struct fth_call_kind kind = {
        .terminal = FTH_NO_TERMINAL,
        .signature = {.function = function, .depth = depth, .mask = mask, .flags = depth ? 2 : 0}};
    int64_t literals[FTH_MOST_VALUES];
    size_t literal_count = 0;
    kind.signature.count = (unsigned)rank->walk->meanings[function].value_count;
    for (unsigned i = 0; i < kind.signature.count; i++) {
        bool literal = mask >> i & 1;
        kind.signature.values[i] = literal ? 0 : values[i];
        if (literal)
            literals[literal_count++] = values[i];
    }
    fth_walk_call(rank->walk, &kind, GAP_TICKS, CALL_TICKS, literals);
}

#define CALL_AT(rank, depth, mask, name, ...)                                                      \
    call_with(rank, name, depth, mask, (const int64_t[FTH_MOST_VALUES]){__VA_ARGS__})
#define CALL(rank, name, ...) CALL_AT(rank, 0, 0, name, __VA_ARGS__)

static int64_t text(struct rank *rank, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int64_t text(struct rank *rank, const char *format, ...)
{
    char made[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(made, sizeof made, format, arguments);
    va_end(arguments);
    return fth_walk_text(rank->walk, made, (size_t)length);
}

static int64_t list(struct rank *rank, const int64_t *numbers, unsigned count)
{
    struct fth_bytes packed = {0};
    for (unsigned i = 0; i < count; i++)
        fth_bytes_signed(&packed, numbers[i]);
    int64_t number =
        fth_walk_text(rank->walk, packed.data ? (const void *)packed.data : "", packed.length);
    fth_bytes_free(&packed);
    return number;
}

static uint64_t draw(struct rank *rank, uint64_t below)
{
    rank->state ^= rank->state << 13;
    rank->state ^= rank->state >> 7;
    rank->state ^= rank->state << 17;
    return rank->state % below;
}

/* ---- files ---- */

static void open_shared(struct rank *rank, int64_t path)
{
    CALL(rank, "MPI_File_open", COMM, path, 5, -2, 0, 0);
    CALL(rank, "fathom_bind", text(rank, "mpi_file"), 0, 0, path);
}

static void close_shared(struct rank *rank)
{
    CALL(rank, "MPI_File_close", 0, 0);
}

static void open_at(struct rank *rank, unsigned depth, int64_t path, int64_t flags)
{
    CALL_AT(rank, depth, 0, "open", path, flags, 0644, 0, 3);
    CALL(rank, "fathom_bind", text(rank, "fd"), 0, 3, path);
}

static void open_own(struct rank *rank, int64_t path, int64_t flags)
{
    open_at(rank, 0, path, flags);
}

/* `distance`: from where the last one began; the first one's is its offset. */
static void write_at_all(struct rank *rank, int64_t distance)
{
    CALL(rank, "MPI_File_write_at_all", 0, distance, DOUBLES, 8, DATATYPE, 0, 0);
}

/* IOR: a shared file, blocks of a rank one behind the other. */
static void ior_segmented(struct rank *rank)
{
    open_shared(rank, text(rank, "/scratch/ior.dat"));
    for (int64_t i = 0; i < rank->steps; i++)
        write_at_all(rank, i ? BLOCK : rank->rank * rank->steps * BLOCK);
    close_shared(rank);
}

/* IOR: blocks of all ranks in turn. */
static void ior_strided(struct rank *rank)
{
    open_shared(rank, text(rank, "/scratch/ior.dat"));
    for (int64_t i = 0; i < rank->steps; i++)
        write_at_all(rank, i ? rank->ranks * BLOCK : rank->rank * BLOCK);
    close_shared(rank);
}

/* FLASH: a numbered checkpoint of 24 variables every step, a file for each rank. */
static void flash_own(struct rank *rank)
{
    for (int64_t step = 0; step < rank->steps; step++) {
        open_own(rank, text(rank, "/scratch/flash_chk_%04d.%05d", (int)step, (int)rank->rank), 577);
        for (int variable = 0; variable < 24; variable++)
            CALL(rank, "write", 0, DOUBLES * 8, 0);
        CALL(rank, "close", 0, 0);
    }
}

/* The same into one file, in which every 64th rank writes what its group has. */
static void flash_together(struct rank *rank)
{
    enum { GROUP = 64 };
    const int64_t piece = DOUBLES * 8;
    bool writes = rank->rank % GROUP == 0;
    for (int64_t step = 0; step < rank->steps; step++) {
        int64_t path = text(rank, "/scratch/flash_hdf5_chk_%04d", (int)step);
        if (writes)
            open_at(rank, 1, path, 66);
        open_shared(rank, path);
        for (int variable = 0; variable < 24; variable++) {
            if (writes)
                CALL_AT(rank, 1, 0, "pwrite", 0, piece * GROUP,
                        (variable ? rank->ranks - GROUP : rank->rank) * piece, 0);
            write_at_all(rank, (variable ? rank->ranks : rank->rank) * piece);
        }
        if (writes)
            CALL_AT(rank, 1, 0, "close", 0, 0);
        close_shared(rank);
    }
}

static int64_t root_of(int64_t number, int degree)
{
    int64_t root = 1;
    for (;; root++) {
        int64_t next = 1;
        for (int i = 0; i < degree; i++)
            next *= root + 1;
        if (next > number)
            return root;
    }
}

/* BT-IO: cells along a diagonal of a cube, each written row by row, plane by plane. */
static void bt_io(struct rank *rank)
{
    enum { ROW = 64 * 40, CELL = 16 };
    int64_t side = root_of(rank->ranks, 2), x = rank->rank % side, y = rank->rank / side;
    open_own(rank, text(rank, "/scratch/btio.full.out"), 66);
    for (int64_t step = 0, end = 0; step < rank->steps; step++)
        for (int64_t cell = 0; cell < (side < 8 ? side : 8); cell++)
            for (int64_t k = 0; k < CELL; k++)
                for (int64_t j = 0; j < CELL; j++) {
                    int64_t row =
                        (((step * side + cell) * CELL + k) * side + (y + cell) % side) * CELL + j;
                    int64_t offset = (row * side + (x + cell) % side) * ROW;
                    CALL(rank, "pwrite", 0, ROW, offset - end, 0);
                    end = offset + ROW;
                }
    CALL(rank, "close", 0, 0);
}

/* ---- messages ---- */

/* Neighbours of a grid without borders that wrap, and then what comes from where. */
static void exchange(struct rank *rank, const int64_t *neighbours, unsigned count)
{
    int64_t requests[2 * 26], statuses[4 * 26];
    for (unsigned i = 0; i < count; i++)
        CALL(rank, "MPI_Irecv", DOUBLES, 8, DATATYPE, neighbours[i], 7, COMM, i, 0);
    for (unsigned i = 0; i < count; i++)
        CALL(rank, "MPI_Isend", DOUBLES, 8, DATATYPE, neighbours[i], 7, COMM, count + i, 0);
    for (unsigned i = 0; i < 2 * count; i++) {
        requests[i] = i;
        statuses[2 * i] = i < count ? neighbours[i] : -32766;
        statuses[2 * i + 1] = i < count ? 7 : -32766;
    }
    CALL(rank, "MPI_Waitall", 2 * count, list(rank, requests, 2 * count),
         list(rank, statuses, 4 * count), 0);
}

static void stencil(struct rank *rank, int dimensions)
{
    int64_t side = root_of(rank->ranks, dimensions), neighbours[6], places[3], left = rank->rank,
            stride = 1;
    unsigned count = 0;
    for (int i = 0; i < dimensions; i++, left /= side)
        places[i] = left % side;
    for (int i = 0; i < dimensions; i++, stride *= side) {
        if (places[i] > 0)
            neighbours[count++] = rank->rank - stride;
        if (places[i] + 1 < side)
            neighbours[count++] = rank->rank + stride;
    }
    for (int64_t step = 0; step < rank->steps; step++) {
        exchange(rank, neighbours, count);
        CALL(rank, "MPI_Allreduce", 1, 8, DATATYPE, 1, COMM, 0);
    }
}

static void stencil_2d(struct rank *rank)
{
    stencil(rank, 2);
}

static void stencil_3d(struct rank *rank)
{
    stencil(rank, 3);
}

/* A loop that waits for something: how often it has to look is nobody's to say. */
static void polling(struct rank *rank)
{
    int64_t next = (rank->rank + 1) % rank->ranks;
    for (int64_t step = 0; step < rank->steps; step++) {
        CALL(rank, "MPI_Irecv", DOUBLES, 8, DATATYPE, next, 7, COMM, 0, 0);
        for (uint64_t looks = draw(rank, 1000); looks; looks--)
            CALL(rank, "MPI_Test", 0, 0, FTH_ABSENT, FTH_ABSENT, 0);
        CALL(rank, "MPI_Test", 0, 1, next, 7, 0);
    }
}

/* A data loader: files of a large set in an order without a rule. */
static void loader(struct rank *rank)
{
    enum { FILES = 100000, PIECE = 1 << 17 };
    for (int64_t step = 0; step < rank->steps; step++) {
        open_own(rank, text(rank, "/data/train/img_%06d.jpg", (int)draw(rank, FILES)), 0);
        CALL_AT(rank, 0, 1u << 2, "read", 0, PIECE, -(int64_t)draw(rank, PIECE));
        CALL(rank, "read", 0, PIECE, -PIECE);
        CALL(rank, "close", 0, 0);
    }
}

const struct model models[] = {
    {"ior_segmented", "a shared file, a segment for each rank", 100, ior_segmented},
    {"ior_strided", "a shared file, blocks of the ranks in turn", 100, ior_strided},
    {"flash_own", "numbered checkpoints, a file for each rank", 10, flash_own},
    {"flash_together", "numbered checkpoints, shared, with aggregators", 10, flash_together},
    {"bt_io", "nested strides in a shared file", 2, bt_io},
    {"stencil_2d", "messages to neighbours in a grid", 100, stencil_2d},
    {"stencil_3d", "messages to neighbours in a cube", 100, stencil_3d},
    {"polling", "looking for a message until it is there", 10, polling},
    {"loader", "files in an order without a rule", 50, loader},
};
const size_t model_count = sizeof models / sizeof *models;
