/* What a plug-in hands to the program that loads it. */
struct plugin {
    int (*run)(const char *path);
    void (*finish)(void);
};
void report_plugin(struct plugin *plugin) __attribute__((weak));
