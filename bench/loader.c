/* A data loader: it reads small files in an order without a rule, each of them once in each epoch.
 *
 *     loader prepare FOLDER FILES
 *     loader read FOLDER FILES [EPOCHS]
 *
 * Most of the files are other names of a few, so that they take no room; their sizes have no rule
 * either. */
#include "peak.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONTENTS = 256, MOST_BYTES = 1 << 17 };

static char buffer[MOST_BYTES];
static uint64_t state = 88172645463325252u;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void make_contents(const char *path)
{
    ssize_t bytes = (ssize_t)draw(MOST_BYTES);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0 || write(file, buffer, (size_t)bytes) != bytes || close(file))
        die(path);
}

static void prepare(const char *folder, int files)
{
    char path[4096], first[4096];
    if (mkdir(folder, 0700))
        die(folder);
    for (int i = 0; i < files; i++) {
        snprintf(path, sizeof path, "%s/img_%06d.jpg", folder, i);
        snprintf(first, sizeof first, "%s/img_%06d.jpg", folder, (int)draw(CONTENTS));
        if (i < CONTENTS)
            make_contents(path);
        else if (link(first, path))
            die(path);
    }
}

static void read_file(const char *folder, int number)
{
    char path[4096];
    ssize_t got;
    snprintf(path, sizeof path, "%s/img_%06d.jpg", folder, number);
    int file = open(path, O_RDONLY);
    if (file < 0)
        die(path);
    while ((got = read(file, buffer, sizeof buffer)) > 0)
        ;
    if (got < 0 || close(file))
        die(path);
}

static void read_all(const char *folder, int files, int epochs)
{
    int *order = malloc((size_t)files * sizeof *order);
    if (!order)
        die("loader");
    for (int i = 0; i < files; i++)
        order[i] = i;
    for (; epochs; epochs--) {
        for (int i = files - 1; i > 0; i--) {
            int other = (int)draw((uint64_t)i + 1), swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        for (int i = 0; i < files; i++)
            read_file(folder, order[i]);
    }
    free(order);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: loader prepare|read FOLDER FILES [EPOCHS]\n");
        return 2;
    }
    if (strcmp(argv[1], "prepare") == 0)
        prepare(argv[2], atoi(argv[3]));
    else
        read_all(argv[2], atoi(argv[3]), argc > 4 ? atoi(argv[4]) : 1);
    printf("peak_kib=%ld\n", peak_kib());
    return 0;
}
