/* Random programs of several ranks: nested loops of messages, collective calls, requests that end
 * in any order, polling, communicators, datatypes and shared files, whose numbers depend on the
 * loops and on the rank. All ranks take the same way, but for the order in which requests end and
 * how often somebody asks. Each program has a thread of its own in each rank.
 *
 *     mpirun -n N ranks FIRST COUNT        the programs of so many seeds, in an empty folder */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    NEST = 4,
    STATEMENTS = 40,
    PENDING = 24, /* requests at a time */
    COMMS = 4,
    FILES = 3,
    NUMBERS = 64, /* most of a message */
    TAGS = 30000,
};

/* A number that depends on where the loops are and on the rank. */
struct expression {
    int base, by_turn[NEST], by_rank, modulo;
};

struct statement {
    int turns; /* 0: an action */
    bool any_turns;
    int first, count;
    int action, style;
    struct expression one, other, third;
};

static int rank, size;

struct program {
    uint64_t common, own; /* random numbers: the same on all ranks; of this one */
    struct statement statements[STATEMENTS];
    int used;
    long budget;
    int turns[NEST];
    int tag;
    MPI_Request pending[PENDING];
    int pending_count;
    MPI_Comm comms[COMMS];
    MPI_File files[FILES];
    int descriptor, opened;
    int numbers[PENDING][NUMBERS], sent[NUMBERS * 8], received[NUMBERS * 8];
};

static uint64_t draw(uint64_t *random)
{
    uint64_t value = *random += 0x9E3779B97F4A7C15u;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

static int up_to(uint64_t *random, int limit)
{
    return (int)(draw(random) % (uint64_t)limit);
}

static int value_of(const struct program *program, const struct expression *expression)
{
    int64_t value = expression->base + (int64_t)expression->by_rank * rank;
    for (int i = 0; i < NEST; i++)
        value += (int64_t)expression->by_turn[i] * program->turns[i];
    return (int)(value % expression->modulo);
}

static MPI_Comm comm_of(const struct program *program, const struct statement *statement)
{
    MPI_Comm comm = program->comms[statement->style % COMMS];
    return comm != MPI_COMM_NULL ? comm : MPI_COMM_WORLD;
}

/* ---- requests ---- */

static void drop_completed(struct program *program)
{
    int kept = 0;
    for (int i = 0; i < program->pending_count; i++)
        if (program->pending[i] != MPI_REQUEST_NULL)
            program->pending[kept++] = program->pending[i];
    program->pending_count = kept;
}

/* Some of the pending requests end, in one of the ways that there are. Null requests stand among
 * them at times. */
static void complete(struct program *program, int style)
{
    MPI_Status statuses[PENDING];
    int indices[PENDING], index, flag = 0, count = program->pending_count, some;
    MPI_Request *pending = program->pending;
    if (!count)
        return;
    switch (style % 9) {
    case 0:
        MPI_Waitall(count, pending, draw(&program->own) % 2 ? statuses : MPI_STATUSES_IGNORE);
        break;
    case 1:
        MPI_Waitany(count, pending, &index, statuses);
        break;
    case 2:
        MPI_Waitsome(count, pending, &some, indices, statuses);
        break;
    case 3:
        MPI_Wait(&pending[up_to(&program->own, count)], statuses);
        break;
    case 4:
        for (index = up_to(&program->own, count); !flag;)
            MPI_Test(&pending[index], &flag, statuses);
        break;
    case 5:
        while (!flag)
            MPI_Testall(count, pending, &flag, statuses);
        break;
    case 6:
        while (!flag)
            MPI_Testany(count, pending, &index, &flag, statuses);
        break;
    case 7:
        for (some = 0; some == 0;)
            MPI_Testsome(count, pending, &some, indices, statuses);
        break;
    default:
        for (int i = 0; i < count; i++)
            MPI_Wait(&pending[(i * 7 + rank) % count], MPI_STATUS_IGNORE);
        break;
    }
    if (draw(&program->own) % 4)
        drop_completed(program);
}

static void complete_all(struct program *program)
{
    MPI_Waitall(program->pending_count, program->pending, MPI_STATUSES_IGNORE);
    program->pending_count = 0;
}

/* ---- actions ---- */

/* To the neighbour on the right, from the one on the left; what is pending never waits for what
 * another rank has not begun. */
static void exchange(struct program *program, const struct statement *statement)
{
    int shift = 1 + value_of(program, &statement->third) % size;
    int count = value_of(program, &statement->one) % NUMBERS;
    int right = (rank + shift) % size, left = (rank - shift % size + size) % size;
    int tag = program->tag++ % TAGS;
    bool any = statement->style % 5 == 0;
    if (program->pending_count > PENDING - 2)
        complete_all(program);
    MPI_Request *pending = program->pending + program->pending_count;
    MPI_Irecv(program->numbers[program->pending_count], NUMBERS, MPI_INT,
              any ? MPI_ANY_SOURCE : left, tag, MPI_COMM_WORLD, &pending[0]);
    MPI_Isend(program->sent, count, MPI_INT, right, tag, MPI_COMM_WORLD, &pending[1]);
    program->pending_count += 2;
    if (draw(&program->own) % 3 == 0)
        complete(program, up_to(&program->own, 9));
}

static void finish_some(struct program *program, const struct statement *statement)
{
    complete(program, statement->style);
}

static void sendrecv(struct program *program, const struct statement *statement)
{
    int count = value_of(program, &statement->one) % NUMBERS;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    bool edge = statement->style % 3 == 0; /* nobody is behind it */
    if (edge && rank == size - 1)
        right = MPI_PROC_NULL;
    if (edge && rank == 0)
        left = MPI_PROC_NULL;
    MPI_Sendrecv(program->sent, count, MPI_INT, right, 30001, program->received, NUMBERS, MPI_INT,
                 left, 30001, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void probe(struct program *program, const struct statement *statement)
{
    MPI_Status status;
    int flag = 0, count, tag = 30002 + statement->style % 2;
    MPI_Request request;
    MPI_Isend(program->sent, value_of(program, &statement->one) % NUMBERS, MPI_INT,
              (rank + 1) % size, tag, MPI_COMM_WORLD, &request);
    int left = (rank + size - 1) % size;
    while (!flag)
        MPI_Iprobe(statement->style % 3 ? left : MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag,
                   &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Recv(program->received, count, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collective(struct program *program, const struct statement *statement)
{
    MPI_Comm comm = comm_of(program, statement);
    MPI_Request request;
    int count = 1 + value_of(program, &statement->one) % 8, flag = 0, members;
    MPI_Comm_size(comm, &members);
    int root = value_of(program, &statement->third) % members;
    switch (statement->style / COMMS % 7) {
    case 0:
        MPI_Barrier(comm);
        break;
    case 1:
        MPI_Bcast(program->sent, count, MPI_INT, root, comm);
        break;
    case 2:
        MPI_Allreduce(program->sent, program->received, count, MPI_INT, MPI_SUM, comm);
        break;
    case 3:
        MPI_Reduce(program->sent, program->received, count, MPI_DOUBLE, MPI_MAX, root, comm);
        break;
    case 4:
        MPI_Gather(program->sent, count, MPI_INT, program->received, count, MPI_INT, root, comm);
        break;
    case 5:
        MPI_Iallreduce(program->sent, program->received, count, MPI_INT, MPI_MIN, comm, &request);
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Alltoall(program->sent, count, MPI_INT, program->received, count, MPI_INT, comm);
        break;
    }
}

static void persistent(struct program *program, const struct statement *statement)
{
    MPI_Request requests[2];
    int count = value_of(program, &statement->one) % NUMBERS;
    MPI_Recv_init(program->received, NUMBERS, MPI_INT, (rank + size - 1) % size, 30004,
                  MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(program->sent, count, MPI_INT, (rank + 1) % size, 30004, MPI_COMM_WORLD,
                  &requests[1]);
    for (int i = 0; i < statement->style % 6; i++) {
        MPI_Startall(2, requests);
        if (statement->style % 2)
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 2 && statement->style % 2 == 0; k++)
            MPI_Wait(&requests[(k + rank) % 2], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&requests[draw(&program->own) % 2]);
    for (int i = 0; i < 2; i++)
        if (requests[i] != MPI_REQUEST_NULL)
            MPI_Request_free(&requests[i]);
}

/* Makes a communicator, or frees the one that is at its place. */
static void communicator(struct program *program, const struct statement *statement)
{
    MPI_Comm *comm = &program->comms[(program->turns[0] + statement->style) % COMMS];
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
    else if (statement->style % 2)
        MPI_Comm_dup(MPI_COMM_WORLD, comm);
    else
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, statement->style % 3 ? rank : -rank, comm);
}

static void objects(struct program *program, const struct statement *statement)
{
    MPI_Datatype type;
    MPI_Info info;
    MPI_Group group;
    char text[32];
    int count = 1 + value_of(program, &statement->one) % 8;
    if (statement->style % 2)
        MPI_Type_contiguous(count, MPI_INT, &type);
    else
        MPI_Type_vector(2, 1, count, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(program->sent, 2, type, 0, 30005, program->received, 2, type, 0, 30005,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    snprintf(text, sizeof text, "%d", value_of(program, &statement->other));
    MPI_Info_create(&info);
    MPI_Info_set(info, "hint", text);
    MPI_Info_free(&info);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_free(&group);
}

static MPI_File *file_at(struct program *program, const struct statement *statement)
{
    MPI_File *file = &program->files[statement->style % FILES];
    char name[64];
    if (*file == MPI_FILE_NULL) {
        snprintf(name, sizeof name, "shared.%d", program->opened++ % 5);
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, file);
    }
    return file;
}

static void on_file(struct program *program, const struct statement *statement)
{
    MPI_File *file = file_at(program, statement);
    MPI_Offset offset = (MPI_Offset)value_of(program, &statement->other) * 8;
    int count = value_of(program, &statement->one) % NUMBERS;
    MPI_Request request;
    MPI_Status status;
    switch (statement->style / FILES % 8) {
    case 0:
    case 1:
        MPI_File_write_at(*file, offset, program->sent, count, MPI_INT, &status);
        break;
    case 2:
        MPI_File_read_at(*file, offset, program->received, count, MPI_INT, &status);
        break;
    case 3:
        MPI_File_iwrite_at(*file, offset, program->sent, count, MPI_INT, &request);
        MPI_Wait(&request, &status);
        break;
    case 4:
        MPI_File_seek(*file, offset, statement->style % 2 ? MPI_SEEK_SET : MPI_SEEK_CUR);
        MPI_File_write(*file, program->sent, count, MPI_BYTE, &status);
        break;
    case 5:
        MPI_File_set_view(*file, offset, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
        break;
    case 6: /* Open MPI crashes when what ranks write together overlaps */
        offset = (MPI_Offset)(value_of(program, &statement->third) * size + rank) * NUMBERS * 4;
        MPI_File_set_view(*file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
        MPI_File_write_at_all(*file, offset, program->sent, count, MPI_INT, &status);
        break;
    default:
        MPI_File_close(file);
        *file = MPI_FILE_NULL;
        break;
    }
}

static void own_file(struct program *program, const struct statement *statement)
{
    char name[64];
    if (program->descriptor >= 0 && statement->style % 6 == 0) {
        close(program->descriptor);
        program->descriptor = -1;
    }
    if (program->descriptor < 0) {
        snprintf(name, sizeof name, "own.%d.%05d", rank, program->opened++ % 300);
        program->descriptor = open(name, O_RDWR | O_CREAT, 0600);
    }
    off_t offset = (off_t)value_of(program, &statement->other) * 512;
    size_t bytes = (size_t)value_of(program, &statement->one) % sizeof program->sent;
    if (statement->style % 3 == 0)
        lseek(program->descriptor, offset, SEEK_SET);
    if (statement->style % 3 && pwrite(program->descriptor, program->sent, bytes, offset) < 0)
        abort();
    if (statement->style % 3 == 0 && write(program->descriptor, program->sent, bytes) < 0)
        abort();
}

static void (*const actions[])(struct program *, const struct statement *) = {
    exchange, exchange, exchange,   exchange,   finish_some, finish_some,
    sendrecv, probe,    collective, collective, persistent,  communicator,
    objects,  on_file,  on_file,    on_file,    own_file,    own_file,
};
enum { ACTIONS = sizeof actions / sizeof *actions };

/* ---- making and running a program ---- */

static struct expression random_expression(uint64_t *random, bool same_everywhere)
{
    static const int moduli[] = {7, 64, 1000, 100000, 1000000};
    static const int grains[] = {1, 3, 8, 64, 1000};
    struct expression made = {.base = up_to(random, 1000), .modulo = moduli[up_to(random, 5)]};
    for (int i = 0; i < NEST; i++)
        made.by_turn[i] = draw(random) % 2 ? up_to(random, 5) * grains[up_to(random, 5)] : 0;
    made.by_rank = same_everywhere ? 0 : up_to(random, 5) * grains[up_to(random, 5)];
    return made;
}

static void fill_body(struct program *program, int loop, int nest)
{
    struct statement *statement = &program->statements[loop];
    uint64_t *random = &program->common;
    int count = 1 + up_to(random, 5);
    if (program->used + count > STATEMENTS)
        count = STATEMENTS - program->used;
    statement->first = program->used;
    statement->count = count;
    program->used += count;
    for (int i = 0; i < count; i++) {
        struct statement *inner = &program->statements[statement->first + i];
        bool is_loop = nest < NEST && draw(random) % 3 == 0;
        *inner = (struct statement){.turns = is_loop ? 1 + up_to(random, 30) : 0,
                                    .any_turns = draw(random) % 4 == 0,
                                    .action = up_to(random, ACTIONS),
                                    .style = up_to(random, 1000)};
        /* counts of collective calls and roots are the same on all ranks */
        inner->one = random_expression(random, true);
        inner->other = random_expression(random, false);
        inner->third = random_expression(random, true);
        if (is_loop)
            fill_body(program, statement->first + i, nest + 1);
    }
}

static void run_body(struct program *program, const struct statement *loop, int nest, int turns)
{
    for (int turn = 0; turn < turns && program->budget > 0; turn++) {
        if (nest < NEST)
            program->turns[nest] = turn;
        program->budget--;
        for (int i = 0; i < loop->count && program->budget > 0; i++) {
            const struct statement *statement = &program->statements[loop->first + i];
            if (!statement->turns) {
                program->budget--;
                actions[statement->action](program, statement);
                continue;
            }
            int inner =
                statement->any_turns ? up_to(&program->common, statement->turns) : statement->turns;
            run_body(program, statement, nest + 1, inner);
        }
    }
    if (nest < NEST)
        program->turns[nest] = 0;
}

static void end_program(struct program *program)
{
    complete_all(program);
    for (int i = 0; i < COMMS; i++)
        if (program->comms[i] != MPI_COMM_NULL)
            MPI_Comm_free(&program->comms[i]);
    for (int i = 0; i < FILES; i++)
        if (program->files[i] != MPI_FILE_NULL)
            MPI_File_close(&program->files[i]);
    if (program->descriptor >= 0)
        close(program->descriptor);
    MPI_Barrier(MPI_COMM_WORLD); /* before the tags begin anew */
}

/* The thread's first call names the seed. */
static void *run_program(void *seed)
{
    static const long budgets[] = {20, 50, 100, 100, 200, 600};
    struct program *program = calloc(1, sizeof *program);
    char mark[64];
    program->common = *(uint64_t *)seed;
    program->own = program->common + 1000003 * (uint64_t)(rank + 1);
    program->descriptor = -1;
    program->used = 1;
    snprintf(mark, sizeof mark, "/seed/%llu", (unsigned long long)program->common);
    access(mark, F_OK);
    for (int i = 0; i < COMMS; i++)
        program->comms[i] = MPI_COMM_NULL;
    for (int i = 0; i < FILES; i++)
        program->files[i] = MPI_FILE_NULL;
    program->budget = budgets[draw(&program->common) % 6];
    fill_body(program, 0, 1);
    run_body(program, &program->statements[0], 0, 1 << 30);
    end_program(program);
    free(program);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    if (argc != 3)
        return 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    uint64_t seed = strtoull(argv[1], NULL, 10), end = seed + strtoull(argv[2], NULL, 10);
    for (; seed < end; seed++) {
        if (pthread_create(&thread, NULL, run_program, &seed) != 0)
            abort();
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
