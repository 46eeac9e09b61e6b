/* command.h - the table of commands and options: one row has an option's name, its value, its
 * meaning for the command, and its reader.  Parsing (args.h), help, the man page and completion in
 * shells (help.h) are made from these rows only.
 *
 * A command has its rows in its own file.  The struct that its options fill begins with a struct
 * args, so that a row can name a member by its offset. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct args;
struct cli_option;

/* The kind of a word or an option's value: shells complete it, and words are checked against it
 * (file_kinds.h). */
enum completes {
    COMPLETES_NOTHING,
    COMPLETES_FILE,
    COMPLETES_FOLDER,
    COMPLETES_MACHINE,
    COMPLETES_PROGRAM,
    COMPLETES_SWEEP,
    COMPLETES_MACHINE_OR_SWEEP, /* a sweep, or a machine followed by programs */
    COMPLETES_DATABASE,
    COMPLETES_PARAMETER,
    COMPLETES_ENERGY /* a machine or a structure */
};

/* Stores an option's value; NULL if the option has none.  false: an error was printed. */
typedef bool option_reader(struct args *a, const struct cli_option *o, const char *value);

struct cli_option {
    const char *name;    /* without dashes */
    char letter;         /* 0: it has none */
    const char *value;   /* the value's name in the help; NULL: the option has no value */
    const char *meaning; /* help text for this command */
    const char *words;   /* the allowed values, separated by blanks; NULL: any */
    enum completes completes;
    option_reader *read;
    size_t at;          /* the member that it fills: its offset in struct args */
    uint64_t low, high; /* range of numbers */
    unsigned given;     /* bits to set in struct args' `given` */
};

/* An option that people try and the command does not have, and what does it instead. */
struct cli_hint {
    const char *option, *instead;
};

struct cli_command {
    const char *name;    /* the full name: "sweep run" */
    const char *usage;   /* the arguments after the name; one form per line */
    const char *meaning; /* a few words, for lists */
    /* paragraphs separated by line ends; lines that begin with a space keep their layout */
    const char *text;
    const struct cli_option *option;
    uint32_t n_options;
    const struct cli_hint *hint;          /* ends with a NULL option; NULL: none */
    const struct cli_command *const *sub; /* subcommands, NULL-terminated; or else: */
    int (*run)(struct args *a);           /* the exit status; *a is the first member of a struct */
    size_t size;                          /* of that struct; 0: there is nothing behind *a */
    const void *start;            /* what it holds before its options are read; NULL: zeros */
    void (*fini)(struct args *a); /* frees what lies behind *a; NULL: nothing to free */
    uint32_t words;               /* exactly so many; 0: run looks by itself */
    enum completes first, others; /* kinds of its first word and of the other words */
    bool runs_program; /* the first word is another program, the rest are its arguments */
    bool takes_all;    /* has no options: all words are its own affair, but for a first --help */
};

extern const struct cli_option command_color; /* --color: every command takes it, in no table */

#define CLI_OPTIONS(O) .option = (O), .n_options = sizeof(O) / sizeof *(O)

extern const struct cli_command *const commands[]; /* NULL-terminated */

/* The command with that name, or NULL. */
const struct cli_command *command_find(const struct cli_command *const *list, const char *name);
/* The command's last word: a subcommand's name without its command. */
const char *command_last_word(const struct cli_command *c);
/* Reports that there is no command or subcommand of that name (NULL: none was given) and suggests
 * one; returns the exit status. helping: the word may as well be one of plumb's, such as MSHR. */
int command_unknown(const char *word, bool helping);
int command_no_sub(const struct cli_command *c, const char *word);
/* Reads the command's line and runs it, or its subcommand that argv[1] names; false usage is told.
 * Returns the exit status. */
int command_start(const struct cli_command *c, int argc, char **argv);

const struct cli_option *command_option(const struct cli_command *c, const char *name);
const char *command_closest_option(const struct cli_command *c, const char *name);
/* Whether the word is in the list, whose words are separated by blanks. */
bool command_has_word(const char *words, const char *word, size_t length);
