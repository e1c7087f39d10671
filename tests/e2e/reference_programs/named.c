/* Small programs by name, each of one thing that a trace must keep: what is predicted, what
 * repeats, what is no number that can be foretold, what processes and threads share.
 *
 *     named          the names, one a line
 *     named NAME     that program, in an empty folder */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char buffer[4096];
static const char *self;

static int make(const char *name, int flags)
{
    int file = open(name, O_RDWR | O_CREAT | flags, 0600);
    if (file < 0)
        abort();
    return file;
}

static void put(int file, size_t bytes)
{
    if (write(file, buffer, bytes) < 0)
        abort();
}

static void get(int file, size_t bytes)
{
    if (read(file, buffer, bytes) < 0)
        abort();
}

static void a_read_is_short_at_the_end(void)
{
    int file = make("a", 0);
    put(file, 10);
    lseek(file, 0, SEEK_SET);
    get(file, 20);
    get(file, 20);
    close(file);
}

static void a_loop_repeats_one_call(void)
{
    int file = make("a", 0);
    for (int i = 0; i < 1000; i++)
        put(file, 100);
    close(file);
}

static void a_loop_repeats_a_loop(void)
{
    for (int i = 0; i < 20; i++) {
        int file = make("a", O_TRUNC);
        for (int j = 0; j < 10; j++)
            put(file, 8);
        close(file);
    }
}

static void offsets_are_strided(void)
{
    int file = make("a", 0);
    for (int i = 0; i < 200; i++)
        if (pwrite(file, buffer, 16, (off_t)i * 4096) < 0)
            abort();
    close(file);
}

static void offsets_follow_no_rule(void)
{
    int file = make("a", 0);
    unsigned next = 1;
    for (int i = 0; i < 300; i++) {
        next = next * 1103515245u + 12345u;
        if (pread(file, buffer, 8, (off_t)(next >> 4)) < 0)
            abort();
    }
    close(file);
}

static void offsets_are_near_the_largest(void)
{
    int file = make("a", 0);
    (void)!pread(file, buffer, 8, INT64_MAX);
    (void)!pread(file, buffer, 8, INT64_MAX - 8);
    (void)!pread(file, buffer, 8, -1);
    lseek(file, INT64_MAX, SEEK_SET);
    lseek(file, 1, SEEK_CUR);
    close(file);
}

static void two_descriptors_take_turns(void)
{
    int one = make("a", 0), other = make("a", 0);
    for (int i = 0; i < 50; i++) {
        put(one, 8);
        get(other, 4);
    }
    close(other);
    close(one);
}

static void a_copy_shares_the_position(void)
{
    int file = make("a", 0), copy = dup(file);
    put(file, 8);
    put(copy, 8);
    close(file);
    put(copy, 8);
    close(copy);
}

static void a_copy_takes_the_place_of_another(void)
{
    int one = make("a", 0), other = make("b", 0);
    dup2(one, other);
    put(other, 8);
    close(one);
    close(other);
}

static void appends_go_to_the_end(void)
{
    int one = make("a", O_APPEND), other = make("a", O_APPEND);
    for (int i = 0; i < 10; i++) {
        put(one, 3);
        put(other, 5);
    }
    close(one);
    close(other);
}

static void calls_fail(void)
{
    int file = open("missing", O_RDONLY);
    (void)!write(file, buffer, 8);
    file = open("a", O_WRONLY | O_CREAT, 0600);
    (void)!read(file, buffer, 8);
    close(file);
    close(file);
    unlink("missing");
}

static void names_have_numbers(void)
{
    char name[32], other[32];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "part.%03d", i);
        snprintf(other, sizeof other, "whole.%d", i * 7);
        close(make(name, 0));
        rename(name, other);
        unlink(other);
    }
}

static void lists_have_many_parts(void)
{
    int file = make("a", 0);
    struct iovec parts[5];
    for (int i = 0; i < 5; i++)
        parts[i] = (struct iovec){buffer, (size_t)i * 3};
    for (int count = 0; count <= 5; count++)
        if (pwritev(file, parts, count, count) < 0)
            abort();
    close(file);
}

static void streams_call_what_is_underneath(void)
{
    FILE *stream = fopen("a", "w+");
    for (int i = 0; i < 500; i++)
        fprintf(stream, "%d\n", i);
    rewind(stream);
    while (fgets(buffer, sizeof buffer, stream))
        ;
    fclose(stream);
}

static void polls_end_after_any_number(void)
{
    int ends[2];
    if (pipe2(ends, O_NONBLOCK))
        abort();
    for (int i = 0; i < 30; i++) {
        for (int j = 0; j < i * i % 11; j++)
            if (read(ends[0], buffer, 1) != -1 || errno != EAGAIN)
                abort();
        put(ends[1], 1);
        get(ends[0], 1);
    }
    close(ends[0]);
    close(ends[1]);
}

static void a_child_inherits_a_descriptor(void)
{
    int file = make("a", 0);
    put(file, 8);
    pid_t child = fork();
    if (child == 0) {
        put(file, 8);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    put(file, 8);
    close(file);
}

static void a_child_becomes_another_program(void)
{
    pid_t child = fork();
    if (child == 0) {
        execl(self, self, "a_read_is_short_at_the_end", (char *)NULL);
        _exit(127);
    }
    waitpid(child, NULL, 0);
}

static void *write_own_file(void *name)
{
    int file = make(name, 0);
    for (int i = 0; i < 100; i++)
        put(file, 8);
    close(file);
    return NULL;
}

static void threads_have_files_of_their_own(void)
{
    pthread_t threads[2];
    static char names[2][2] = {"a", "b"};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, write_own_file, names[i]))
            abort();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

#define PROGRAM(name)                                                                              \
    {                                                                                              \
#name, name                                                                                \
    }
static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
    PROGRAM(a_read_is_short_at_the_end),
    PROGRAM(a_loop_repeats_one_call),
    PROGRAM(a_loop_repeats_a_loop),
    PROGRAM(offsets_are_strided),
    PROGRAM(offsets_follow_no_rule),
    PROGRAM(offsets_are_near_the_largest),
    PROGRAM(two_descriptors_take_turns),
    PROGRAM(a_copy_shares_the_position),
    PROGRAM(a_copy_takes_the_place_of_another),
    PROGRAM(appends_go_to_the_end),
    PROGRAM(calls_fail),
    PROGRAM(names_have_numbers),
    PROGRAM(lists_have_many_parts),
    PROGRAM(streams_call_what_is_underneath),
    PROGRAM(polls_end_after_any_number),
    PROGRAM(a_child_inherits_a_descriptor),
    PROGRAM(a_child_becomes_another_program),
    PROGRAM(threads_have_files_of_their_own),
};

int main(int argc, char **argv)
{
    self = argv[0];
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (argc < 2)
            puts(programs[i].name);
        else if (strcmp(argv[1], programs[i].name) == 0) {
            programs[i].run();
            return 0;
        }
    }
    return argc < 2 ? 0 : 2;
}
