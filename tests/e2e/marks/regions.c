/* Regions that match, and regions that do not. */
#include <fathom/mark.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int file;
static jmp_buf back;

static void touch(int bytes)
{
    if (pwrite(file, "0123456789", (size_t)bytes, 0) != bytes)
        abort();
}

static void *thread(void *unused)
{
    fth_mark_end("solve"); /* of another thread: nothing */
    fth_mark_begin("thread");
    touch(3);
    return unused; /* its end ends the region */
}

__attribute__((noinline)) static void jumper(void)
{
    fth_mark_begin("left");
    touch(4);
    longjmp(back, 1);
}

static int filter(const struct dirent *entry)
{
    fth_mark_end("around"); /* not while the call is open that this is inside of */
    return entry->d_name[0] == 'd';
}

static void recurse(int depth)
{
    fth_mark_begin("deep");
    if (depth)
        recurse(depth - 1);
    fth_mark_end("deep");
}

int main(void)
{
    pthread_t other;
    struct dirent **entries;
    file = open("data", O_RDWR | O_CREAT, 0644);
    fth_mark_begin("solve");
    touch(1);
    fth_mark_begin("inner");
    touch(2);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    fth_mark_counter("residual", -17);
    fth_mark_end("solve"); /* and inner with it */
    fth_mark_end("never");
    if (!setjmp(back))
        jumper();
    touch(5);
    fth_mark_begin("here");
    if (!setjmp(back)) {
        touch(6);
        longjmp(back, 1); /* does not leave main: the region stays */
    }
    touch(7);
    fth_mark_end(NULL);
    fth_mark_begin("around");
    if (scandir(".", &entries, filter, NULL) < 1)
        abort();
    fth_mark_begin("around");
    touch(8);
    fth_mark_end("around");
    fth_mark_end("around");
    recurse(99);
    touch(9);
    fth_mark_begin("a name that is longer than one hundred bytes, so that what is behind them does not come into the trace: "
                   "this is behind them");
    fth_mark_end(NULL);
    fth_mark_begin("open at the end");
    touch(10);
    puts("done");
    return 0;
}
