/* command.h - the table of commands and options: one row says what an option is called, what
 * follows it, what it means here and who reads it.  Parsing (args.h), help, the man page and
 * completion in shells (help.h) are made from these rows and from nothing else.
 *
 * A command keeps its rows beside its code.  What its options fill begins with a struct args, so
 * that a row can name the place by its offset. */
#ifndef PLUMB_CLI_PARSE_COMMAND_H
#define PLUMB_CLI_PARSE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct args;
struct cli_option;

/* What a word or an option's value is: shells offer it, and words are checked by it (file_kinds.h).
 */
enum completes {
    COMPLETES_NOTHING,
    COMPLETES_FILE,
    COMPLETES_FOLDER,
    COMPLETES_MACHINE,
    COMPLETES_PROGRAM,
    COMPLETES_SWEEP,
    COMPLETES_MACHINE_OR_SWEEP, /* the latter alone, the former before programs */
    COMPLETES_DATABASE,
    COMPLETES_PARAMETER,
    COMPLETES_ENERGY /* a machine or a structure */
};

/* Takes an option's value; NULL where none follows.  false: the user has been told. */
typedef bool option_reader(struct args *a, const struct cli_option *o, const char *value);

struct cli_option {
    const char *name;    /* without dashes */
    char letter;         /* 0: it has none */
    const char *value;   /* what follows, as help calls it; NULL: nothing does */
    const char *meaning; /* for this command */
    const char *words;   /* values that are allowed, spaces between; NULL: not a choice */
    enum completes completes;
    option_reader *read;
    size_t at;          /* the member that it fills, from the start of struct args */
    uint64_t low, high; /* of numbers */
    unsigned given;     /* bits that struct args keeps of its having been given */
};

struct cli_command {
    const char *name;    /* as it is called: "sweep run" */
    const char *usage;   /* what follows the name; a form a line */
    const char *meaning; /* a few words, for lists */
    const char *text;    /* paragraphs with a line end between; what begins with a space is kept */
    const struct cli_option *option;
    uint32_t n_options;
    const struct cli_command *const *sub; /* ends in NULL; or else: */
    int (*run)(const struct cli_command *c, int argc, char **argv);
    enum completes first, others; /* what its words are */
    bool runs_program;            /* the first word is another program's, with what follows */
};

#define CLI_OPTIONS(O) .option = (O), .n_options = sizeof(O) / sizeof *(O)

extern const struct cli_command *const commands[]; /* ends in NULL */

/* The one that is called `name`, or NULL. */
const struct cli_command *command_find(const struct cli_command *const *list, const char *name);
/* The name that is closest to the word, or NULL. */
const char *command_closest(const struct cli_command *const *list, const char *word);
/* Its name without the command that it belongs to. */
const char *command_last_word(const struct cli_command *c);
/* Tells that there is no command or subcommand of that name (NULL: none was given), and which was
 * meant; returns the exit status. */
int command_unknown(const char *word);
int command_no_sub(const struct cli_command *c, const char *word);
/* Runs the subcommand that argv[1] names; false usage is told. */
int command_run_sub(const struct cli_command *c, int argc, char **argv);

const struct cli_option *command_option(const struct cli_command *c, const char *name);
const char *command_closest_option(const struct cli_command *c, const char *name);
/* Is the word one of the list, which has spaces between? */
bool command_has_word(const char *words, const char *word, size_t length);

#endif
