/* Copies known numbers of bytes from file to file without reading and writing them. The folder has
 * a file `from` of 1000 bytes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <unistd.h>

static void moved(ssize_t bytes, ssize_t expected)
{
    if (bytes != expected)
        exit(1);
}

int main(void)
{
    int from = open("from", O_RDONLY), pipes[2];
    int range = open("range", O_CREAT | O_WRONLY, 0600);
    int sent = open("sent", O_CREAT | O_WRONLY, 0600);
    int spliced = open("spliced", O_CREAT | O_WRONLY, 0600);
    if (from < 0 || range < 0 || sent < 0 || spliced < 0 || pipe(pipes))
        return 1;
    for (int i = 0; i < 3; i++)
        moved(copy_file_range(from, &(off_t){0}, range, NULL, 100, 0), 100);
    moved(copy_file_range(from, &(off_t){0}, -1, NULL, 100, 0), -1);
    moved(copy_file_range(from, &(off_t){1000}, range, NULL, 100, 0), 0);
    moved(sendfile(sent, from, &(off_t){0}, 30), 30);
    moved(sendfile(range, from, &(off_t){0}, 7), 7); /* another second file, of the same call */
    moved(splice(from, &(off_t){0}, pipes[1], NULL, 11, 0), 11);
    moved(splice(pipes[0], NULL, spliced, NULL, 11, 0), 11);
    return 0;
}
