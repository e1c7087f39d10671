/* Opens the page in the user's browser. */
#ifndef FTH_CMD_VIEW_BROWSER_H
#define FTH_CMD_VIEW_BROWSER_H

/* Where there is a screen and xdg-open. Others on this machine see the words of every command, so
 * the browser is given a private file that leads to the address: its path, to be handed to
 * fth_browser_forget when the server ends; or NULL. */
char *fth_browser_open(unsigned port, const char *token);
void fth_browser_forget(char *path); /* NULL is allowed */

#endif
