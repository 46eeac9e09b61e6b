/* cc.h - compiles CUDA programs with clang 14 and plumb's headers, in the place of nvcc.
 *
 * A CUDA source becomes one object: its device code, through LLVM's NVPTX target and plumb's pass
 * plugin, as recording native code, and its host code, which registers it. Objects are linked with
 * the runtime, which is found by its path. */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The list is owned; its words belong to the command line or to the job. */
struct cc_words {
    const char **word;
    size_t n, cap;
};

enum cc_language { CC_CUDA, CC_CPP, CC_C };

struct cc_source {
    const char *path;
    enum cc_language language;
};

/* What a command line asks for. */
struct cc_job {
    struct arena own; /* words that are made of others */
    struct cc_source *source;
    size_t n_sources, sources_cap;
    struct cc_words common; /* for compiling every source: -I, -D, -W ... */
    struct cc_words host;   /* for compiling host code */
    struct cc_words device;
    struct cc_words link; /* objects, libraries and options, in order */
    const char *output;   /* NULL: as compilers choose */
    const char *standard; /* -std=...; NULL: c++17 */
    const char *gpu;      /* sm_70 ... */
    bool hip;             /* the sources are HIP */
    bool relocatable;     /* device code of one source may call another's (-rdc=true) */
    bool link_device;     /* only do so (-dlink) */
    bool shared;
    uint32_t option_files; /* that are being read: one may name another */
    bool compile_only, verbose;
    bool show_version; /* nothing else is asked for */
    bool make_rules;   /* only write what a source includes (-M, -MM) */
    bool preprocess;   /* -E */
};

/* Reads nvcc's and clang's options. false: *e names what plumb does not have. */
bool cc_read(struct cc_job *j, const char *const *word, size_t n, struct error *e);
void cc_fini(struct cc_job *j);
bool cc_add(struct cc_words *list, const char *word); /* false: no memory */

/* Where the parts are; owned. */
struct cc_parts {
    char *plugin, *runtime, *library, *headers, *folder; /* folder: of the runtime */
    char *driver;                                        /* plumb-nvcc; NULL: not there */
};
/* false: *e says what to install. */
bool cc_find(struct cc_parts *p, struct error *e);
void cc_parts_fini(struct cc_parts *p);

/* Compiles and links. false: *e, or the compiler has said why. */
bool cc_run(const struct cc_job *j, struct error *e);
/* The same from a command line. */
bool cc_run_words(const char *const *word, size_t n, struct error *e);
