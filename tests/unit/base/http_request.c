/* Heads of HTTP requests: what is asked for is read, everything else is refused with its status. */
#include "base/http/http_request.h"
#include "tests/support/check.h"

#include <string.h>

static int read_text(const char *text, struct http_request *q, char *room)
{
    size_t n = strlen(text);
    memcpy(room, text, n);
    assert_int_equal(http_head_length(room, n), n);
    return http_read_head(room, n, q);
}

static void reads_what_browsers_send(void **state)
{
    (void)state;
    char room[HTTP_HEAD_MAX];
    struct http_request q;
    assert_int_equal(read_text("GET /data.json HTTP/1.1\r\nHost: localhost:9999\r\n"
                               "User-Agent: any (thing)\r\nif-none-match:  \"abc\" \t\r\n\r\n",
                               &q, room),
                     HTTP_OK);
    assert_string_equal(q.path, "/data.json");
    assert_string_equal(q.tag, "\"abc\"");
    assert_int_equal(read_text("GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n", &q, room), HTTP_OK);
    assert_string_equal(q.path, "/");
    assert_string_equal(q.tag, "");
}

static void refuses_the_rest(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *head;
    } row[] = {
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\r\nHost: localhost\r\n\rX: y\r\nHost: a.b\r\n\r\n"},
        {HTTP_NO_METHOD, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {HTTP_NO_METHOD, "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {HTTP_NO_METHOD, "get / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {HTTP_NO_VERSION, "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET /\r\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1 \r\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, " / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET /\xc3\xa4 HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\r\nHost: localhost\r\n folded: x\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"},
        {HTTP_BAD_REQUEST, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n"},
        {HTTP_BAD_REQUEST,
         "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {HTTP_MISDIRECTED, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"},
        {HTTP_MISDIRECTED, "GET / HTTP/1.1\r\nHost: localhost.example.org\r\n\r\n"},
        {HTTP_MISDIRECTED, "GET / HTTP/1.1\r\nHost: 127.0.0.1:80@example.org\r\n\r\n"},
        {HTTP_MISDIRECTED, "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
    };
    char room[HTTP_HEAD_MAX];
    struct http_request q;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int status = read_text(row[i].head, &q, room);
        if (status != row[i].status)
            fail_msg("%d, not %d, of: %s", status, row[i].status, row[i].head);
    }
    char nul[] = "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n";
    assert_int_equal(http_read_head(nul, sizeof nul - 1, &q), HTTP_BAD_REQUEST);
}

static void waits_for_the_blank_line(void **state)
{
    (void)state;
    static const char head[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET ";
    size_t whole = strlen(head) - 4;
    for (size_t n = 0; n < whole; n++)
        assert_int_equal(http_head_length(head, n), 0);
    for (size_t n = whole; n <= strlen(head); n++)
        assert_int_equal(http_head_length(head, n), whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_browsers_send),
        cmocka_unit_test(refuses_the_rest),
        cmocka_unit_test(waits_for_the_blank_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
