/* What symbols become: prints a name for each line. */
#include "capture/functions/source_names.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[1000], name[41];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        fth_function_name(line, name, sizeof name);
        puts(name);
    }
    return 0;
}
