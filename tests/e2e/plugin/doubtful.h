/* Functions that do not read what they are given; nothing tells whether they do. */
void doubt_text(const char *text);
void doubt_path(const char *path);
void doubt_list(int count, const int *list);
int doubt_code(int count, const int *list);
void doubt_out(int *out);
