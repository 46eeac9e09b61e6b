/* text.h - texts for the programs that read them: words and addresses of pages, each made from its
 * rank, so that equal ranks are equal strings. */
#pragma once

#include "common/program.h"

struct text {
    char *at; /* owned by the program */
    size_t n, room;
};

/* Room for so many bytes; more ends the process. */
struct text text_new(struct program *p, size_t room);
void text_put(struct text *t, const char *string);
void text_number(struct text *t, cl_uint n);
/* Two to eight lower-case letters, one to four syllables. */
void text_word(struct text *t, cl_uint rank);
/* Like http://tura.org/limo-17; different for each rank. */
void text_url(struct text *t, cl_uint rank);

/* Letters of each that are read to compare two strings ended by `end`: up to the first that is not
 * the same, or the end.  They are equal if the last ones read are. */
size_t text_compared(const char *a, const char *b, char end);
