/* What headers have. */
#ifndef ODD_H
#define ODD_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#define ODD_API __attribute__((visibility("default")))
typedef struct odd_file *odd_handle;
typedef struct {
    int a, b;
} odd_pair;
typedef enum { ODD_A, ODD_B = 4 } odd_mode;
typedef double odd_real;
typedef int (*odd_callback)(void *context, const char *line);
struct odd_options;
extern ODD_API int odd_version; /* no function */

ODD_API odd_handle odd_open(const char *filename, odd_mode mode, const struct odd_options *options);
ODD_API extern int odd_pwrite(odd_handle handle, const void *data, size_t nbytes, long long offset);
ODD_API size_t odd_fread(void *data, size_t size, size_t nmemb, odd_handle handle);
ODD_API odd_pair odd_swap(odd_pair pair, odd_real scale) __attribute__((const));
ODD_API void odd_each(odd_handle handle, int (*visit)(const char *name, void *context), odd_callback other, void *context);
ODD_API int odd_list(odd_handle, const int indices[], int *restrict count, char **const names);
ODD_API const char *odd_error(void), *odd_name(odd_handle handle);
ODD_API int odd_print(odd_handle handle, const char *format, ...);
ODD_API int odd_vprint(odd_handle handle, const char *format, va_list list);
ODD_API void (*odd_handler(void (*handler)(int)))(int);
ODD_API int odd_matrix(double rows[][3], FILE *where);
ODD_API unsigned long odd_pwrite2(void);
ODD_API int odd_undeclared();
ODD_API int odd_renamed(odd_handle handle) __asm__("odd_renamed_2");
ODD_API int odd_write_all(odd_handle handle, const double *values, size_t count);
ODD_API int odd_close(odd_handle handle);
static inline int odd_inline(int a)
{
    return a;
}
int pwrite_all(int);
long pread(int, void *, size_t, long);
#endif
