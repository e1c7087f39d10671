/* Pointers that lead nowhere, and some that do. */
#include "doubtful.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *end = pages + 4096;
    int list[] = {1, 2, 3}, out = 7, *nowhere = (int *)(uintptr_t)16;
    munmap(end, 4096);
    memset(pages, 'x', 4096); /* text without an end */
    doubt_text((const char *)nowhere);
    doubt_text(end - 4);
    doubt_text("text");
    doubt_path((const char *)nowhere);
    doubt_path("here");
    doubt_list(3, nowhere);
    doubt_list(3, list);
    doubt_list(3, (const int *)(void *)(end - 8));
    doubt_code(3, nowhere);
    doubt_code(3, list);
    doubt_out(nowhere);
    doubt_out(&out);
    return 0;
}
