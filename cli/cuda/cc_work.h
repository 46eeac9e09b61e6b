/* cc_work.h - what the steps of compiling share; see cc_run.c and cc_relocatable.c. */
#pragma once

#include "base/text/text.h"
#include "cli/cuda/cc.h"

struct cc_work {
    const struct cc_job *job;
    struct cc_parts parts;
    char folder[64];  /* for what lies between the steps; "" before it is made */
    struct text *own; /* texts that words point into */
    size_t n_own, own_cap;
    const char *quoted; /* where the source's own includes are, if it is a copy; else NULL */
    struct error *e;
};

/* A word that the work owns, with `a` for 1 and `b` for 2. NULL: no memory. */
const char *cc_word(struct cc_work *w, const char *format, const char *a, const char *b);
bool cc_add_all(struct cc_words *list, const char *const *word, size_t n);
#define CC_ADD(LIST, ...)                                \
    cc_add_all(LIST, (const char *const[]){__VA_ARGS__}, \
               sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
/* Runs the program that the words are, if they are complete, and frees the list. */
bool cc_finish(struct cc_work *w, struct cc_words *list, bool complete);

/* A copy of a source that has launches with blanks, in place of it (cc_launches.c). */
bool cc_plain_launches(struct cc_work *w, const char **source);
/* Makes the host's object of device code in which only the triple is NVPTX's still. */
bool cc_make_native(struct cc_work *w, const char *bitcode, const char *object);
bool cc_join(struct cc_work *w, const char *a, const char *b, const char *object);
/* Leaves device code that other sources complete, and its module's name, in an object. */
bool cc_keep_device(struct cc_work *w, const char *name, const char *bitcode, const char *host,
                    const char *object);
/* Compiles the device code that objects carry as one; *native: its object, NULL where they carry
 * none. */
bool cc_link_device(struct cc_work *w, const struct cc_words *objects, const char **native);
