/* Another library: handles that are small numbers, a structure by value, a list, a question. */
struct two_point {
    double x, y;
};
typedef int two_id;
int two_make(const char *name, two_id *made);
int two_length(two_id id, int *length);
int two_put(two_id id, const int *numbers, struct two_point at);
struct two_point two_where(two_id id, int call, int real);
int two_free(two_id *id);
