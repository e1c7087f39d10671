/* Exceptions pass through calls: the stream's own write function throws inside fwrite and fprintf. */
#include <cstdio>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

static ssize_t refuse(void *, const char *, size_t)
{
    throw std::runtime_error("refused");
}

static int write_in_vain(int times)
{
    int caught = 0;
    cookie_io_functions_t functions = {nullptr, refuse, nullptr, nullptr};
    for (int i = 0; i < times; i++) {
        FILE *stream = fopencookie(nullptr, "w", functions);
        setvbuf(stream, nullptr, _IONBF, 0);
        try {
            if (i % 2)
                fwrite("abc", 1, 3, stream);
            else
                fprintf(stream, "%d", i);
        } catch (const std::exception &) {
            caught++;
        }
        int file = open("after", O_CREAT | O_WRONLY | O_APPEND, 0644);
        if (write(file, "x", 1) != 1)
            return -1;
        close(file);
    }
    return caught;
}

int main()
{
    std::printf("%d\n", write_in_vain(100));
    return 3;
}
