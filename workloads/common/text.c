/* text.c - see text.h. */
#include "common/text.h"

#include <stdio.h>
#include <string.h>

struct text text_new(struct program *p, size_t room)
{
    return (struct text){program_array(p, room, 1), 0, room};
}

void text_put(struct text *t, const char *string)
{
    size_t n = strlen(string);
    if (t->n + n >= t->room) host_fail("a text became too long");
    memcpy(t->at + t->n, string, n);
    t->n += n;
}

void text_number(struct text *t, cl_uint n)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", n);
    text_put(t, digits);
}

void text_word(struct text *t, cl_uint rank)
{
    struct data_random r = {rank};
    char word[9] = {0};
    unsigned syllables = 1 + data_next(&r) % 4;
    for (unsigned i = 0; i < syllables; i++) {
        word[2 * i] = "bdfgklmnprstvz"[data_next(&r) % 14];
        word[2 * i + 1] = "aeiou"[data_next(&r) % 5];
    }
    text_put(t, word);
}

void text_url(struct text *t, cl_uint rank)
{
    text_put(t, "http://");
    text_word(t, rank % 61); /* some sites have many pages */
    text_put(t, ".org/");
    text_word(t, rank);
    text_put(t, "-");
    text_number(t, rank);
}

size_t text_compared(const char *a, const char *b, char end)
{
    size_t n = 0;
    while (a[n] == b[n] && a[n] != end)
        n++;
    return n + 1;
}
