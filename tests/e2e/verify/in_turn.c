/* Two processes that write the same bytes in turn, or each to the end of the file, by tokens in
 * pipes: in_turn TURNS COMMIT [append]. The first one commits behind its write number COMMIT, and
 * no other time. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static bool appends;

static void turn(int file, const int *from, const int *to, int commits)
{
    char token = 1;
    if (from && read(from[0], &token, 1) != 1)
        exit(1);
    ssize_t written = appends ? write(file, "12345678", 8) : pwrite(file, "12345678", 8, 0);
    if (written != 8 || (commits && fsync(file)))
        exit(1);
    if (to && write(to[1], &token, 1) != 1)
        exit(1);
}

int main(int argc, char **argv)
{
    int there[2], back[2], turns = atoi(argv[1]), commit = atoi(argv[2]);
    appends = argc == 4;
    if (argc < 3 || argc > 4 || pipe(there) || pipe(back))
        return 1;
    int append = appends ? O_APPEND : 0, file = open("file", O_RDWR | O_CREAT | append, 0666);
    pid_t child = fork();
    if (child == 0)
        file = open("file", O_RDWR | append);
    for (int i = 1; i <= turns; i++)
        if (child)
            turn(file, i > 1 ? back : NULL, there, i == commit);
        else
            turn(file, there, i < turns ? back : NULL, 0);
    return child ? wait(NULL) < 0 : 0;
}
