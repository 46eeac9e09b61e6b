#!/bin/bash
# plumb report --serve: the page and the data of a database that grows; hostile, slow and many clients; a port in use.
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
work=$(mktemp -d)
served=
trap '[ -n "$served" ] && kill $served 2> /dev/null; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
for tool in jq python3; do
    command -v $tool > /dev/null || { echo "$tool is missing"; exit 77; }
done
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

printf 'generator = "stream";\nctas = 24;\nwarps_per_cta = 2;\niterations = 6;\n' > "$work/a.cfg"
sweep() { # VALUES
    cat > "$work/s.cfg" << END
machine   = "rx540";
workloads = ( "a.cfg" );
axes      = ( { path = "l2.bank_kb"; values = [$1]; } );
output    = "r.db";
END
    status "sweep of $1" 0 "$plumb" sweep run "$work/s.cfg" --db "$work/r.db" -q
}
serve() { # ARGUMENTS...: $served and $port
    "$plumb" report "$@" 2> "$work/said" &
    served=$!
    for _ in $(seq 100); do
        port=$(sed -n 's|.*http://127.0.0.1:\([0-9]*\)/.*|\1|p' "$work/said")
        [ -n "$port" ] && return
        sleep 0.1
    done
    fail "no address: $(cat "$work/said")"
    exit 1
}
sweep '64, 128'
serve "$work/r.db" --serve 0

# The clients, one question each; PORT and what the file's page holds are arguments.
cat > "$work/ask.py" << 'END'
import hashlib, json, re, socket, subprocess, sys, time, urllib.error, urllib.request
port, plumb, work = int(sys.argv[1]), sys.argv[2], sys.argv[3]

def send(request, wait=20):
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as s:
        try:
            s.sendall(request)
        except (BrokenPipeError, ConnectionResetError):
            pass
        got = b""
        try:
            while more := s.recv(65536):
                got += more
        except ConnectionResetError:
            pass
    return got

def status(request):
    words = send(request).split(b" ", 2)
    return int(words[1]) if len(words) > 2 else 0

def get(path, **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as e:
        return e.code, e.read(), e.headers

# The page holds no data and may fetch from its server alone; the data are those of the file's page.
code, page, headers = get("/")
assert code == 200 and headers["X-Frame-Options"] == "DENY" and headers["Cache-Control"] == "no-store", headers
policy = re.search(rb'Content-Security-Policy" content="([^"]*)"', page).group(1).decode()
assert "default-src 'none'" in policy and "connect-src 'self'" in policy and "unsafe" not in policy, policy
def data_of(text):
    return text.split(b'<script type="application/json" id="data">\n')[1].split(b"</script>")[0]
assert data_of(page) == b"", data_of(page)[:80]
def of_file():
    subprocess.run([plumb, "report", f"{work}/r.db", "-o", f"{work}/r.html", "-q"], check=True)
    return json.loads(data_of(open(f"{work}/r.html", "rb").read()))
code, data, headers = get("/data.json")
assert code == 200 and json.loads(data) == of_file(), code
tag = headers["ETag"]
assert get("/data.json", **{"If-None-Match": tag})[:2] == (304, b"")
assert get("/data.json", **{"If-None-Match": '"other"'})[0] == 200

# What is refused.
host = b"Host: 127.0.0.1\r\n\r\n"
for path in ("/x", "/../../etc/passwd", "/r.db", "/data.json/", "/?", "//"):
    assert status(b"GET " + path.encode() + b" HTTP/1.1\r\n" + host) == 404, path
for method in (b"POST", b"HEAD", b"PUT", b"DELETE", b"OPTIONS", b"CONNECT", b"TRACE"):
    assert status(method + b" / HTTP/1.1\r\n" + host) == 405, method
assert status(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n") == 421
assert status(b"GET / HTTP/1.1\r\n\r\n") == 400
assert status(b"GET / HTTP/1.1\r\nX: " + b"a" * 100000 + b"\r\n" + host) == 431
assert status(b"\0" * 100 + b"\r\n\r\n") == 400
assert status(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n") == 400
assert status(b"GET / HTTP/1.1\r\nContent-Length: 5\r\n" + host + b"hello") == 400

# One answer, whatever else was sent; a client that goes away in the middle does no harm.
assert send(b"GET /x HTTP/1.1\r\n" + host + b"GET /data.json HTTP/1.1\r\n" + host).count(b"HTTP/1.1 ") == 1
for request in (b"", b"GET", b"GET / HTTP/1.1\r\n" + host):
    with socket.create_connection(("127.0.0.1", port)) as s:
        s.sendall(request)

# A request byte by byte, and twelve clients that say nothing, stop no other client.
idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(12)]
slow = socket.create_connection(("127.0.0.1", port))
for byte in b"GET /data.json HTTP/1.1\r\n" + host:
    slow.sendall(bytes([byte]))
    time.sleep(0.002)
assert slow.recv(12) == b"HTTP/1.1 200"
assert get("/data.json")[0] == 200

# More than there is room for: those that have been idle for longest are dropped.
idle += [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
begin = time.monotonic()
assert get("/data.json")[0] == 200 and time.monotonic() - begin < 5
assert all(s.recv(1) == b"" for s in idle[:12])

# The data follow the database.
assert [a["values"] for a in json.loads(data)["axes"]] == [["64", "128"]]
open(f"{work}/ready", "w").close()
for _ in range(300):
    code, later, headers = get("/data.json", **{"If-None-Match": tag})
    if code == 200 and json.loads(later)["axes"][0]["values"] == ["64", "128", "256"] and json.loads(later) == of_file():
        break
    time.sleep(0.1)
else:
    raise AssertionError(f"the data do not follow: {code}")
assert headers["ETag"] != tag
END
PYTHONDONTWRITEBYTECODE=1 python3 "$work/ask.py" "$port" "$plumb" "$work" > "$work/log" 2>&1 &
asks=$!
for _ in $(seq 600); do
    [ -e "$work/ready" ] && break
    kill -0 $asks 2> /dev/null || break
    sleep 0.1
done
sleep 1.1 # sweeps are ordered by the second
sweep '64, 128, 256'
wait $asks || fail "clients: $(cat "$work/log")"

# Only this host reaches it.
if address=$(hostname -I 2> /dev/null | cut -d ' ' -f 1) && [ -n "$address" ]; then
    (exec 3<> "/dev/tcp/$address/$port") 2> /dev/null && fail "the port is open at $address"
fi

# A port in use is one line; a database that is broken meanwhile is told and shown again when it is whole.
status 'the same port again' 2 "$plumb" report "$work/r.db" --serve "$port"
"$plumb" report "$work/r.db" --serve "$port" 2>&1 | grep -q "port $port of 127.0.0.1: another program has it; name another one" ||
    fail 'a port in use: no advice'
ask() { python3 -c "import urllib.request as u, urllib.error as e
try: print(u.urlopen('http://127.0.0.1:$port/data.json').status)
except e.HTTPError as x: print(x.code, x.read().decode())"; }
cp "$work/r.db" "$work/kept.db"
sleep 1
rm -f "$work"/r.db-*
echo rubbish > "$work/r.db"
sleep 2
ask > "$work/broken"
grep -q '^503 .*r.db' "$work/broken" || fail "a broken database: $(cat "$work/broken")"
cp "$work/kept.db" "$work/r.db"
sleep 2
[ "$(ask)" = 200 ] || fail "whole again: $(ask)"

# Without a file for a connection the server waits; it does not spin.
if command -v prlimit > /dev/null; then
    spent() { awk '{ print $14 + $15 }' "/proc/$served/stat"; } # hundredths of a second
    files=$(find "/proc/$served/fd" -type l | wc -l)
    prlimit --pid "$served" --nofile="$((files + 12)):" # poll takes no fewer than its 17 sockets
    for _ in $(seq 15); do exec {fd}<> "/dev/tcp/127.0.0.1/$port"; clients+=("$fd"); done
    before=$(spent)
    sleep 2
    [ $(($(spent) - before)) -lt 100 ] || fail "without files: $(($(spent) - before)) of 200 hundredths of a second"
    prlimit --pid "$served" --nofile=256:
    for fd in "${clients[@]}"; do exec {fd}>&-; done
    [ "$(ask)" = 200 ] || fail "files again: $(ask)"
fi

# Ctrl-C ends it, with clients at the door.
exec 3<> "/dev/tcp/127.0.0.1/$port"
kill -INT $served
wait $served
ended=$?
[ $ended -eq 0 ] || fail "Ctrl-C: status $ended: $(cat "$work/said")"
exec 3>&-
served=

# What is wrong is told before a port is opened.
status 'no database' 2 "$plumb" report "$work/none.db" --serve 0
status 'a port that is none' 2 "$plumb" report "$work/r.db" --serve 70000
status 'no number' 2 "$plumb" report "$work/r.db" --serve x
status 'a page as well' 2 "$plumb" report "$work/r.db" --serve -o "$work/x.html"
status 'nothing to serve' 2 "$plumb" report --serve
exit $((failed > 0))
