/* clones HOW: calls ioctl, whose commands the library before libc claims to have done. */
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct exchange {
    int32_t other, more;
    uint64_t places[4];
};

static int open_it(const char *name)
{
    int file = open(name, O_RDWR);
    if (file < 0)
        exit(1);
    return file;
}

static void change(const char *how)
{
    int from = open_it("from"), to = open_it("to"), third = open_it("third");
    if (!strcmp(how, "range")) {
        struct file_clone_range range = {from, 4096, 4096, 8192};
        ioctl(to, FICLONERANGE, &range);
    } else if (!strcmp(how, "rest")) {
        struct file_clone_range range = {from, 4096, 0, 8192};
        ioctl(to, FICLONERANGE, &range);
    } else if (!strcmp(how, "all")) {
        ioctl(to, FICLONE, from);
    } else if (!strcmp(how, "same")) {
        struct file_dedupe_range *range = calloc(1, sizeof *range + 2 * sizeof *range->info);
        range->src_length = 4096;
        range->dest_count = 2;
        range->info[0].dest_fd = to;
        range->info[0].dest_offset = 4096;
        range->info[1].dest_fd = third;
        ioctl(from, FIDEDUPERANGE, range);
    } else {
        struct exchange exchange = {.other = from};
        ioctl(to, _IOW('X', 129, struct exchange), &exchange);
    }
}

/* clones HOW FILE OFFSET [w]: while one process does this, another one accesses 16 bytes. */
int main(int argc, char **argv)
{
    char bytes[16] = {0};
    if (argc < 4)
        return 1;
    if (fork() == 0) {
        change(argv[1]);
        return 0;
    }
    int file = open_it(argv[2]);
    off_t at = atol(argv[3]);
    ssize_t moved =
        argc > 4 ? pwrite(file, bytes, sizeof bytes, at) : pread(file, bytes, sizeof bytes, at);
    wait(NULL);
    return moved < 0;
}
