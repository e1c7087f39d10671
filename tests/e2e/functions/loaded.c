/* A library that is loaded while the program runs. */
void loaded(void (*touch)(int));
void loaded(void (*touch)(int))
{
    touch(7);
}
