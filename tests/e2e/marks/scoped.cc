#include <fathom/mark.h>

#include <cstdio>
#include <stdexcept>

static void fails()
{
    fathom::region inner("fails");
    throw std::runtime_error("no");
}

int main()
{
    fathom::region whole("whole");
    try {
        fails();
    } catch (const std::exception &) {
        fathom::counter("caught", 1);
    }
    std::FILE *file = std::fopen("scoped", "w");
    std::fputs("text", file);
    return std::fclose(file);
}
