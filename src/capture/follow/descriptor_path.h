/* Which descriptor a path stands for. Inner header of the capture room. */
#ifndef FTH_CAPTURE_FOLLOW_DESCRIPTOR_PATH_H
#define FTH_CAPTURE_FOLLOW_DESCRIPTOR_PATH_H

/* "/proc/123/fd/4", if an absolute path leads there by any links; else NULL. Stands until the next
 * text is put together. */
const char *fth_descriptor_behind(const char *path);
/* Where an absolute path leads, if links or ".." are on the way, else the path itself; NULL: to a
 * descriptor, or nobody knows. Stands as long. */
const char *fth_path_behind_links(const char *path);

#endif
