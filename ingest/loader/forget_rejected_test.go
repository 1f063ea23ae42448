package loader

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestForgetRejected looks for clients in bodies that did not become pings.
func TestForgetRejected(t *testing.T) {
	s := sitetest.Local(t)
	w, err := archive.NewWriter(context.Background(), s.Archive, archive.Options{})
	require.NoError(t, err)
	packed := func(text string) []byte {
		line := string(sitetest.Lines(t, []sitetest.Sent{{Id: "x", DocType: "main", Body: text, At: sitetest.Arrival}}))
		var sub ingest.Submission
		require.NoError(t, ingest.ParseSubmission([]byte(strings.TrimSpace(line)), &sub))
		return bytes.Clone(sub.Body)
	}
	long := strings.Repeat("some more text of a ping, ", 20_000)
	cut := packed(sitetest.ClientOf(1) + long)
	bodies := map[string][]byte{
		"plain": []byte(`{"clientId":"` + sitetest.ClientOf(1)), "packed": packed(`{"clientId":"` + strings.ToUpper(sitetest.ClientOf(1)) + `"`),
		"cut": cut[:len(cut)-20],
		"far": packed(long + sitetest.ClientOf(1)), "odd": []byte(`{"clientId":"an odd id 17`),
		"other": packed(`{"clientId":"` + sitetest.ClientOf(2) + `"` + long), "bytes": {0x1f, 0x8b, 1, 2}, "empty": {},
	}
	for class, body := range bodies {
		var m ping.Meta
		m.SetInt(ping.Timestamp, sitetest.Arrival.UnixNano())
		require.NoError(t, w.AppendError(&archive.Rejected{Meta: m, Class: class, Message: "m", Body: body}))
	}
	if _, err := w.Close(context.Background(), "load"); err != nil {
		t.Fatal(err)
	}
	sitetest.AskToForget(t, s, "a", time.Now(), sitetest.ClientOf(1), "an-odd-id")
	sitetest.AskToForget(t, s, "b", time.Now(), "17")
	mustForget(t, s)
	var left []string
	for _, e := range errorsOf(t, s.Archive) {
		left = append(left, strings.TrimSuffix(strings.TrimPrefix(e, sitetest.Day+" "), ": m"))
	}
	if want := []string{"bytes", "empty", "other"}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
}

// TestForgetReplay replays what was rejected before and after its client was
// forgotten, and a request that was rejected.
func TestForgetReplay(t *testing.T) {
	s := sitetest.Local(t)
	strict := strictSchemas(t)
	all := sitetest.FromClients(4)
	loadStrictly(t, s, strict, all)
	loadStrictly(t, s, strict, []sitetest.Sent{{
		Id: "00000000-0000-4000-8000-0000000000ff", DocType: "deletion-request", At: sitetest.Arrival,
		Body: `{"clientId":"` + sitetest.ClientOf(2) + `"`,
	}})
	sitetest.AskToForget(t, s, "a", time.Now(), sitetest.ClientOf(1))
	r := mustReplay(t, s, ReplayOptions{Decode: ingest.DefaultConfig()})
	if sitetest.Mentioned(t, s, sitetest.ClientOf(1)) != 0 || sitetest.Mentioned(t, s, sitetest.ClientOf(0)) != 1 {
		t.Errorf("replayed: %+v", r)
	}
	mustForget(t, s)
	if n := len(errorsOf(t, s.Archive)); n != 1 {
		t.Errorf("%d rejected submissions are left, want the request that is no JSON", n)
	}
	days, err := replacedDays(context.Background(), s.Archive, "", "")
	if err != nil || len(days) == 0 {
		t.Errorf("days of replays: %v, %v", days, err)
	}
}
