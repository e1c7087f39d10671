/* A library in front of libc that claims that commands of ioctl work which few file systems
 * have. */
#include <linux/fs.h>
#include <stddef.h>

int ioctl(int fd, unsigned long command, void *argument);
int ioctl(int fd, unsigned long command, void *argument)
{
    struct file_dedupe_range *range = argument;
    (void)fd;
    if (command == FIDEDUPERANGE)
        for (unsigned i = 0; i < range->dest_count; i++)
            range->info[i].status = i ? -22 : FILE_DEDUPE_RANGE_SAME;
    return 0;
}
