/* cc_read.c - reads the options of nvcc and clang that people's makefiles pass. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/cuda/cc.h"

#include <string.h>

/* What becomes of an option. */
enum effect {
    FOR_ALL, /* goes to every compilation */
    FOR_HOST,
    FOR_LINK,
    FOR_LINKER,   /* a comma-separated list for the linker */
    FOR_COMPILER, /* a comma-separated list for the host's compiler */
    DROPPED,
    REFUSED,
    OUTPUT,
    LANGUAGE,
    STANDARD,
    ARCHITECTURE,
    COMPILE,
    SHOW,
    VERSION,
    RULES,
    PREPROCESS,
    HIP,
    RELOCATABLE,
    COMPILE_RELOCATABLE,
    LINK_DEVICE,
    SHARED,
    OPTIONS, /* a file with more */
    FAST_MATH
};

enum takes {
    ALONE,   /* -c */
    JOINED,  /* -Ifoo or -I foo */
    BEHIND,  /* -x cu, --foo=bar or --foo bar */
    ATTACHED /* the value is part of the word, -Wall: none follows */
};

static const struct rule {
    const char *option;
    enum takes value;
    enum effect effect;
    const char *why; /* of refusals; else what the word becomes, NULL: itself */
} rules[] = {
    {"-o", JOINED, OUTPUT, NULL},
    {"--output-file", BEHIND, OUTPUT, NULL},
    {"-c", ALONE, COMPILE, NULL},
    {"--hip", ALONE, HIP, NULL},
    {"--offload-arch", BEHIND, DROPPED, NULL},
    {"--amdgpu-target", BEHIND, DROPPED, NULL},
    {"--rocm-path", BEHIND, DROPPED, NULL},
    {"-dc", ALONE, COMPILE_RELOCATABLE, NULL},
    {"--compile", ALONE, COMPILE, NULL},
    {"--device-c", ALONE, COMPILE_RELOCATABLE, NULL},
    {"-x", BEHIND, LANGUAGE, NULL},
    {"-std", BEHIND, STANDARD, NULL},
    {"--std", BEHIND, STANDARD, NULL},
    {"-arch", BEHIND, ARCHITECTURE, NULL},
    {"--gpu-architecture", BEHIND, ARCHITECTURE, NULL},
    {"--cuda-gpu-arch", BEHIND, ARCHITECTURE, NULL},
    {"-gencode", BEHIND, ARCHITECTURE, NULL},
    {"--generate-code", BEHIND, ARCHITECTURE, NULL},
    {"-code", BEHIND, DROPPED, NULL},
    {"--gpu-code", BEHIND, DROPPED, NULL},
    {"-I", JOINED, FOR_ALL, "-I"},
    {"--include-path", BEHIND, FOR_ALL, "-I"},
    {"-isystem", BEHIND, FOR_ALL, "-isystem"},
    {"-include", BEHIND, FOR_ALL, "-include"},
    {"-D", JOINED, FOR_ALL, "-D"},
    {"--define-macro", BEHIND, FOR_ALL, "-D"},
    {"-U", JOINED, FOR_ALL, "-U"},
    {"-MF", BEHIND, FOR_HOST, "-MF"},
    {"-MT", BEHIND, FOR_HOST, "-MT"},
    {"-MQ", BEHIND, FOR_HOST, "-MQ"},
    {"-MD", ALONE, FOR_HOST, NULL},
    {"-MMD", ALONE, FOR_HOST, NULL},
    {"-MP", ALONE, FOR_HOST, NULL},
    {"-M", ALONE, RULES, NULL},
    {"-MM", ALONE, RULES, NULL},
    {"-E", ALONE, PREPROCESS, NULL},
    {"-Xcompiler", BEHIND, FOR_COMPILER, NULL},
    {"--compiler-options", BEHIND, FOR_COMPILER, NULL},
    {"-Xlinker", BEHIND, FOR_LINKER, NULL},
    {"--linker-options", BEHIND, FOR_LINKER, NULL},
    {"-Xptxas", BEHIND, DROPPED, NULL},
    {"--ptxas-options", BEHIND, DROPPED, NULL},
    {"-Xcudafe", BEHIND, DROPPED, NULL},
    {"-Xnvlink", BEHIND, DROPPED, NULL},
    {"-maxrregcount", BEHIND, DROPPED, NULL},
    {"--maxrregcount", BEHIND, DROPPED, NULL},
    {"-ccbin", BEHIND, DROPPED, NULL},
    {"--compiler-bindir", BEHIND, DROPPED, NULL},
    {"-cudart", BEHIND, DROPPED, NULL},
    {"--cudart", BEHIND, DROPPED, NULL},
    {"-rdc", BEHIND, RELOCATABLE, NULL},
    {"--relocatable-device-code", BEHIND, RELOCATABLE, NULL},
    {"-threads", BEHIND, DROPPED, NULL},
    {"--threads", BEHIND, DROPPED, NULL},
    {"-diag-suppress", BEHIND, DROPPED, NULL},
    {"--diag-suppress", BEHIND, DROPPED, NULL},
    {"-lineinfo", ALONE, DROPPED, NULL},
    {"--generate-line-info", ALONE, DROPPED, NULL},
    {"-G", ALONE, DROPPED, NULL},
    {"-forward-unknown-to-host-compiler", ALONE, DROPPED, NULL},
    {"--forward-unknown-to-host-compiler", ALONE, DROPPED, NULL},
    {"-Wno-deprecated-gpu-targets", ALONE, DROPPED, NULL},
    {"--device-debug", ALONE, DROPPED, NULL},
    {"-m64", ALONE, DROPPED, NULL},
    {"-extended-lambda", ALONE, DROPPED, NULL},
    {"--extended-lambda", ALONE, DROPPED, NULL},
    {"--expt-extended-lambda", ALONE, DROPPED, NULL},
    {"-expt-extended-lambda", ALONE, DROPPED, NULL},
    {"--expt-relaxed-constexpr", ALONE, DROPPED, NULL},
    {"-expt-relaxed-constexpr", ALONE, DROPPED, NULL},
    {"--restrict", ALONE, DROPPED, NULL},
    {"-use_fast_math", ALONE, FAST_MATH, NULL},
    {"--use_fast_math", ALONE, FAST_MATH, NULL},
    {"--default-stream", BEHIND, DROPPED, NULL},
    {"-keep", ALONE, DROPPED, NULL},
    {"-v", ALONE, SHOW, NULL},
    {"--verbose", ALONE, SHOW, NULL},
    {"--version", ALONE, VERSION, NULL},
    {"-V", ALONE, VERSION, NULL},
    {"-L", JOINED, FOR_LINK, "-L"},
    {"--library-path", BEHIND, FOR_LINK, "-L"},
    {"-lcudart_static", ALONE, DROPPED, NULL},
    {"-lcudart", ALONE, DROPPED, NULL},
    {"-lcudadevrt", ALONE, DROPPED, NULL},
    {"-lcublas", ALONE, REFUSED, "plumb has no cuBLAS"},
    {"-lcudnn", ALONE, REFUSED, "plumb has no cuDNN"},
    {"-lcufft", ALONE, REFUSED, "plumb has no cuFFT"},
    {"-lcurand", ALONE, DROPPED, NULL},
    {"-lcusparse", ALONE, REFUSED, "plumb has no cuSPARSE"},
    {"-lcusolver", ALONE, REFUSED, "plumb has no cuSOLVER"},
    {"-lnccl", ALONE, REFUSED, "plumb has no NCCL"},
    {"-lcuda", ALONE, REFUSED, "plumb has no CUDA driver interface"},
    {"-lnvrtc", ALONE, REFUSED, "plumb does not compile at run time"},
    {"-dlink", ALONE, LINK_DEVICE, NULL},
    {"--device-link", ALONE, LINK_DEVICE, NULL},
    {"-fgpu-rdc", ALONE, RELOCATABLE, NULL},
    {"-ptx", ALONE, REFUSED, "plumb makes no PTX"},
    {"-cubin", ALONE, REFUSED, "plumb makes no cubin"},
    {"-fatbin", ALONE, REFUSED, "plumb makes no fatbin"},
    {"-shared", ALONE, SHARED, NULL},
    {"--shared", ALONE, SHARED, NULL},
    {"-optf", BEHIND, OPTIONS, NULL},
    {"--options-file", BEHIND, OPTIONS, NULL},
    {"-static", ALONE, REFUSED, "the runtime is a shared library"},
    {"-no-pie", ALONE, REFUSED, "programs are position independent"},
    {"-l", JOINED, FOR_LINK, "-l"},
    {"--library", BEHIND, FOR_LINK, "-l"},
    {"-Wl,", ATTACHED, FOR_LINK, NULL},
    {"-pthread", ALONE, FOR_LINK, NULL},
    {"-fopenmp", ALONE, FOR_HOST, NULL},
    {"-W", ATTACHED, FOR_HOST, NULL},
    {"-w", ALONE, FOR_ALL, NULL},
    {"-O", ATTACHED, FOR_HOST, NULL},
    {"--optimize", BEHIND, FOR_HOST, "-O"},
    {"-g", ATTACHED, FOR_HOST, NULL},
    {"--debug", ALONE, FOR_HOST, "-g"},
    {"-pg", ALONE, DROPPED, NULL},
    {"-f", ATTACHED, FOR_HOST, NULL},
    {"-m", ATTACHED, FOR_HOST, NULL},
    {"-pedantic", ALONE, FOR_HOST, NULL},
    {"-pipe", ALONE, DROPPED, NULL},
    {"-ansi", ALONE, DROPPED, NULL},
};

bool cc_add(struct cc_words *list, const char *word)
{
    if (!mem_grow(&list->word, &list->cap, list->n + 1, sizeof *list->word)) return false;
    list->word[list->n++] = word;
    return true;
}

void cc_fini(struct cc_job *j)
{
    mem_free(j->source);
    mem_free(j->common.word);
    mem_free(j->host.word);
    mem_free(j->device.word);
    mem_free(j->link.word);
    arena_fini(&j->own);
    *j = (struct cc_job){0};
}

/* Whether the rule is about the word; *value: what the word itself has as its value. */
static bool is_about(const struct rule *r, const char *word, const char **value)
{
    size_t n = strlen(r->option);
    *value = NULL;
    if (strncmp(word, r->option, n) != 0) return false;
    if (word[n] == '\0') return true;
    if (r->value == BEHIND && word[n] == '=') {
        *value = word + n + 1;
        return true;
    }
    if (r->value == JOINED) *value = word + n;
    return r->value == ATTACHED || r->value == JOINED;
}

static bool set_architecture(struct cc_job *j, const char *value)
{
    static const char *const known[] = {"sm_60", "sm_61", "sm_62", "sm_70",
                                        "sm_72", "sm_75", "sm_80", "sm_86"};
    const char *number = value + strcspn(value, "0123456789");
    j->gpu = "sm_86"; /* of newer ones clang 14 does not know */
    for (size_t i = sizeof known / sizeof *known; i-- > 0;)
        if (strncmp(known[i] + 3, number, 2) == 0) j->gpu = known[i];
    if (strncmp(number, "70", 2) < 0 && strlen(number) >= 2 && number[1] != '0') j->gpu = "sm_70";
    return true;
}

static bool set_language(struct cc_job *j, const char *value, bool *forced)
{
    *forced = strcmp(value, "cu") == 0 || strcmp(value, "cuda") == 0 || strcmp(value, "hip") == 0;
    (void)j;
    return true;
}

/* Words of a list that commas separate. */
static bool add_list(struct cc_job *j, struct cc_words *list, const char *text)
{
    char *copy = arena_strdup(&j->own, text), *rest = copy;
    for (char *word; rest && (word = strsep(&rest, ","));)
        if (*word && !cc_add(list, word)) return false;
    return copy != NULL;
}

static bool add_pair(struct cc_job *j, struct cc_words *list, const char *option, const char *value)
{
    struct text t = {0};
    if (strcmp(option, "-isystem") == 0 || strcmp(option, "-include") == 0 ||
        strncmp(option, "-M", 2) == 0)
        return cc_add(list, option) && cc_add(list, value);
    text_add(&t, "%s%s", option, value);
    const char *word = t.failed ? NULL : arena_strdup(&j->own, text_str(&t));
    text_fini(&t);
    return word && cc_add(list, word);
}

static bool add_word(struct cc_job *j, struct cc_words *list, const struct rule *r,
                     const char *word, const char *value)
{
    if (value && r->why) return add_pair(j, list, r->why, value);
    return cc_add(list, r->why ? r->why : word);
}

static bool read_words(struct cc_job *j, const char *const *word, size_t n, bool *forced,
                       struct error *e);
static bool read_file(struct cc_job *j, const char *path, bool *forced, struct error *e);

static bool apply_rule(struct cc_job *j, const struct rule *r, const char *word, const char *value,
                       bool *forced, struct error *e)
{
    bool ok = true;
    switch (r->effect) {
    case FOR_ALL: ok = add_word(j, &j->common, r, word, value); break;
    case FOR_HOST: ok = add_word(j, &j->host, r, word, value); break;
    case FOR_LINK: ok = add_word(j, &j->link, r, word, value); break;
    case FOR_LINKER: ok = cc_add(&j->link, "-Xlinker") && cc_add(&j->link, value); break;
    case FOR_COMPILER: ok = add_list(j, &j->host, value); break;
    case DROPPED: break;
    case REFUSED: return error_input(e, "%s: %s", word, r->why);
    case OUTPUT: j->output = value; break;
    case LANGUAGE: return set_language(j, value, forced);
    case STANDARD: j->standard = value; break;
    case ARCHITECTURE: return set_architecture(j, value);
    case COMPILE: j->compile_only = true; break;
    case SHOW: j->verbose = true; break;
    case VERSION: j->show_version = true; break;
    case RULES:
        j->make_rules = true;
        ok = cc_add(&j->host, word);
        break;
    case PREPROCESS: j->preprocess = true; break;
    case HIP: j->hip = true; break;
    case RELOCATABLE: j->relocatable = !value || strcmp(value, "true") == 0; break;
    case COMPILE_RELOCATABLE: j->compile_only = j->relocatable = true; break;
    case LINK_DEVICE: j->link_device = true; break;
    case SHARED: j->shared = true; break;
    case OPTIONS: return read_file(j, value, forced, e);
    case FAST_MATH: ok = cc_add(&j->device, "-fcuda-approx-transcendentals"); break;
    }
    return ok || error_no_memory(e);
}

static bool has_end(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n >= k && strcmp(path + n - k, end) == 0;
}

/* A word that is no option: a source, or what the linker takes. */
static bool take_file(struct cc_job *j, const char *word, bool forced, struct error *e)
{
    static const struct {
        const char *end;
        enum cc_language language;
    } ends[] = {{".cu", CC_CUDA}, {".hip", CC_CUDA}, {".cpp", CC_CPP}, {".cc", CC_CPP},
                {".cxx", CC_CPP}, {".C", CC_CPP},    {".c", CC_C}};
    bool binary = has_end(word, ".o") || has_end(word, ".a") || has_end(word, ".so");
    for (size_t i = 0; !binary && i < sizeof ends / sizeof *ends; i++) {
        if (!forced && !has_end(word, ends[i].end)) continue;
        if (!mem_grow(&j->source, &j->sources_cap, j->n_sources + 1, sizeof *j->source))
            return error_no_memory(e);
        bool device = forced || (j->hip && ends[i].language == CC_CPP);
        j->source[j->n_sources++] = (struct cc_source){word, device ? CC_CUDA : ends[i].language};
        return true;
    }
    return cc_add(&j->link, word) || error_no_memory(e);
}

static const struct rule *find_rule(const char *word, const char **value)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is_about(&rules[i], word, value)) return &rules[i];
    return NULL;
}

enum { OPTION_FILES_DEEP = 16 };

/* The words of a file, which blanks separate; quotes keep them together. */
static bool read_file(struct cc_job *j, const char *path, bool *forced, struct error *e)
{
    struct cc_words words = {0};
    char *text;
    size_t n;
    if (++j->option_files > OPTION_FILES_DEEP)
        return error_input(e, "%s: files of options name each other in a circle, or too deep",
                           path);
    if (!file_read(path, &text, &n, e)) return false;
    char *in = arena_strdup(&j->own, text), *out = in;
    mem_free(text);
    bool ok = in != NULL;
    for (char quote = 0, *begin = NULL; ok; in++) {
        const bool over = !*in, ends = over || (!quote && strchr(" \t\n", *in));
        if (ends && begin) *out++ = '\0', ok = cc_add(&words, begin), begin = NULL;
        if (over) break; /* *in may be the end of the word by now */
        if (ends) continue;
        if (!begin) begin = out;
        if (quote ? *in == quote : *in == '"' || *in == '\'')
            quote = quote ? 0 : *in;
        else
            *out++ = *in;
    }
    ok = ok ? read_words(j, words.word, words.n, forced, e) : error_no_memory(e);
    mem_free(words.word);
    j->option_files--;
    return ok;
}

static bool read_words(struct cc_job *j, const char *const *word, size_t n, bool *forced,
                       struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        const char *value;
        if (word[i][0] == '@') {
            if (!read_file(j, word[i] + 1, forced, e)) return false;
            continue;
        }
        if (word[i][0] != '-') {
            if (!take_file(j, word[i], *forced, e)) return false;
            continue;
        }
        const struct rule *r = find_rule(word[i], &value);
        if (!r) return error_input(e, "%s: plumb cc does not know this option", word[i]);
        bool needs = (r->value == JOINED || r->value == BEHIND) && !value;
        if (needs && i + 1 == n) return error_input(e, "%s: a value is missing", word[i]);
        const char *option = word[i];
        if (needs) value = word[++i];
        if (!apply_rule(j, r, option, value, forced, e)) return false;
    }
    return true;
}

bool cc_read(struct cc_job *j, const char *const *word, size_t n, struct error *e)
{
    bool forced = false;
    *j = (struct cc_job){.gpu = "sm_70", .standard = "c++17"};
    return read_words(j, word, n, &forced, e);
}
