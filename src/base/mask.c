/* Which parts of an argument are secrets: the user in a URL (scheme://USER:PASSWORD@host), and
 * the value of anything with the name of a secret, be it an option (--password=VALUE,
 * --password VALUE), a variable (PASSWORD=VALUE) or a field ("password": VALUE, Authorization:
 * VALUE). The meaning of option -p differs; it is known for some programs. A user may be
 * followed by a colon and a password. An argument may be a shell command, or contain text of
 * any other form, whose quotes and ends are unknown here: after a named secret nothing of it is
 * kept. It is better to hide too much. */
#include "base/mask.h"

#include <stdbool.h>
#include <string.h>

static const char known_names[] = "*passw*,*passphrase*,pass,*-pass,*pwd,*secret*,*token*,*key*,"
                                  "*credential*,auth,*authorization*,*cookie*";
static const char users[] = "u,user,proxy-user";
/* Programs with an option of one letter for a password, which may follow in the same word. */
static const struct {
    const char *programs;
    char option;
} passwords[] = {
    {"mysql*,mariadb*,mongo*,sshpass,7z*,rar,unrar", 'p'},
    {"zip,unzip,zipcloak,sqlcmd,bcp,ipmitool", 'P'},
    {"smbclient,rpcclient", 'U'},
    {"redis-cli", 'a'},
    {"ldapadd,ldapcompare,ldapdelete,ldapmodify,ldapmodrdn,ldappasswd,ldapsearch,ldapwhoami", 'w'},
};
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
static const char blanks[] = " \t\n";

struct kept {
    char *to;
    size_t used, room;
};

static void keep(struct kept *kept, const char *bytes, size_t length)
{
    size_t left = kept->room - 1 - kept->used;
    if (length > left)
        length = left;
    memcpy(kept->to + kept->used, bytes, length);
    kept->used += length;
}

static void hide(struct kept *kept)
{
    keep(kept, FTH_MASKED, sizeof FTH_MASKED - 1);
}

/* ---- names ---- */

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* In a pattern, * is any text and ? is any letter; - and _ are the same. */
static bool is_alike(char wanted, char letter)
{
    wanted = lower(wanted == '_' ? '-' : wanted);
    return wanted == '?' || wanted == lower(letter == '_' ? '-' : letter);
}

/* Goes back to the last star where it does not go on: no recursion, and no more than length * size
 * steps. */
static bool matches(const char *pattern, size_t size, const char *name, size_t length)
{
    size_t at = 0, i = 0, star = size, from = 0;
    while (i < length) {
        if (at < size && pattern[at] == '*') {
            star = at++;
            from = i;
        } else if (at < size && is_alike(pattern[at], name[i])) {
            at++;
            i++;
        } else if (star < size) {
            at = star + 1;
            i = ++from;
        } else {
            return false;
        }
    }
    while (at < size && pattern[at] == '*')
        at++;
    return at == size;
}

static bool is_listed(const char *patterns, const char *name, size_t length)
{
    for (size_t size; patterns && *patterns; patterns += size + (patterns[size] != 0)) {
        size = strcspn(patterns, ",");
        if (size && matches(patterns, size, name, length))
            return true;
    }
    return false;
}

static bool is_secret(const struct fth_mask *mask, const char *name, size_t length)
{
    for (; length && (*name == '-' || *name == '.'); length--)
        name++;
    return length && (is_listed(known_names, name, length) || is_listed(mask->names, name, length));
}

/* ---- places ---- */

/* Behind a name: the length of what separates it from its value, 0 where there is none. */
static size_t separator(const char *at, bool is_option)
{
    size_t quote = *at == '"' || *at == '\'', space = strspn(at + quote, blanks);
    const char *sign = at + quote + space;
    if (*sign == '=' || (*sign == ':' && strncmp(sign, "://", 3) != 0))
        return quote + space + 1 + strspn(sign + 1, blanks);
    return is_option ? space + quote : 0;
}

/* At "://": keeps it, and hides what stands in front of the host. Returns what it has dealt
 * with. */
static size_t keep_url(struct kept *kept, const char *at)
{
    size_t length = strcspn(at + 3, "/?#\\\"'` \t\n");
    keep(kept, at, 3);
    const char *end = memrchr(at + 3, '@', length);
    if (!end)
        return 3;
    hide(kept);
    return (size_t)(end - at);
}

/* Keeps so much of it, and hides the rest. */
static size_t hide_behind(struct kept *kept, const char *at, size_t length)
{
    keep(kept, at, length);
    hide(kept);
    return strlen(at);
}

/* A name without a password, a place and an address ("//") have nothing to be hidden. */
static bool has_password(const char *user)
{
    size_t quote = *user == '"' || *user == '\'', length = strcspn(user += quote, "\"' \t\n");
    size_t name = strcspn(user, ":");
    return name && name + 1 < length && user[name + 1] != '/';
}

static void know_program(struct fth_mask *mask, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof passwords / sizeof *passwords; i++)
        if (is_listed(passwords[i].programs, name, length))
            mask->option = passwords[i].option;
}

/* At an option: where the value begins that follows its letter in the same word; 0: none does. */
static size_t value_in_word(const struct fth_mask *mask, const char *at)
{
    bool is_long = at[1] == '-' || !at[1] || !at[2] || strchr(blanks, at[2]);
    if (is_long)
        return 0;
    bool is_user = (at[1] == 'u' || at[1] == 'U') && has_password(at + 2);
    return (mask->option && at[1] == mask->option) || is_user ? 2 : 0;
}

static bool is_password(const struct fth_mask *mask, const char *option, size_t length)
{
    return is_secret(mask, option, length) ||
           (mask->option && length == 2 && option[1] == mask->option);
}

/* At a name: keeps it. Returns what it has dealt with. */
static size_t keep_name(struct fth_mask *mask, struct kept *kept, const char *at)
{
    size_t length = strspn(at, letters);
    bool is_option = *at == '-';
    size_t in_word = is_option ? value_in_word(mask, at) : 0;
    if (in_word)
        return hide_behind(kept, at, in_word);
    if (!is_option)
        know_program(mask, at, length);
    bool is_password_next = is_option ? is_password(mask, at, length) : is_secret(mask, at, length);
    bool is_user = is_option && is_listed(users, at + strspn(at, "-"), length - strspn(at, "-"));
    size_t between = is_password_next || is_user ? separator(at + length, is_option) : 0;
    const char *value = at + length + between;
    if (is_option && !at[length])
        mask->next = is_password_next ? FTH_MASK_SECRET : is_user ? FTH_MASK_USER : mask->next;
    if (between && *value && (is_password_next || has_password(value)))
        return hide_behind(kept, at, length + between);
    keep(kept, at, length);
    return length;
}

size_t fth_mask(struct fth_mask *mask, const char *argument, char *to, size_t room)
{
    struct kept kept = {.to = to, .room = room};
    bool is_hidden =
        mask->next == FTH_MASK_SECRET || (mask->next == FTH_MASK_USER && has_password(argument));
    mask->next = FTH_MASK_NOTHING;
    if (is_hidden) {
        hide(&kept);
        argument = "";
    }
    while (*argument && kept.used < room - 1) {
        if (strncmp(argument, "://", 3) == 0) {
            argument += keep_url(&kept, argument);
        } else if (strchr(letters, *argument)) {
            argument += keep_name(mask, &kept, argument);
        } else {
            keep(&kept, argument++, 1);
        }
    }
    to[kept.used] = 0;
    return kept.used;
}
