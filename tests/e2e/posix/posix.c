/* Makes one known sequence of POSIX calls; check.py holds the same sequence. Every result is
 * checked here too. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char data[4096];

static void write_file(void)
{
    int fd = open("a", O_CREAT | O_TRUNC | O_RDWR, 0640);
    assert(fd == 3); /* the tracer must not take a descriptor that the program would get */
    assert(write(fd, data, 100) == 100);
    assert(pwrite(fd, data, 50, 1000) == 50);
    for (int i = 0; i < 10; i++)
        assert(pwrite(fd, data, 64, 4096 + 256 * i) == 64);
    assert(lseek(fd, 10, SEEK_SET) == 10);
    assert(read(fd, data, 20) == 20);
    assert(lseek(fd, 5, SEEK_CUR) == 35);
    struct iovec parts[3] = {{data, 7}, {data, 8}, {data, 9}};
    assert(writev(fd, parts, 3) == 24);
    assert(lseek(fd, 0, SEEK_SET) == 0);
    assert(readv(fd, parts, 2) == 15);
    assert(pread(fd, data, 4096, 6000) == 464); /* the file ends at 4096 + 256 * 9 + 64 */
    assert(fsync(fd) == 0);
    assert(fdatasync(fd) == 0);
    assert(ftruncate(fd, 123) == 0);
    int copy = dup(fd);
    assert(copy == 4);
    assert(dup2(fd, 17) == 17);
    assert(write(17, data, 1) == 1);
    assert(close(fd) == 0);
    assert(pwrite(copy, data, 2, 0) == 2);
    assert(close(copy) == 0);
    assert(close(17) == 0);
}

static void fail_on_purpose(void)
{
    errno = 0;
    assert(open("missing", O_RDONLY) == -1 && errno == ENOENT);
    errno = 0;
    assert(write(99, data, 5) == -1 && errno == EBADF);
    errno = 0;
    assert(mkdir("a", 0755) == -1 && errno == EEXIST);
    errno = 77;
    assert(access("a", R_OK) == 0 && errno == 77); /* success leaves errno alone */
}

static void change_names(void)
{
    assert(mkdir("d", 0750) == 0);
    assert(rename("a", "d/b") == 0);
    assert(symlink("b", "d/s") == 0);
    assert(link("d/b", "d/c") == 0);
    int directory = open("d", O_RDONLY | O_DIRECTORY);
    assert(directory == 3);
    int fd = openat(directory, "c", O_RDONLY);
    assert(fd == 4);
    assert(read(fd, data, 1000) == 123);
    assert(close(fd) == 0);
    assert(close(directory) == 0);
    assert(unlink("d/c") == 0);
    assert(chmod("d/b", 0600) == 0);
    assert(truncate("d/b", 1 << 20) == 0);
}

static void at_a_large_offset(void)
{
    int fd = open("large", O_CREAT | O_WRONLY, 0644);
    assert(fd == 3);
    off_t far = (off_t)1 << 40;
    assert(pwrite(fd, data, 3, far + 12345) == 3);
    assert(close(fd) == 0);
    assert(unlink("large") == 0);
}

int main(void)
{
    write_file();
    fail_on_purpose();
    change_names();
    at_a_large_offset();
    return 0;
}
