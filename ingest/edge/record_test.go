package edge

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestRecords(t *testing.T) {
	loopback := netip.MustParsePrefix("127.0.0.0/8")
	for _, c := range []struct {
		name    string
		trusted []netip.Prefix
		headers []string
		want    map[string]string
	}{
		{"all", []netip.Prefix{netip.MustParsePrefix("::/0"), loopback}, []string{
			"Date: Thu, 01 Mar 2018 00:00:00 GMT", "dnt: 1", "User-Agent: pingsender/1.0", "Content-Encoding: gzip",
			"X-PINGSENDER-VERSION: 1.0", "X-Forwarded-For: 1.1.1.1,2.2.2.2", "X-Forwarded-For: 3.3.3.3", "Cookie: secret", "Authorization: secret",
		}, map[string]string{
			"Host": "edge", "Date": "Thu, 01 Mar 2018 00:00:00 GMT", "DNT": "1", "User-Agent": "pingsender/1.0", "Content-Encoding": "gzip",
			"X-PingSender-Version": "1.0", "X-Forwarded-For": "1.1.1.1,2.2.2.2, 3.3.3.3",
		}},
		{"none trusted", nil, []string{"X-Forwarded-For: 1.1.1.1"}, map[string]string{"Host": "edge"}},
		{"other trusted", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, []string{"X-Forwarded-For: 1.1.1.1"},
			map[string]string{"Host": "edge"}},
		{"repeated", nil, []string{"DNT: 0", "DNT: 1", "DNT:", "Date:"}, map[string]string{"Host": "edge", "DNT": "1", "Date": ""}},
		{"bytes", nil, []string{"User-Agent: caf\xe9 \xff"}, map[string]string{"Host": "edge", "User-Agent": "caf\xe9 \xff"}},
		{
			"long", []netip.Prefix{loopback},
			[]string{"User-Agent: " + strings.Repeat("u", 5000), "X-Forwarded-For: " + strings.Repeat("1.1.1.1, ", 500) + "9.9.9.9"},
			map[string]string{"Host": "edge", "User-Agent": strings.Repeat("u", maxValue),
				"X-Forwarded-For": (strings.Repeat("1.1.1.1, ", 500) + "9.9.9.9")[4507-maxValue:]},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := start(t, func(cfg *Config) { cfg.TrustedProxies = c.trusted })
			uri := telemetryPath + "?v=4&x=/../"
			if got := e.send(t, post(uri, "\x1f\x8b\x00body", c.headers...)); codes(t, got)[0] != 200 || !strings.HasSuffix(got, "\r\n\r\nOK\n") {
				t.Fatalf("%q", got)
			}
			all := e.stop(t)
			if len(all) != 1 {
				t.Fatalf("%d records", len(all))
			}
			r := all[0]
			if string(r.URI) != uri || string(r.RemoteAddr) != "127.0.0.1" || string(r.Body) != "\x1f\x8b\x00body" || r.Timestamp == 0 {
				t.Errorf("%q from %q with %q at %d", r.URI, r.RemoteAddr, r.Body, r.Timestamp)
			}
			if got := headersOf(r); !maps.Equal(got, c.want) || len(r.Headers) != len(c.want) {
				t.Errorf("kept %q, want %q", got, c.want)
			}
		})
	}
}

func TestAbsoluteFormKeepsThePath(t *testing.T) {
	e := start(t, nil)
	e.send(t, post("http://other:81"+genericPath+"?q", ""))
	all := e.stop(t)
	if len(all) != 1 || string(all[0].URI) != genericPath+"?q" || headersOf(all[0])["Host"] != "other:81" || all[0].Body == nil ||
		len(all[0].Body) != 0 {
		t.Fatalf("kept %+v", all)
	}
}

// TestBodies sends bodies around the sizes at which buffers grow, with their
// length and without.
func TestBodies(t *testing.T) {
	e := start(t, nil)
	missing := map[string]int{}
	for i, n := range []int{1, minBuffer - 1, minBuffer, minBuffer + 1, 20_000, firstBuffer - 1, firstBuffer, firstBuffer + 1,
		4*firstBuffer + 1, 1<<20 - 1, 1 << 20} {
		body := strings.Repeat(string(rune('a'+i)), n)
		missing[body] = 2
		got := e.send(t, post(telemetryPath, body)+
			request("POST "+telemetryPath+" HTTP/1.1", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", n, body), "Host: edge", "Transfer-Encoding: chunked"))
		if c := codes(t, got); !slices.Equal(c, []int{200, 200}) {
			t.Fatalf("%d bytes: %v", n, c)
		}
	}
	if s := e.Stats(); s.InFlight != 0 || s.Bytes == 0 {
		t.Errorf("left over: %+v", s)
	}
	for _, r := range e.stop(t) {
		if missing[string(r.Body)]--; missing[string(r.Body)] == 0 {
			delete(missing, string(r.Body))
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d bodies are missing or changed", len(missing))
	}
}
