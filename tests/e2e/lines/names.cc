// A call from a method of a class template in a namespace.
#include <unistd.h>

namespace io
{
template <typename T> struct Writer {
    __attribute__((noinline)) void put(T value)
    {
        if (write(1, &value, sizeof value) < 0) // line: method
            _exit(9);
    }
};
} // namespace io

int main()
{
    io::Writer<int>().put('\n');
    return 0;
}
