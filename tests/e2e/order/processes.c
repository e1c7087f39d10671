/* Scenes of processes: who makes whom, who waits for whom, who holds a lock. What one child tells
 * the other through memory is not in the trace, so that only the locks order them there. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *turn;
static const char *scene;

static void mark(const char *place)
{
    char name[64];
    snprintf(name, sizeof name, "at-%s.%s", scene, place);
    access(name, F_OK);
}

static void range(int fd, short type, off_t start, off_t length)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    if (fcntl(fd, F_SETLKW, &lock) != 0)
        abort();
}

/* One child works first, the other behind it. */
static void in_turn(const char *name, void (*work)(int fd, int number))
{
    scene = name;
    *turn = 0;
    for (int number = 0; number < 2; number++) {
        if (fork() == 0) {
            int fd = open("locked", O_RDWR | O_CREAT, 0644);
            while (*turn != number)
                usleep(100);
            work(fd, number);
            *turn = number + 1;
            while (*turn != 2)
                usleep(100);
            _exit(0);
        }
    }
    wait(NULL);
    wait(NULL);
}

static void same_range(int fd, int number)
{
    range(fd, F_WRLCK, 0, 10);
    mark(number ? "b" : "a");
    range(fd, F_UNLCK, 0, 10);
}

static void other_range(int fd, int number)
{
    range(fd, F_WRLCK, number * 10, 10);
    mark(number ? "b" : "a");
    range(fd, F_UNLCK, number * 10, 10);
}

static void readers(int fd, int number)
{
    range(fd, F_RDLCK, 0, 10);
    mark(number ? "b" : "a");
    range(fd, F_UNLCK, 0, 10);
}

static void reader_behind_writer(int fd, int number)
{
    range(fd, number ? F_RDLCK : F_WRLCK, 0, 0);
    mark(number ? "b" : "a");
    range(fd, F_UNLCK, 0, 0);
    mark(number ? "b1" : "a1");
}

/* The lock is gone with the other descriptor: what comes behind that is not under it. */
static void any_close(int fd, int number)
{
    int other = open("locked", O_RDONLY);
    range(fd, F_WRLCK, 0, 10);
    mark(number ? "b" : "a");
    close(other);
    mark(number ? "b1" : "a1");
}

static void whole_file(int fd, int number)
{
    flock(fd, LOCK_EX);
    mark(number ? "b" : "a");
    close(fd);
}

static void from_position(int fd, int number)
{
    if (lockf(fd, F_LOCK, 10) != 0)
        abort();
    mark(number ? "b" : "a");
    if (lockf(fd, F_ULOCK, 10) != 0)
        abort();
}

static void not_released(int fd, int number)
{
    range(fd, F_WRLCK, number * 10, 10);
    mark(number ? "b" : "a");
}

int main(int argc, char **argv)
{
    if (argc > 1) { /* what exec runs */
        scene = argv[1];
        mark("executed");
        return 0;
    }
    turn = mmap(NULL, sizeof *turn, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    scene = "fork";
    mark("before");
    pid_t child = fork();
    if (child == 0) {
        mark("child");
        _exit(0);
    }
    mark("beside");
    waitpid(child, NULL, 0);
    mark("behind");
    scene = "exec";
    mark("before");
    if (fork() == 0) {
        mark("child");
        execl(argv[0], argv[0], "exec", NULL);
    }
    mark("beside");
    wait(NULL);
    mark("behind");
    in_turn("same_range", same_range);
    in_turn("other_range", other_range);
    in_turn("readers", readers);
    in_turn("reader_behind_writer", reader_behind_writer);
    in_turn("any_close", any_close);
    in_turn("whole_file", whole_file);
    in_turn("from_position", from_position);
    in_turn("not_released", not_released);
    return 0;
}
