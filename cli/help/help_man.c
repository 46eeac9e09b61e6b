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
    "or a file.  A name that holds a / or ends in .cfg is a file.\n"
    ".I PROGRAM\n"
    "is a file that exists (a .plt trace, a generator's .cfg, a directory with kernelslist.g), a\n"
    "name of\n"
    ".BR \"plumb program list\" ,\n"
    ".BI suite: NAME\\fR,\n"
    "which stands for all programs of a suite, or\n"
    ".BI suite: NAME / PROGRAM\\fR,\n"
    "which stands for one of them.\n"
    ".PP\n"
    "With\n"
    ".B \\-\\-json\n"
    "a command prints exactly one document: an object for one program, an array for several or for "
    "a\n"
    "suite.  A failed program is an object with\n"
    ".I program\n"
    "and\n"
    ".IR error .\n"
    "plumb writes a file whole or not at all.  Results do not depend on the number of threads.\n";

static const char tail[] =
    ".SH EXIT STATUS\n"
    ".TP\n"
    ".B 0\n"
    "The command did what it was asked.\n"
    ".TP\n"
    ".B 1\n"
    "A run failed.\n"
    ".TP\n"
    ".B 2\n"
    "The input is wrong.\n"
    ".TP\n"
    ".B 130\n"
    "An interrupt ended the run.  Its answer covers the part that ran, and carries a warning.\n"
    ".PP\n"
    "Each error is one line on standard error:\n"
    ".IR \"plumb: FILE:LINE: what is wrong; what is allowed\" .\n"
    ".SH ENVIRONMENT\n"
    ".TP\n"
    ".B PLUMB_CONFIG_PATH\n"
    "Directories that are searched first for configuration files, separated by colons.  After "
    "each,\n"
    "plumb searches every folder papers/NAME beside it that has a paper.cfg.\n"
    ".TP\n"
    ".B PLUMB_BANK\n"
    "The file of the bank of runs.  With\n"
    ".B off\n"
    "no bank is read or written.\n"
    ".TP\n"
    ".B PLUMB_BANK_MB\n"
    "The size limit of a bank in megabytes (default 256).\n"
    ".TP\n"
    ".B PLUMB_SUITES\n"
    "The directory of captured suites (default: suites in the cache).\n"
    ".TP\n"
    ".B PLUMB_WORKLOADS_BIN\n"
    "The directory that is searched first for the OpenCL programs that suites capture.\n"
    ".TP\n"
    ".B PLUMB_PLUGIN_DIR\\fR, \\fBPLUMB_OCLGRIND_ICD\n"
    "The folder of libplumb_capture.so, and Oclgrind's liboclgrind-rt-icd.so, for\n"
    ".BR \"trace capture\" .\n"
    ".TP\n"
    ".B XDG_CACHE_HOME\n"
    "The directory that holds the cache (default ~/.cache).\n"
    ".SH FILES\n"
    ".TP\n"
    ".I configs/gpus, configs/workloads, configs/sweeps, configs/dram\n"
    "Presets, programs, sweeps and DRAM timing sets.\n"
    ".TP\n"
    ".I papers\n"
    "The same kinds of files for each paper that plumb reproduces, in a folder per paper.\n"
    ".TP\n"
    ".I $XDG_CACHE_HOME/plumb\n"
    "The cache: profiles of programs, parsed calibrations, packed traces, captures of suites, and\n"
    "checkpoints of sampling (at most 1 GB).  You may delete it.\n"
    ".TP\n"
    ".I $XDG_CACHE_HOME/plumb/bank.db\n"
    "The bank of runs (at most 256 MB); see\n"
    ".BR \"plumb bank\" .\n"
    ".SH EXAMPLES\n"
    ".nf\n"
    "plumb estimate rx540 fwt\n"
    "plumb compare rx540 fwt \\-\\-vs l2.bank_kb=512\n"
    "plumb sample rx540 long/long\\-stencil\n"
    "plumb calibrate configs/sweeps/rx540\\-demo.cfg \\-o rx540.cal\n"
    "plumb sweep run configs/sweeps/rx540\\-demo.cfg \\-\\-cal rx540.cal\n"
    "plumb sweep check configs/sweeps/rx540\\-demo.cfg \\-\\-cal rx540.cal \\-\\-simulate 20\n"
    ".fi\n"
    ".SH SEE ALSO\n"
    "The guide, the models and the meaning of every parameter and metric are in the folder docs of "
    "the\n"
    "sources.\n"
    ".BI \"plumb help \" COMMAND\n"
    "prints one command of this page,\n"
    ".B \"plumb machine params\"\n"
    "the parameters,\n"
    ".B \"plumb metrics\"\n"
    "the metrics.\n"
    ".PP\n"
    ".BR oclgrind (1),\n"
    ".BR gnuplot (1),\n"
    ".BR sqlite3 (1)\n";

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
    text_add(out, "%s.SH OPTIONS\nEvery command takes these two.\n", description);
    text_add(out, ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint the command's help.\n");
    add_option(out, &command_color);
    text_add(out, ".SH COMMANDS\nEach command is listed with its own options.\n");
    add_commands(out, commands, add_command);
    text_add(out, "%s", tail);
}
