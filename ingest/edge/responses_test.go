package edge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
)

func TestResponses(t *testing.T) {
	e := start(t, func(c *Config) { c.Namespaces = []string{"telemetry", "eng"}; c.MaxBody = 1000 })
	long := strings.Repeat("x", 3000)
	chunked := func(body string) string {
		return request("POST "+telemetryPath+" HTTP/1.1", body, "Host: edge", "Transfer-Encoding: chunked")
	}
	head := func(headers ...string) string {
		return request("POST "+telemetryPath+" HTTP/1.1", "hello", append([]string{"Host: edge"}, headers...)...)
	}
	stored := 0
	for _, c := range []struct {
		name, raw string
		want      []int
	}{
		{"telemetry form", post(telemetryPath, "{}"), []int{200}},
		{"query string", post(telemetryPath+"?v=4", "{}"), []int{200}},
		{"generic form", post(genericPath, "{}"), []int{200}},
		{"other namespace", post("/submit/eng/build/1/id", "{}"), []int{200}},
		{"put", request("PUT "+telemetryPath+" HTTP/1.1", "{}", "Host: x", "Content-Length: 2"), []int{200}},
		{"absolute form", post("http://edge"+telemetryPath, "{}"), []int{200}},
		{"empty body", post(telemetryPath, ""), []int{200}},
		{"largest body", post(telemetryPath, strings.Repeat("b", 1000)), []int{200}},
		{"http/1.0", request("POST "+telemetryPath+" HTTP/1.0", "{}", "Content-Length: 2"), []int{200}},
		{"http/1.0 without length", request("POST "+telemetryPath+" HTTP/1.0", "{}"), []int{411}},
		{"pipelined", post(telemetryPath, "one") + post(telemetryPath, "two") + post(telemetryPath, "three"), []int{200, 200, 200}},
		{"line between requests", post(telemetryPath, "one") + "\r\n" + post(telemetryPath, "two"), []int{200, 200}},
		{"chunked", chunked("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n") + post(telemetryPath, "next"), []int{200, 200}},
		{"chunked with trailer", chunked("3\r\nabc\r\n0\r\nX: y\r\n\r\n") + post(telemetryPath, "next"), []int{200, 200}},
		{"chunked, empty", chunked("0\r\n\r\n"), []int{200}},
		{"chunked, too large", chunked(strings.Repeat("64\r\n"+strings.Repeat("a", 100)+"\r\n", 11) + "0\r\n\r\n"), []int{413}},
		{"chunked, cut short", chunked("3\r\nabc\r\n"), []int{400}},
		{"chunk larger than said", chunked("3\r\nabcd\r\n0\r\n\r\n"), []int{400}},
		{"chunk size not hexadecimal", chunked("3x\r\nabc\r\n0\r\n\r\n"), []int{400}},
		{"chunk size too long", chunked("0000000000000003\r\nabc\r\n0\r\n\r\n"), []int{400}},
		{"chunk size empty", chunked("\r\nabc\r\n0\r\n\r\n"), []int{400}},
		{"chunk line without return", chunked("3\nabc\r\n0\r\n\r\n"), []int{400}},
		{"endless chunk line", chunked("3;" + strings.Repeat("x", 9000)), []int{400}},
		{"endless trailer", chunked("3\r\nabc\r\n0\r\nX: " + strings.Repeat("x", 40000)), []int{400}},
		{"length and chunked", head("Content-Length: 5", "Transfer-Encoding: chunked"), []int{400}},
		{"chunked and length", head("Transfer-Encoding: chunked", "Content-Length: 5"), []int{400}},
		{"chunked twice", head("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), []int{400}},
		{"other coding", head("Transfer-Encoding: gzip, chunked"), []int{400}},
		{"coding with tricks", head("Transfer-Encoding: \x0bchunked"), []int{400}},
		{"chunked in http/1.0", request("POST "+telemetryPath+" HTTP/1.0", "0\r\n\r\n", "Transfer-Encoding: chunked"), []int{400}},
		{"two lengths", head("Content-Length: 5", "Content-Length: 6"), []int{400}},
		{"the same length twice", head("Content-Length: 5", "Content-Length: 5"), []int{400}},
		{"negative length", head("Content-Length: -5"), []int{400}},
		{"length with plus", head("Content-Length: +5"), []int{400}},
		{"length list", head("Content-Length: 5, 5"), []int{400}},
		{"huge length", head("Content-Length: 99999999999999999999"), []int{400}},
		{"empty length", head("Content-Length: "), []int{400}},
		{"name with blank", head("Content-Length : 5"), []int{400}},
		{"folded header", head("X: a", " b", "Content-Length: 5"), []int{400}},
		{"header with line feed", head("X: a\nContent-Length: 5"), []int{400}},
		{"header with return", head("X: a\rb", "Content-Length: 5"), []int{400}},
		{"header with zero byte", head("X: a\x00b", "Content-Length: 5"), []int{400}},
		{"header without colon", head("nothing", "Content-Length: 5"), []int{400}},
		{"no host", request("POST "+telemetryPath+" HTTP/1.1", "", "Content-Length: 0"), []int{400}},
		{"second request is bad", post(telemetryPath, "one") + head("Content-Length: 5", "Transfer-Encoding: chunked"), []int{200, 400}},
		{"first line with line feed", "GET /status HTTP/1.0\n\n", []int{400}},
		{"tls to a plain edge", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", []int{400}},
		{"second line with line feed", post(telemetryPath, "one") + "GET /status HTTP/1.0\n\n", []int{200, 400}},
		{"second line with return", post(telemetryPath, "one") + "GET /status\r HTTP/1.0\r\n\r\n", []int{200, 400}},
		{"second line is a line feed", post(telemetryPath, "one") + "\n", []int{200, 400}},
		{"second line is short", post(telemetryPath, "one") + "x\r\nx\n", []int{200, 400}},
		{"blank line, then a line feed", post(telemetryPath, "one") + "\r\n\n", []int{200, 400}},
		{"no length", head(), []int{411}},
		{"length too large", head("Content-Length: 1001"), []int{413}},
		{"body shorter than its length", head("Content-Length: 6"), []int{400}},
		{"large header", head("Content-Length: 5", "X: "+strings.Repeat("x", 30000)), []int{431}},
		{"large header, cut", "POST " + telemetryPath + " HTTP/1.1\r\nX: " + strings.Repeat("x", 60000), []int{431}},
		{"unknown expectation", head("Content-Length: 5", "Expect: wonders"), []int{417}},
		{"path too long", post(telemetryPath+long, "{}"), []int{414}},
		{"query too long", post(telemetryPath+"?"+long, "{}"), []int{414}},
		{"path much too long", post(telemetryPath+strings.Repeat(long, 30), "{}"), []int{414}},
		{"endless path", "POST /" + strings.Repeat(long, 30), []int{414}},
		{"endless method", strings.Repeat("x", 50000), []int{400}},
		{"no http", "hello\r\n\r\n", []int{400}},
		{"blank in path", post(telemetryPath+" x", "{}"), []int{400}},
		{"http/3.0", request("POST "+telemetryPath+" HTTP/3.0", "", "Host: x", "Content-Length: 0"), []int{505}},
		{"half a preface", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n" + post(telemetryPath, "{}"), []int{405}},
		{"invalid escape", post("/submit/telemetry/i%zz/main/Firefox/60.0/release/2018", "{}"), []int{400}},
		{"bad path", post("/submit/telemetry/../main/Firefox/60.0/release/2018", "{}"), []int{400}},
		{"unknown namespace", post("/submit/other/main/4/id", "{}"), []int{404}},
		{"other place", post("/", "{}"), []int{400}},
		{"refused with a body, then another", post("/submit/other/main/4/id", "{}") + post(telemetryPath, "{}"), []int{404, 200}},
		{"post to status", post("/status", "{}"), []int{405}},
		{"delete", request("DELETE "+telemetryPath+" HTTP/1.1", "", "Host: x"), []int{405}},
		{"delete status", request("DELETE /status HTTP/1.1", "", "Host: x"), []int{405}},
		{"options", request("OPTIONS * HTTP/1.1", "", "Host: x"), []int{405}},
		{"connect", request("CONNECT edge:80 HTTP/1.1", "", "Host: x"), []int{405}},
		{"get submit", request("GET "+telemetryPath+" HTTP/1.1", "", "Host: x"), []int{404}},
		{"get anything", request("GET / HTTP/1.1", "", "Host: x"), []int{404}},
		{"status", request("GET /status HTTP/1.1", "", "Host: x"), []int{200}},
		{"status with query", request("GET /status?x HTTP/1.1", "", "Host: x"), []int{200}},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			stream := e.send(t, c.raw)
			got := codes(t, stream)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v: %q", got, c.want, stream)
			}
			if !strings.HasPrefix(c.raw, "GET") {
				stored += strings.Count(fmt.Sprint(got), "200")
			}
		})
	}
	counted := e.Stats().Responses
	if counted[200] != int64(stored) || counted[431] != 2 || counted[505] != 1 || counted[414] != 4 {
		t.Errorf("%d were acknowledged, counted are %v", stored, counted)
	}
	if n := len(e.stop(t)); n != stored {
		t.Errorf("%d acknowledged, %d kept", stored, n)
	}
}

func TestAllowAndRetryAfter(t *testing.T) {
	var answer atomic.Value
	e := start(t, func(c *Config) {
		c.Spool = spoolFunc(func(context.Context, *spool.Record) error { return answer.Load().(error) })
	})
	for _, c := range []struct {
		err    error
		code   int
		header string
	}{
		{spool.ErrOverloaded, 503, "Retry-After"},
		{fmt.Errorf("write: %w", spool.ErrFull), 507, "Retry-After"},
		{fmt.Errorf("produce: %w", spool.ErrUnavailable), 503, "Retry-After"},
		{spool.ErrClosed, 503, "Retry-After"},
		{spool.ErrTooLarge, 413, "Connection"},
		{errors.New("input/output error"), 500, "Content-Length"},
	} {
		answer.Store(fmt.Errorf("append: %w", c.err))
		got := e.send(t, post(telemetryPath, "{}"))
		if n := codes(t, got); !slices.Equal(n, []int{c.code}) || !strings.Contains(got, "\r\n"+c.header+": ") {
			t.Errorf("%v: %q", c.err, got)
		}
	}
	for line, allow := range map[string]string{"PATCH /status": "GET, HEAD", "POST /status": "GET, HEAD",
		"TRACE " + telemetryPath: "POST, PUT"} {
		got := e.send(t, request(line+" HTTP/1.1", "", "Host: x", "Content-Length: 0"))
		if !strings.Contains(got, "\r\nAllow: "+allow+"\r\n") {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestFailuresAreLoggedOnceASecond(t *testing.T) {
	var log strings.Builder
	now := time.Unix(1e9, 0)
	var f failures
	l := slog.New(slog.NewTextHandler(&log, nil))
	for range 10 {
		f.report(l, now, telemetryPath, errors.New("disk"))
	}
	f.report(l, now.Add(time.Second), telemetryPath, errors.New("disk"))
	if got := log.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "others=9") ||
		!strings.Contains(got, "request="+telemetryPath) {
		t.Errorf("logged %q", got)
	}
}

// TestCodes compares the statuses with the documented ones.
func TestCodes(t *testing.T) {
	b, err := os.ReadFile("../../docs/edge.md")
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(b), "\n## Responses\n")
	text, _, _ = strings.Cut(text, "\nEverything that")
	var documented []int
	for _, row := range strings.Split(text, "\n") {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
		for _, code := range strings.FieldsFunc(cell, func(r rune) bool { return r < '0' || r > '9' }) {
			n, err := strconv.Atoi(code)
			require.NoError(t, err)
			documented = append(documented, n)
		}
	}
	slices.Sort(documented)
	if !slices.Equal(documented, Codes) {
		t.Errorf("the codes are %v, in docs/edge.md %v", Codes, documented)
	}
}

func TestEndpoints(t *testing.T) {
	var ill atomic.Bool
	e := start(t, func(c *Config) {
		c.Version = VersionInfo{Name: "pingmill", Version: "1.2", Commit: "abc"}
		c.Health = func(context.Context) error {
			if ill.Load() {
				return errors.New("the disk\nis full")
			}
			return nil
		}
	})
	get := func(method, path string) (int, string) {
		r, err := http.NewRequest(method, "http://"+e.addr+path, nil)
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(b)
	}
	check := func(method, path string, code int, body string) {
		t.Helper()
		if c, b := get(method, path); c != code || b != body {
			t.Errorf("%s %s: %d %q", method, path, c, b)
		}
	}
	check("GET", "/status", 200, "OK\n")
	check("GET", "/__lbheartbeat__", 200, "OK\n")
	check("GET", "/__heartbeat__", 200, "OK\n")
	check("HEAD", "/__heartbeat__", 200, "")
	check("GET", "/__version__", 200, `{"name":"pingmill","version":"1.2","commit":"abc"}`+"\n")
	ill.Store(true)
	check("GET", "/__heartbeat__", 503, "the disk is full\n")
	check("HEAD", "/__heartbeat__", 503, "")
	check("GET", "/__lbheartbeat__", 200, "OK\n")
	check("GET", "/else", 404, "not found\n")
	check("HEAD", "/else", 404, "")
}

// TestBadLineAfterAPause sends a first line that is refused when the edge waits
// for another request, whole and in two parts: each gets its 400 before the
// connection is closed.
func TestBadLineAfterAPause(t *testing.T) {
	e := start(t, nil)
	for _, parts := range [][]string{
		{"\n"}, {"x\r\n"}, {"GET /status HTTP/1.0\n\n"}, {"GET /status HTTP/1.0", "\n\n"}, {"\r\n", "\n"}, {"GET /sta", "tus\r HTTP/1.1\r\n"},
	} {
		c := e.dial(t)
		r := bufio.NewReader(c)
		for _, raw := range append([]string{post(telemetryPath, "one")}, parts[:len(parts)-1]...) {
			if _, err := io.WriteString(c, raw); err != nil {
				t.Fatal(err)
			}
			if raw == parts[0] {
				continue // no response is due
			}
			if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != 200 {
				t.Fatalf("the first request: %v", err)
			} else if _, err := io.Copy(io.Discard, res.Body); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.WriteString(c, parts[len(parts)-1]); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(r)
		if got := codes(t, string(rest)); err != nil || !slices.Equal(got, []int{400}) {
			t.Errorf("%q: responses %v, %v", parts, got, err)
		}
	}
}
