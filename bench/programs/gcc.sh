# A program of several files is compiled, put into a library and linked: cc1, as, collect2, ld.
#: needs gcc ar
#: package gcc binutils
prepare() {
    local i
    for i in $(seq 8); do
        printf '#include <stdio.h>\n#include <stdlib.h>\nint f%d(int x) { return printf("%%d\\n", x * %d) + %d; }\n' "$i" "$i" "$i" >"f$i.c"
    done
    (
        for i in $(seq 8); do echo "int f$i(int);"; done
        echo 'int main(void) { int x = 0;'
        for i in $(seq 8); do echo "x += f$i(x);"; done
        echo 'return x & 1; }'
    ) >main.c
    echo 'int broken(' >broken.c
}
run() {
    gcc -O2 -g -c f?.c main.c
    ar rcD libf.a f?.o
    gcc -flto -O2 -o whole f?.c main.c
    gcc -o parts main.o -L. -lf
    ./parts || echo $?
    ./whole || echo $?
    gcc -c broken.c || echo "$? for a broken one"
}
