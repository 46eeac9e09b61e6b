/* http_request.c - see http_request.h. */
#include "base/http/http_request.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const char blank_line[] = "\r\n\r\n";

size_t http_head_length(const char *bytes, size_t n)
{
    const char *end = memmem(bytes, n, blank_line, sizeof blank_line - 1);
    return end ? (size_t)(end - bytes) + sizeof blank_line - 1 : 0;
}

const char *http_reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } row[] = {{HTTP_OK, "OK"},
               {HTTP_NOT_MODIFIED, "Not Modified"},
               {HTTP_BAD_REQUEST, "Bad Request"},
               {HTTP_NOT_FOUND, "Not Found"},
               {HTTP_NO_METHOD, "Method Not Allowed"},
               {HTTP_MISDIRECTED, "Misdirected Request"},
               {HTTP_HEAD_TOO_LARGE, "Request Header Fields Too Large"},
               {HTTP_UNAVAILABLE, "Service Unavailable"},
               {HTTP_NO_VERSION, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (row[i].status == status) return row[i].reason;
    return "";
}

/* Cuts the next line off, without its end. NULL: it holds another control character than a tab, or
 * a byte that is not ASCII. */
static char *next_line(char **at)
{
    char *line = *at, *end = strstr(line, "\r\n");
    if (!end) return NULL;
    *end = '\0';
    *at = end + 2;
    for (const unsigned char *c = (const unsigned char *)line; *c; c++)
        if ((*c < ' ' && *c != '\t') || *c >= 0x7f) return NULL;
    return line;
}

/* "GET /path HTTP/1.1": one space between the words. */
static int read_request_line(char *line, struct http_request *q)
{
    char *target = strchr(line, ' '), *version = target ? strchr(target + 1, ' ') : NULL;
    if (!version || target == line || strchr(version + 1, ' ') || strchr(line, '\t'))
        return HTTP_BAD_REQUEST;
    *target++ = *version++ = '\0';
    if (strncmp(version, "HTTP/", 5) != 0) return HTTP_BAD_REQUEST;
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        return HTTP_NO_VERSION;
    if (strcmp(line, "GET") != 0) return HTTP_NO_METHOD;
    if (*target != '/') return HTTP_BAD_REQUEST;
    q->path = target;
    return HTTP_OK;
}

static bool is_loopback(const char *host)
{
    static const char *const name[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        size_t n = strlen(name[i]);
        if (strncasecmp(host, name[i], n) != 0) continue;
        const char *port = host + n;
        if (*port == '\0') return true;
        return *port == ':' && strspn(port + 1, "0123456789") == strlen(port + 1);
    }
    return false;
}

/* Splits "Name: value"; false: it is no header. A line that continues the one before it is none. */
static bool split_header(char *line, char **value)
{
    static const char token[] = "!#$%&'*+-.^_`|~0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    size_t n = strspn(line, token);
    if (n == 0 || line[n] != ':') return false;
    line[n] = '\0';
    *value = line + n + 1 + strspn(line + n + 1, " \t");
    for (char *end = *value + strlen(*value); end > *value && strchr(" \t", end[-1]);)
        *--end = '\0';
    return true;
}

static int read_header(char *line, struct http_request *q, unsigned *hosts)
{
    char *value;
    if (!split_header(line, &value)) return HTTP_BAD_REQUEST;
    if (strcasecmp(line, "Host") == 0) {
        if (++*hosts > 1) return HTTP_BAD_REQUEST;
        return is_loopback(value) ? HTTP_OK : HTTP_MISDIRECTED;
    }
    if (strcasecmp(line, "If-None-Match") == 0) q->tag = value;
    bool body = strcasecmp(line, "Transfer-Encoding") == 0 ||
                (strcasecmp(line, "Content-Length") == 0 && strcmp(value, "0") != 0);
    return body ? HTTP_BAD_REQUEST : HTTP_OK;
}

int http_read_head(char *head, size_t n, struct http_request *q)
{
    *q = (struct http_request){.path = "/", .tag = ""};
    if (n < sizeof blank_line || memchr(head, '\0', n)) return HTTP_BAD_REQUEST;
    head[n - 1] = '\0'; /* the last line end's second half: the blank line stays unread */
    char *at = head, *line = next_line(&at);
    int status = line ? read_request_line(line, q) : HTTP_BAD_REQUEST;
    unsigned hosts = 0;
    while (status == HTTP_OK && at < head + n - 2) {
        line = next_line(&at);
        status = line ? read_header(line, q, &hosts) : HTTP_BAD_REQUEST;
    }
    return status == HTTP_OK && hosts != 1 ? HTTP_BAD_REQUEST : status;
}
