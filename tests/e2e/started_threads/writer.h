/* A library that writes in a thread of its own. */
struct writer;
struct writer *writer_open(const char *path);
int writer_put(struct writer *writer, const char *text);
int writer_close(struct writer *writer);
