/* <fathom/sim.h>: programs that are built command by command are the programs that text says; what
 * is wrong is reported with its place; several simulations share programs and clusters. */
#include "fathom/sim.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char cluster_text[] =
    "name: small\n"
    "nodes: 4\n"
    "sockets: 1\n"
    "cores: 2\n"
    "instructions: 1000 MHz\n"
    "network:\n"
    "  topology: star\n"
    "  packet: 64 KiB\n"
    "  overhead: 40 B\n"
    "  nic: {throughput: 1 GiB/s}\n"
    "  nic edge: {throughput: 100 MiB/s, latency: 10 us}\n"
    "  switch: {throughput: 10 GiB/s}\n"
    "servers: {count: 2, nodes: own, memory: 100 MiB, stripe: 64 KiB}\n"
    "disk: {model: SimpleDisk, throughput: 50 MiB/s, access: 1 ms}\n"
    "mpi: {eager: 64 KiB}\n";

static struct fth_cluster *small_cluster(void)
{
    struct fth_error *error = NULL;
    struct fth_cluster *cluster = fth_cluster_parse(cluster_text, NULL, &error);
    assert_null(error);
    return cluster;
}

static void add(struct fth_program *program, uint32_t rank, struct fth_command command)
{
    struct fth_error *error = NULL;
    int result = fth_program_add(program, rank, &command, &error);
    if (result)
        print_error("%s\n", fth_error_text(error));
    assert_int_equal(result, 0);
}

/* Of both programs everything is the same. */
static void compare(struct fth_program *built, const char *text)
{
    struct fth_error *error = NULL;
    struct fth_cluster *cluster = small_cluster();
    struct fth_program *read = fth_program_parse(text, 0, &error);
    assert_null(error);
    struct fth_simulation *one = fth_simulate(cluster, built, NULL, &error);
    struct fth_simulation *other = fth_simulate(cluster, read, NULL, &error);
    assert_null(error);
    /* They need neither. */
    fth_cluster_free(cluster);
    fth_program_free(built);
    fth_program_free(read);
    assert_memory_equal(fth_simulation_sums(one), fth_simulation_sums(other),
                        sizeof(struct fth_simulation_sums));
    assert_int_equal(fth_simulation_sums(one)->unfinished, 0);
    assert_true(fth_simulation_sums(one)->events > 0);
    for (uint32_t rank = 0; rank < fth_simulation_sums(one)->ranks; rank++)
        assert_int_equal(fth_simulation_end(one, rank), fth_simulation_end(other, rank));
    size_t count = fth_simulation_component_count(one);
    assert_int_equal(count, fth_simulation_component_count(other));
    for (size_t i = 0; i < count; i++) {
        const struct fth_component *a = fth_simulation_component(one, i);
        const struct fth_component *b = fth_simulation_component(other, i);
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->busy, b->busy);
        assert_int_equal(a->operations, b->operations);
        assert_int_equal(a->bytes, b->bytes);
    }
    fth_simulation_free(one);
    fth_simulation_free(other);
}

static void built_as_text(void **state)
{
    (void)state;
    struct fth_error *error = NULL;
    struct fth_program *program = fth_program_new(4, &error);
    struct fth_program_file out = {.name = "out", .size = 1 << 20, .stripe = 1 << 20};
    assert_int_equal(fth_program_file(program, &out, &error), 0);
    assert_int_equal(fth_program_split(program, (uint32_t[]){0, 1, 0, 1}, NULL, &error), 1);
    add(program, FTH_EACH_RANK, (struct fth_command){.verb = FTH_VERB_REPEAT, .count = 3});
    add(program, FTH_EACH_RANK,
        (struct fth_command){.verb = FTH_VERB_COMPUTE, .nanoseconds = 1000000});
    add(program, FTH_EACH_RANK,
        (struct fth_command){.verb = FTH_VERB_COMPUTE, .instructions = 5000});
    for (uint32_t rank = 0; rank < 4; rank++)
        add(program, rank,
            (struct fth_command){.verb = FTH_VERB_SENDRECV,
                                 .to = (rank + 1) % 4,
                                 .from = (rank + 3) % 4,
                                 .bytes = 200000,
                                 .tag = 7,
                                 .from_tag = 7});
    add(program, FTH_EACH_RANK,
        (struct fth_command){.verb = FTH_VERB_ALLREDUCE, .bytes = 8000, .communicator = 1});
    add(program, FTH_EACH_RANK, (struct fth_command){.verb = FTH_VERB_END});
    add(program, FTH_EACH_RANK, (struct fth_command){.verb = FTH_VERB_REPEAT, .count = 0});
    add(program, FTH_EACH_RANK, (struct fth_command){.verb = FTH_VERB_BARRIER});
    add(program, FTH_EACH_RANK, (struct fth_command){.verb = FTH_VERB_END});
    add(program, 0,
        (struct fth_command){.verb = FTH_VERB_SEND, .to = 1, .bytes = 500000, .request = 4});
    add(program, 0,
        (struct fth_command){.verb = FTH_VERB_SEND, .to = 2, .bytes = 500000, .request = 5});
    add(program, 0, (struct fth_command){.verb = FTH_VERB_WAIT, .request = 4, .last_request = 5});
    add(program, 1,
        (struct fth_command){.verb = FTH_VERB_RECV, .from = FTH_ANY_RANK, .request = 1});
    add(program, 1, (struct fth_command){.verb = FTH_VERB_WAIT});
    add(program, 2, (struct fth_command){.verb = FTH_VERB_RECV, .from = 0});
    add(program, FTH_EACH_RANK, (struct fth_command){.verb = FTH_VERB_FILE_OPEN_ALL});
    for (uint32_t rank = 0; rank < 4; rank++)
        add(program, rank,
            (struct fth_command){.verb = FTH_VERB_FILE_WRITE,
                                 .offset = rank * 65536,
                                 .bytes = 1000,
                                 .count = 5,
                                 .stride = 2000});
    add(program, 3, (struct fth_command){.verb = FTH_VERB_FILE_FLUSH});
    add(program, FTH_EACH_RANK,
        (struct fth_command){.verb = FTH_VERB_FILE_READ_ALL, .bytes = 100000});
    add(program, FTH_EACH_RANK, (struct fth_command){.verb = FTH_VERB_FILE_CLOSE_ALL});
    assert_int_equal(fth_program_ranks(program), 4);
    compare(program, "processes 4\n"
                     "file out size 1 MiB stripe 1 MiB\n"
                     "communicator half = rank % 2\n"
                     "repeat 3 {\n"
                     "compute 1 ms\n"
                     "compute 5000 instructions\n"
                     "sendrecv to right from left size 200000 B tag 7\n"
                     "allreduce size 8000 B in half\n"
                     "}\n"
                     "rank 0: isend to 1 size 500000 B request 4\n"
                     "rank 0: isend to 2 size 500000 B request 5\n"
                     "rank 0: wait 4..5\n"
                     "rank 1: irecv from any request 1\n"
                     "rank 1: wait all\n"
                     "rank 2: recv from 0\n"
                     "open_all out\n"
                     "write out at 64 KiB * rank size 1000 B count 5 stride 2000 B\n"
                     "rank 3: sync out\n"
                     "read_all out size 100000 B\n"
                     "close_all out\n");
}

/* A list of ranges is what a rule says. */
static void lists_of_ranges(void **state)
{
    (void)state;
    struct fth_program *program = fth_program_new(1, NULL);
    fth_program_file(program, &(struct fth_program_file){.name = "out"}, NULL);
    struct fth_command_range ranges[] = {{1000, 500}, {3000, 500}, {5000, 500}};
    add(program, 0,
        (struct fth_command){.verb = FTH_VERB_FILE_WRITE, .ranges = ranges, .count = 3});
    memset(ranges, 0, sizeof ranges); /* they were copied */
    compare(program, "processes 1\n"
                     "file out\n"
                     "write out at 1000 B size 500 B count 3 stride 2000 B\n");
}

/* It fails, and says so with these words. */
static void refused(struct fth_program *program, uint32_t rank, struct fth_command command,
                    const char *words)
{
    struct fth_error *error = NULL;
    assert_int_equal(fth_program_add(program, rank, &command, &error), -1);
    assert_string_equal(fth_error_text(error), words);
    fth_error_free(error);
    assert_int_equal(fth_program_add(program, rank, &command, NULL), -1);
}

static void wrong_commands(void **state)
{
    (void)state;
    struct fth_program *program = fth_program_new(2, NULL);
    fth_program_file(program, &(struct fth_program_file){.name = "out"}, NULL);
    fth_program_split(program, (uint32_t[]){0, FTH_NO_COLOR}, NULL, NULL);
    add(program, 1, (struct fth_command){.verb = FTH_VERB_BARRIER});
    refused(program, 2, (struct fth_command){.verb = FTH_VERB_BARRIER},
            "there is no rank 2, ranks are 0 to 1");
    refused(program, 0, (struct fth_command){.verb = FTH_VERBS}, "there is no verb 33");
    refused(program, 1, (struct fth_command){.verb = FTH_VERB_SEND, .to = 9, .bytes = 1},
            "command 2 of rank 1, send: there is no rank 9 as `to`, ranks are 0 to 1");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_SEND, .to = 1, .tag = FTH_ANY_TAG},
            "command 1 of rank 0, send: a message needs a `tag`");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_GET, .from = FTH_ANY_RANK},
            "command 1 of rank 0, get: there is no rank 4294967295 as `from`, ranks are 0 to 1");
    refused(program, FTH_EACH_RANK,
            (struct fth_command){.verb = FTH_VERB_BARRIER, .communicator = 1},
            "command 2 of rank 1, barrier: it is not in communicator 1");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_BARRIER, .communicator = 2},
            "command 1 of rank 0, barrier: there is no communicator 2");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_BCAST, .communicator = 1, .root = 1},
            "command 1 of rank 0, bcast: there is no rank 1 as `root`, ranks are 0 to 0");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_FILE_OPEN, .file = 1},
            "command 1 of rank 0, open: there is no file 1 (fth_program_file adds files)");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_FILE_READ},
            "command 1 of rank 0, read: it needs the number of `bytes`");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_FILE_READ, .bytes = 9, .count = 2},
            "command 1 of rank 0, read: several ranges need a `stride` that is not less than "
            "`bytes`");
    struct fth_command_range ranges[] = {{10, 5}, {14, 5}};
    refused(program, 0,
            (struct fth_command){.verb = FTH_VERB_FILE_READ, .ranges = ranges, .count = 2},
            "command 1 of rank 0, read: range 1 of 2 is empty, beyond 1 EiB, or not behind the "
            "one before");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_COMPUTE, .nanoseconds = -1},
            "command 1 of rank 0, compute: `nanoseconds` is negative");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_COMPUTE, .nanoseconds = INT64_MAX},
            "command 1 of rank 0, compute: `nanoseconds` are more than a day");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_COMPUTE, .instructions = UINT64_MAX},
            "command 1 of rank 0, compute: `instructions` are more than 10^18");
    refused(program, 0,
            (struct fth_command){.verb = FTH_VERB_WAIT, .request = 3, .last_request = 2},
            "command 1 of rank 0, wait: `last_request` is less than `request`");
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_END},
            "command 1 of rank 0, end: there is no repeat to end");
    add(program, 0, (struct fth_command){.verb = FTH_VERB_REPEAT, .count = 2});
    refused(program, 0, (struct fth_command){.verb = FTH_VERB_END},
            "command 2 of rank 0, end: the repeat is empty");
    struct fth_error *error = NULL;
    struct fth_cluster *cluster = small_cluster();
    assert_null(fth_simulate(cluster, program, NULL, &error));
    assert_string_equal(fth_error_text(error), "command 1 of rank 0, repeat: it has no end");
    fth_error_free(error);
    fth_cluster_free(cluster);
    fth_program_free(program);
}

static void refused_with(struct fth_error *error, const char *words)
{
    assert_non_null(error);
    if (!strstr(fth_error_text(error), words))
        print_error("%s\n", fth_error_text(error));
    assert_non_null(strstr(fth_error_text(error), words));
    fth_error_free(error);
}

static void wrong_inputs(void **state)
{
    (void)state;
    struct fth_error *error = NULL;
    assert_null(fth_cluster_parse("nodes: many\n", NULL, &error));
    refused_with(error, "cluster: line 1, column 8: ");
    error = NULL;
    assert_null(fth_cluster_parse("", NULL, &error));
    refused_with(error, "cluster: it is empty");
    error = NULL;
    assert_null(fth_cluster_open("/nowhere.yaml", NULL, &error));
    refused_with(error, "cluster: cannot open '/nowhere.yaml': No such file");
    error = NULL;
    assert_null(fth_cluster_parse(cluster_text, (const char *[]){"nodes=0", NULL}, &error));
    refused_with(error, "nodes=0: ");
    error = NULL;
    assert_null(fth_cluster_parse(cluster_text, (const char *[]){"nodes", NULL}, &error));
    refused_with(error, "setting 'nodes' is not like servers.count=4");
    error = NULL;
    assert_null(fth_program_parse("processes 2\nsend to 5 size 1 B\n", 0, &error));
    refused_with(error, "program: line 2, column 9: ");
    error = NULL;
    assert_null(fth_program_open("/nowhere.sim", 0, &error));
    refused_with(error, "/nowhere.sim");
    error = NULL;
    assert_null(fth_program_new(0, &error));
    refused_with(error, "a program has 1 to 16777216 processes, not 0");
    error = NULL;
    struct fth_program *program = fth_program_parse("processes 2\nbarrier\n", 3, &error);
    assert_int_equal(fth_program_ranks(program), 3);
    assert_int_equal(
        fth_program_add(program, 0, &(struct fth_command){.verb = FTH_VERB_BARRIER}, &error), -1);
    refused_with(error, "nothing can be added to a program that was read");
    error = NULL;
    fth_program_free(program);
    program = fth_program_new(1, NULL);
    assert_int_equal(fth_program_file(program, &(struct fth_program_file){0}, &error), -1);
    refused_with(error, "a file needs a name");
    error = NULL;
    assert_int_equal(fth_program_file(program, &(struct fth_program_file){.name = "a"}, &error), 0);
    assert_int_equal(fth_program_file(program, &(struct fth_program_file){.name = "a"}, &error),
                     -1);
    refused_with(error, "there is already a file 'a'");
    fth_program_free(program);
}

static void waits(void **state)
{
    (void)state;
    struct fth_cluster *cluster = small_cluster();
    struct fth_program *program = fth_program_new(3, NULL);
    add(program, FTH_EACH_RANK,
        (struct fth_command){.verb = FTH_VERB_COMPUTE, .nanoseconds = 1000});
    add(program, 0, (struct fth_command){.verb = FTH_VERB_RECV, .from = 1});
    add(program, 1, (struct fth_command){.verb = FTH_VERB_RECV, .from = 0});
    struct fth_simulation *simulation = fth_simulate(cluster, program, NULL, NULL);
    assert_int_equal(fth_simulation_sums(simulation)->unfinished, 2);
    assert_int_equal(fth_simulation_end(simulation, 0), -1);
    assert_int_equal(fth_simulation_end(simulation, 2), 1000);
    assert_int_equal(fth_simulation_end(simulation, 3), -1);
    assert_int_equal(fth_simulation_sums(simulation)->end, 1000);
    assert_null(fth_simulation_wait(simulation, 2));
    assert_string_equal(fth_simulation_wait(simulation, 1),
                        "in recv (command 2), for a message from rank 0");
    assert_string_equal(fth_simulation_waits(simulation),
                        "rank 0 in recv (command 2), for a message from rank 1; rank 1 in recv "
                        "(command 2), for a message from rank 0: each waits for the next one");
    fth_simulation_free(simulation);
    fth_program_free(program);
    fth_cluster_free(cluster);
    fth_simulation_free(NULL);
    fth_program_free(NULL);
    fth_cluster_free(NULL);
}

/* Two processors of a node share four jobs of 3 ms: 6 ms each, as if each processor had 6 ms to do.
 * One job is done by one of them. */
static void resources(void **state)
{
    (void)state;
    struct fth_cluster *cluster =
        fth_cluster_parse(cluster_text, (const char *[]){"nodes=1", NULL}, NULL);
    struct fth_program *program = fth_program_new(4, NULL);
    add(program, FTH_EACH_RANK,
        (struct fth_command){.verb = FTH_VERB_COMPUTE, .nanoseconds = 3000000});
    struct fth_simulation *simulation = fth_simulate(cluster, program, NULL, NULL);
    const struct fth_component *busiest = fth_simulation_busiest(simulation);
    assert_string_equal(busiest->name, "processors of node 0");
    assert_int_equal(busiest->kind, FTH_COMPONENT_PROCESSORS);
    assert_int_equal(busiest->busy, 6000000);
    assert_int_equal(fth_simulation_sums(simulation)->end, 6000000);
    assert_null(fth_simulation_component(simulation, fth_simulation_component_count(simulation)));
    fth_simulation_free(simulation);
    fth_program_free(program);
    program = fth_program_new(1, NULL);
    add(program, FTH_EACH_RANK,
        (struct fth_command){.verb = FTH_VERB_COMPUTE, .nanoseconds = 3000000});
    simulation = fth_simulate(cluster, program, NULL, NULL);
    assert_int_equal(fth_simulation_busiest(simulation)->busy, 3000000);
    fth_simulation_free(simulation);
    fth_program_free(program);
    program = fth_program_new(1, NULL);
    fth_program_file(program, &(struct fth_program_file){.name = "out"}, NULL);
    add(program, 0, (struct fth_command){.verb = FTH_VERB_FILE_WRITE, .bytes = 10 << 20});
    simulation = fth_simulate(cluster, program, NULL, NULL);
    uint64_t written = 0;
    for (size_t i = 0; i < fth_simulation_component_count(simulation); i++) {
        const struct fth_component *component = fth_simulation_component(simulation, i);
        written += component->kind == FTH_COMPONENT_DISK ? component->bytes : 0;
    }
    assert_int_equal(written, 10 << 20);
    fth_simulation_free(simulation);
    fth_program_free(program);
    fth_cluster_free(cluster);
}

/* ---- several at once, and traces ---- */

struct share {
    const struct fth_cluster *cluster;
    const struct fth_program *program;
    const char *trace;
    int64_t time;
    uint64_t events;
};

static void *simulate_some(void *context)
{
    struct share *share = context;
    for (int i = 0; i < 5; i++) {
        struct fth_simulation *simulation =
            fth_simulate(share->cluster, share->program, share->trace, NULL);
        share->time = simulation ? fth_simulation_sums(simulation)->time : -1;
        share->events = simulation ? fth_simulation_sums(simulation)->events : 0;
        fth_simulation_free(simulation);
    }
    return NULL;
}

static void side_by_side(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    char name[64];
    struct share shares[THREADS];
    pthread_t threads[THREADS];
    struct fth_error *error = NULL;
    struct fth_cluster *cluster = small_cluster();
    struct fth_program *program = fth_program_parse("processes 8\n"
                                                    "file out\n"
                                                    "open_all out\n"
                                                    "write_all out at 64 KiB * rank size 64 KiB\n"
                                                    "close_all out\n"
                                                    "bcast size 1 MiB\n",
                                                    0, NULL);
    for (int i = 0; i < THREADS; i++) {
        shares[i] = (struct share){cluster, program, NULL, 0, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, simulate_some, &shares[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(shares[i].time, shares[0].time);
        assert_true(shares[i].time > 0);
        assert_int_equal(shares[i].events, shares[0].events);
    }
    snprintf(name, sizeof name, "/tmp/fathom-sim-%ld.fathom", (long)getpid());
    struct share traced = {cluster, program, name, 0, 0};
    simulate_some(&traced);
    assert_int_equal(traced.time, shares[0].time);
    /* What was simulated can be done again, as often as one likes. */
    struct fth_program *again = fth_program_open(name, 0, &error);
    assert_null(error);
    assert_int_equal(fth_program_ranks(again), 8);
    shares[0] = (struct share){cluster, again, NULL, 0, 0};
    simulate_some(&shares[0]);
    assert_true(shares[0].time > 0);
    assert_null(fth_program_open(name, 4, &error));
    refused_with(error, "a trace has as many processes as were recorded");
    unlink(name);
    /* It is gone. */
    error = NULL;
    assert_null(fth_simulate(cluster, again, NULL, &error));
    refused_with(error, name);
    error = NULL;
    assert_null(fth_simulate(cluster, program, "/nowhere/x.fathom", &error));
    refused_with(error, "cannot create '/nowhere/x.fathom'");
    fth_program_free(again);
    fth_program_free(program);
    fth_cluster_free(cluster);
}

int main(void)
{
    struct fth_cluster *cluster = fth_cluster_parse(cluster_text, NULL, NULL);
    if (!cluster) {
        puts("clusters cannot be read");
        return 0;
    }
    fth_cluster_free(cluster);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_as_text),  cmocka_unit_test(lists_of_ranges),
        cmocka_unit_test(wrong_commands), cmocka_unit_test(wrong_inputs),
        cmocka_unit_test(waits),          cmocka_unit_test(resources),
        cmocka_unit_test(side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
