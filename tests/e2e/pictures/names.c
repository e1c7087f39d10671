/* names WORD...: reads and writes files whose names are made to be taken for something else. The
 * words are for the command line. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void use(const char *name)
{
    char bytes[1000] = "";
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 5; i++)
        if (write(fd, bytes, sizeof bytes) != sizeof bytes)
            exit(1);
    for (int i = 0; i < 3; i++)
        if (pread(fd, bytes, sizeof bytes, 0) != sizeof bytes)
            exit(1);
    close(fd);
}

int main(void)
{
    char longest[251];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    use("<img src=x onerror=\"alert('&')\">");
    use("]]>&amp;<script>");
    use("\x1b[31mred\nline");
    use("not UTF-8 \xff\xfe and U+FFFF \xef\xbf\xbf");
    use("\xe2\x80\xaeright to left");
    use(longest);
    return 0;
}
