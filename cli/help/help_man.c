/* help_man.c - makes the man page from the table of commands; see help.h. */
#include "base/text/version.h"
#include "cli/help/help.h"

#include <ctype.h>
#include <string.h>

static const char head[] =
    ".\\\" Made by 'plumb help --man' from the table of commands; do not edit.\n"
    ".TH PLUMB 1 \"\" \"plumb " PLUMB_VERSION "\" \"User Commands\"\n"
    ".SH NAME\n"
    "plumb \\- what would this GPU memory system do with this program?\n";

static const char description[] =
    ".SH DESCRIPTION\n"
    ".B plumb\n"
    "answers one question at three prices, with the same machines, programs and metrics:\n"
    ".BR estimate ,\n"
    "a closed queueing network over cache hit rates from reuse distances;\n"
    ".BR sample ,\n"
    "a statistical choice of intervals, each run on the cycle model, with the range of the "
    "result;\n"
    ".BR simulate ,\n"
    "the cycle model over the whole program.\n"
    ".PP\n"
    ".I MACHINE\n"
    "is the name of a preset\n"
    ".RB ( \"plumb machine list\" )\n"
    "or a file, if it holds a / or ends in .cfg.\n"
    ".I PROGRAM\n"
    "is a file that exists (a .plt trace, a generator's .cfg, a directory with kernelslist.g), a\n"
    "name of\n"
    ".BR \"plumb program list\" ,\n"
    "or\n"
    ".BI suite: NAME\\fR,\n"
    "which stands for all programs of a suite.\n"
    ".PP\n"
    "With\n"
    ".B \\-\\-json\n"
    "there is exactly one document: an object for one program, an array for several or a suite; a\n"
    "failed program is an object with\n"
    ".I program\n"
    "and\n"
    ".IR error .\n"
    "Files are written whole or not at all.  Results do not depend on the number of threads.\n";

static const char tail[] =
    ".SH EXIT STATUS\n"
    "0 done; 1 a run failed; 2 the input is wrong; 130 interrupted (what is known is kept, and in\n"
    "its warnings it says so).  Errors are one line on standard error each:\n"
    ".IR \"plumb: FILE:LINE: what is wrong; what is allowed\" .\n"
    ".SH FILES\n"
    ".TP\n"
    ".I configs/gpus, configs/workloads, configs/sweeps, configs/dram\n"
    "Presets, programs, sweeps and DRAM timing sets.\n"
    ".TP\n"
    ".I papers\n"
    "The same of what only reproduces a paper, in a folder for each.\n"
    ".TP\n"
    ".I $XDG_CACHE_HOME/plumb\n"
    "Profiles of programs, calibrations as they were read, packed traces, captures of suites, and "
    "what\n"
    "sampling keeps of its way through long programs (at most 1 GB); may be deleted.\n"
    ".TP\n"
    ".I $XDG_CACHE_HOME/plumb/bank.db\n"
    "The bank of runs (at most 256 MB), which\n"
    ".B plumb bank\n"
    "looks after.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n"
    ".B PLUMB_CONFIG_PATH\n"
    "Directories searched first for configuration files, separated by colons; papers/NAME beside "
    "each,\n"
    "if it has a paper.cfg, is searched after it.\n"
    ".TP\n"
    ".B PLUMB_BANK\n"
    "The file of the bank of runs; off: no bank is read or written.\n"
    ".TP\n"
    ".B PLUMB_BANK_MB\n"
    "The most megabytes of a bank (256).\n"
    ".TP\n"
    ".B PLUMB_SUITES\n"
    "Where the captures of suites are kept (suites in the cache directory).\n"
    ".TP\n"
    ".B PLUMB_WORKLOADS_BIN\n"
    "Where the OpenCL programs that suites capture are looked for first.\n"
    ".TP\n"
    ".B PLUMB_PLUGIN_DIR\\fR, \\fBPLUMB_OCLGRIND_ICD\n"
    "The folder of libplumb_capture.so, and Oclgrind's liboclgrind-rt-icd.so, for\n"
    ".BR \"trace capture\" .\n"
    ".TP\n"
    ".B XDG_CACHE_HOME\n"
    "Where the cache lies (~/.cache).\n"
    ".SH EXAMPLES\n"
    ".nf\n"
    "plumb estimate rx540 fwt\n"
    "plumb compare rx540 fwt \\-\\-vs l2.bank_kb=512\n"
    "plumb sample rx540 long/long\\-stencil\n"
    "plumb calibrate configs/sweeps/rx540\\-demo.cfg \\-o rx540.cal\n"
    "plumb sweep run configs/sweeps/rx540\\-demo.cfg \\-\\-cal rx540.cal\n"
    "plumb sweep check configs/sweeps/rx540\\-demo.cfg \\-\\-cal rx540.cal \\-\\-simulate 20\n"
    ".fi\n";

/* Escapes text for troff: no line becomes a request, and dashes can be copied. */
static void add_escaped(struct text *out, const char *s, size_t n)
{
    if (n && (*s == '.' || *s == '\'')) text_add(out, "\\&");
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\\')
            text_add(out, "\\e");
        else if (s[i] == '-')
            text_add(out, "\\-");
        else
            text_add_bytes(out, s + i, 1);
    }
}

static void add_line(struct text *out, const char *s)
{
    add_escaped(out, s, strlen(s));
    text_add(out, "\n");
}

static void add_usage(struct text *out, const struct cli_command *c)
{
    for (const char *form = c->usage;;) {
        size_t n = strcspn(form, "\n");
        text_add(out, ".br\n.B plumb %s\n", c->name);
        add_escaped(out, form, n);
        text_add(out, n ? "\n" : "");
        if (!form[n]) break;
        form += n + 1;
    }
}

static void add_text(struct text *out, const char *text)
{
    size_t n;
    bool kept = false;
    for (const char *p; (p = help_paragraph(&text, &n)); kept = *p == ' ') {
        text_add(out, "%s", kept && *p == ' ' ? ".br\n" : ".PP\n");
        add_escaped(out, p + strspn(p, " "), n - strspn(p, " "));
        text_add(out, "\n");
    }
}

static void add_option(struct text *out, const struct cli_option *o)
{
    text_add(out, ".TP\n\\fB");
    if (o->letter) text_add(out, "\\-%c\\fR, \\fB", o->letter);
    text_add(out, "\\-\\-");
    add_escaped(out, o->name, strlen(o->name));
    text_add(out, "\\fR");
    if (o->value) {
        text_add(out, " \\fI");
        add_escaped(out, o->value, strlen(o->value));
        text_add(out, "\\fR");
    }
    text_add(out, "\n");
    add_line(out, o->meaning);
}

static void add_commands(struct text *out, const struct cli_command *const *list,
                         void add(struct text *, const struct cli_command *))
{
    for (; *list; list++) {
        if ((*list)->sub)
            add_commands(out, (*list)->sub, add);
        else
            add(out, *list);
    }
}

static void add_command(struct text *out, const struct cli_command *c)
{
    text_add(out, ".SS ");
    add_line(out, c->name);
    text_add(out, "%c", toupper((unsigned char)*c->meaning));
    add_escaped(out, c->meaning + 1, strlen(c->meaning) - 1);
    text_add(out, ".\n.PP\n");
    add_usage(out, c);
    if (c->text) add_text(out, c->text);
    for (uint32_t i = 0; i < c->n_options; i++)
        add_option(out, &c->option[i]);
}

void help_man(struct text *out)
{
    text_add(out, "%s.SH SYNOPSIS\n", head);
    add_commands(out, commands, add_usage);
    text_add(out, "%s.SH COMMANDS\n", description);
    text_add(out, "Every command takes \\fB\\-h\\fR, \\fB\\-\\-help\\fR as well, and\n");
    add_option(out, &command_color);
    add_commands(out, commands, add_command);
    text_add(out, "%s", tail);
}
