/* sanitizers.c - linked into sanitized executables: libconfig 1.5 leaks its parse buffers on broken
 * input, and an allocation that is too large must fail as it does without a sanitizer. */
const char *__lsan_default_suppressions(void);
const char *__asan_default_options(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig_yyparse\nleak:libconfig_yylex\nleak:libconfig.so\n";
}

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
