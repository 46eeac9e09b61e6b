/* lsan.c - linked into sanitized executables: libconfig 1.5 leaks its parse buffers on broken input. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig_yyparse\nleak:libconfig_yylex\nleak:libconfig.so\n";
}
