// A class, whose function is found by its name with it.
#include <cstdio>
#include <stdexcept>

struct store {
    int put(int value);
};
struct other {
    int put(int value) { return value; }
};

int store::put(int value)
{
    if (value > 1)
        throw std::runtime_error("full");
    return value;
}

int main()
{
    store one;
    other two;
    try {
        one.put(two.put(1));
        one.put(2);
    } catch (const std::exception &error) {
        std::puts(error.what());
    }
}
