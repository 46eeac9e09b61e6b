#!/bin/bash
# The page of plumb report in a browser: the state in its address, points beside each other, the history of the best, sentences
# (tests/data/report/driver_state.js); a served page that follows a sweep (driver_live.js).
set -u
plumb=$(realpath "${PLUMB:-build/plumb}")
work=$(mktemp -d)
serving=
trap '[ -n "$serving" ] && kill $serving 2> /dev/null; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
source "$(dirname "${BASH_SOURCE[0]}")/browser.bash"
source "$(dirname "${BASH_SOURCE[0]}")/small_auto.bash"
drive "$work/auto.html" driver_state.js 1400 '' \
    'y=energy_mj.total&x=cycles&scale-y=log&program=b&filter=l1.kb%3E%3D16&point=4&baseline=1&beside=2&beside=3&sort=-cycles&theme=dark'

# The live page as plumb serves it, by a server that changes the data after some requests, then breaks, then ends.
for values in '64, 128' '64, 128, 256'; do
    printf 'machine = "rx540"; workloads = ( "a.cfg" ); axes = ( { path = "l2.bank_kb"; values = [%s]; } ); output = "r.db";\n' "$values" > "$work/s.cfg"
    "$plumb" sweep run "$work/s.cfg" --db "$work/r.db" -q || exit 1
    : > "$work/said"
    "$plumb" report "$work/r.db" --serve 0 2> "$work/said" &
    serving=$!
    for _ in $(seq 100); do
        address=$(grep -o 'http://127.0.0.1:[0-9]*/' "$work/said") && break
        sleep 0.1
    done
    python3 -c 'import sys, urllib.request as u
for name in sys.argv[2:]: open(name, "wb").write(u.urlopen(sys.argv[1] + ("data.json" if name.endswith(".json") else "")).read())' \
        "$address" "$work/live.html" "$work/data-${values//[^,]/}.json" || fail 'the page as it is served'
    kill $serving
    wait $serving
    serving=
    sleep 1.1
done
cat > "$work/stand-in.py" << 'END'
import http.server, sys
work, asked = sys.argv[1], 0
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global asked
        if self.path != "/data.json":
            return self.answer(200, "text/html; charset=utf-8", open(f"{work}/driven.html", "rb").read())
        asked += 1
        version = "," if asked < 4 else ",,"
        if asked == 14:
            self.server.socket.close()
        if asked >= 12:
            return self.answer(503, "text/plain; charset=utf-8", b"r.db: broken <b>")
        if self.headers["If-None-Match"] == f'"{version}"':
            return self.answer(304, "application/json", b"")
        self.answer(200, "application/json", open(f"{work}/data-{version}.json", "rb").read(), f'"{version}"')
    def answer(self, status, kind, body, tag=""):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
while asked < 14:
    server.handle_request()
END
python3 "$work/stand-in.py" "$work" > "$work/port" 2> /dev/null &
serving=$!
for _ in $(seq 100); do
    [ -s "$work/port" ] && break
    sleep 0.1
done
drive "$work/live.html" driver_live.js 1400 '' '' "http://127.0.0.1:$(cat "$work/port")/"
exit $((failed > 0))
