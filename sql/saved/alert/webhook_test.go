package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
)

var (
	at     = time.Date(2018, 3, 2, 7, 0, 0, 0, time.UTC)
	notice = Notice{Event: Alert, Saved: Saved{"abc", "Actives ä", "https://pings.example.org/saved/abc"}, Planned: at, At: at,
		Condition: "rows > 3", Rows: 4, Value: 12.5}
)

// sender allows hosts, and counts how often it waits.
func sender(private bool, waits *[]time.Duration, hosts ...string) *Sender {
	return New(Config{Hosts: hosts, Private: private,
		Clock: clock.Clock{Now: func() time.Time { return at }, Wait: func(_ context.Context, d time.Duration) error {
			if waits != nil {
				*waits = append(*waits, d)
			}
			return nil
		}}})
}

// TestWebhook: the signature proves the sender and the unchanged content to the receiver.
func TestWebhook(t *testing.T) {
	var got Notice
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get(SignatureHeader) != Sign("secret", r.Header.Get(TimeHeader), body) ||
			r.Header.Get(TimeHeader) != fmt.Sprint(at.Unix()) || json.Unmarshal(body, &got) != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	defer server.Close()
	s := sender(true, nil, server.URL)
	require.Equal(t, []string{"webhook"}, s.Kinds())
	require.NoError(t, s.Send(t.Context(), Target{Kind: "webhook", To: server.URL + "/x?y=1"}, "secret", notice))
	require.Equal(t, notice, got)
	require.ErrorContains(t, s.Send(t.Context(), Target{Kind: "webhook", To: server.URL}, "other", notice), "answered 400")
}

// TestTries: what may pass is tried again, what will not is not, and nothing follows a redirect.
func TestTries(t *testing.T) {
	var answers []int
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/elsewhere")
		if requests++; r.URL.Path != "/hook" {
			t.Error("a redirect was followed")
		}
		code := answers[0]
		answers = answers[1:]
		w.WriteHeader(code)
	}))
	defer server.Close()
	for _, c := range []struct {
		answers []int
		waits   int
		want    string
	}{
		{[]int{503, 429, 204}, 2, ""},
		{[]int{500, 500, 502}, 2, "answered 502"},
		{[]int{404}, 0, "answered 404"},
		{[]int{307}, 0, "redirects are not followed"},
	} {
		var waits []time.Duration
		answers = c.answers
		err := sender(true, &waits, server.URL).Send(t.Context(), Target{Kind: "webhook", To: server.URL + "/hook"}, "s", notice)
		require.Equal(t, c.want == "", err == nil, c)
		if err != nil {
			require.ErrorContains(t, err, c.want)
		}
		require.Len(t, waits, c.waits)
		require.Empty(t, answers)
	}
	dead := httptest.NewServer(nil)
	dead.Close()
	err := sender(true, nil, dead.URL).Send(t.Context(), Target{Kind: "webhook", To: dead.URL}, "s", notice)
	require.EqualError(t, err, "the webhook could not be reached")
	require.Error(t, errors.Unwrap(err))
	err = sender(true, nil, "nowhere.invalid").Send(t.Context(), Target{Kind: "webhook", To: "https://nowhere.invalid/"}, "s", notice)
	require.ErrorContains(t, err, "the ") // found or not depends on the resolver, reached it is not
}

// TestInside: nothing inside the network is asked, whatever its name, unless the configuration says so.
func TestInside(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"} {
		origin := "http://" + host + ":" + port
		err := sender(false, nil, origin).Send(t.Context(), Target{Kind: "webhook", To: origin}, "s", notice)
		require.Error(t, err, host)
		if host != "[::1]" {
			require.ErrorContains(t, err, "not public", host)
		}
	}
	for address, want := range map[string]bool{
		"93.184.216.34": true, "[2606:2800:220:1:248:1893:25c8:1946]": true, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false,
		"100.64.0.1":      false, "0.0.0.0": false, "255.255.255.255": false, "224.0.0.1": false, "[fd00::1]": false, "[fe80::1%eth0]": false,
		"[::]":             false,
		"[64:ff9b::a00:1]": false, "[::ffff:10.0.0.1]": false, "[2002:a00:1::]": false, "198.18.0.1": false, "unix": false,
	} {
		require.Equal(t, want, public(address+":443") == nil, address)
	}
}

// TestAllowed: only the hosts of the configuration, with scheme and port as it has them.
func TestAllowed(t *testing.T) {
	s := sender(false, nil, "hook.example.org", "*.example.net", "b.example.com:8443", "http://plain.example.com", "http://127.0.0.1:9",
		"[2001:db8::1]")
	for to, want := range map[string]bool{
		"https://hook.example.org/a?b": true, "https://HOOK.example.org.": true, "https://hook.example.org:443": false,
		"http://hook.example.org": false, "https://x.hook.example.org": false,
		"https://a.example.net": true, "https://a.b.example.net": true, "https://example.net": false, "https://.example.net": false,
		"https://aexample.net":        false,
		"https://b.example.com:8443/": true, "https://b.example.com/": false, "http://plain.example.com/": true,
		"https://plain.example.com/": false, "http://127.0.0.1:9/x": true,
		"https://[2001:db8::1]/": true, "https://user:pass@hook.example.org": false, "https://hook.example.org#x": false,
		"ftp://hook.example.org": false, "hook.example.org": false, "": false,
		"https://hook.example.org@evil.example": false, "https://hook.example.org\n": false,
	} {
		require.Equal(t, want, s.Check(Target{Kind: "webhook", To: to}) == nil, to)
	}
	require.ErrorContains(t, sender(true, nil).Check(Target{Kind: "webhook", To: "https://a"}), "webhook-hosts of the configuration is empty")
	require.ErrorContains(t, s.Check(Target{Kind: "pager", To: "x"}), "webhook or mail")
	require.ErrorContains(t, s.Send(t.Context(), Target{Kind: "webhook", To: "https://evil.example"}, "s", notice), "not allowed")
}
