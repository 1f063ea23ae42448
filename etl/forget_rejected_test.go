package etl

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
)

// TestForgetRejected looks for clients in bodies that did not become pings.
func TestForgetRejected(t *testing.T) {
	s := localSite(t)
	w, err := archive.NewWriter(context.Background(), s.Archive, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	packed := func(text string) []byte {
		line := string(submissionLines(t, []sent{{id: "x", docType: "main", body: text, at: testArrival}}))
		var sub ingest.Submission
		if err := ingest.ParseSubmission([]byte(strings.TrimSpace(line)), &sub); err != nil {
			t.Fatal(err)
		}
		return bytes.Clone(sub.Body)
	}
	long := strings.Repeat("some more text of a ping, ", 20_000)
	cut := packed(clientOf(1) + long)
	bodies := map[string][]byte{
		"plain": []byte(`{"clientId":"` + clientOf(1)), "packed": packed(`{"clientId":"` + strings.ToUpper(clientOf(1)) + `"`),
		"cut": cut[:len(cut)-20],
		"far": packed(long + clientOf(1)), "odd": []byte(`{"clientId":"an odd id 17`),
		"other": packed(`{"clientId":"` + clientOf(2) + `"` + long), "bytes": {0x1f, 0x8b, 1, 2}, "empty": {},
	}
	for class, body := range bodies {
		var m ping.Meta
		m.SetInt(ping.Timestamp, testArrival.UnixNano())
		if err := w.AppendError(&archive.Rejected{Meta: m, Class: class, Message: "m", Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(context.Background(), "load"); err != nil {
		t.Fatal(err)
	}
	askToForget(t, s, "a", time.Now(), clientOf(1), "an-odd-id")
	askToForget(t, s, "b", time.Now(), "17")
	mustForget(t, s)
	var left []string
	for _, e := range errorsOf(t, s.Archive) {
		left = append(left, strings.TrimSuffix(strings.TrimPrefix(e, testDay+" "), ": m"))
	}
	if want := []string{"bytes", "empty", "other"}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
}

// TestForgetReplay replays what was rejected before and after its client was
// forgotten, and a request that was rejected.
func TestForgetReplay(t *testing.T) {
	s := localSite(t)
	strict := strictSchemas(t)
	all := fromClients(4)
	loadStrictly(t, s, strict, all)
	loadStrictly(t, s, strict, []sent{{
		id: "00000000-0000-4000-8000-0000000000ff", docType: "deletion-request", at: testArrival, body: `{"clientId":"` + clientOf(2) + `"`,
	}})
	askToForget(t, s, "a", time.Now(), clientOf(1))
	r := mustReplay(t, s, ReplayOptions{Decode: ingest.DefaultConfig()})
	if mentioned(t, s, clientOf(1)) != 0 || mentioned(t, s, clientOf(0)) != 1 {
		t.Errorf("replayed: %+v", r)
	}
	mustForget(t, s)
	if n := len(errorsOf(t, s.Archive)); n != 1 {
		t.Errorf("%d rejected submissions are left, want the request that is no JSON", n)
	}
	days, err := replacedDays(context.Background(), s, "", "")
	if err != nil || len(days) == 0 {
		t.Errorf("days of replays: %v, %v", days, err)
	}
}
