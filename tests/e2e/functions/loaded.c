void loaded(void (*touch)(int));
void loaded(void (*touch)(int))
{
    touch(7);
}
