package forget

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	one   = "0a1b2c3d-0000-4000-8000-00000000aaaa"
	two   = "0a1b2c3d-0000-4000-8000-00000000bbbb"
	other = "0a1b2c3d-0000-4000-8000-00000000cccc"
	odd   = "client:17"
)

func setOf(t *testing.T, removedIDs, pending []string) *Set {
	t.Helper()
	at := time.Date(2018, 3, 1, 12, 0, 0, 0, time.UTC)
	var removed []Client
	for _, id := range removedIDs {
		removed = append(removed, Client{Hash: HashOf([]byte(id)), Requested: at, Removed: at.Add(time.Hour)})
	}
	var requests []*Request
	for _, id := range pending {
		requests = append(requests, &Request{Time: at, Clients: []string{id}})
	}
	return newSet(distinct(removed), len(removedIDs), requests)
}

func TestSetHas(t *testing.T) {
	s := setOf(t, []string{one, "gone"}, []string{two, odd, strings.ToUpper(two)})
	for id, want := range map[string]bool{
		one: true, strings.ToUpper(one): true, two: true, odd: true, "CLIENT:17": true, "gone": true,
		other: false, "": false, one[:35]: false,
	} {
		if got := s.Has([]byte(id)); got != want {
			t.Errorf("Has(%q) = %v", id, got)
		}
	}
	if all, pending := s.Len(); all != 4 || pending != 2 {
		t.Errorf("%d clients, %d pending, want 4 and 2", all, pending)
	}
	if s.Requests() != 5 {
		t.Errorf("%d requests, want 5", s.Requests())
	}
	c, ok := s.Find([]byte(one))
	if !ok || c.Removed.Sub(c.Requested) != time.Hour {
		t.Errorf("Find = %+v, %v", c, ok)
	}
}

func TestSetIn(t *testing.T) {
	s := setOf(t, []string{one}, []string{two, odd})
	for text, want := range map[string]bool{
		`{"clientId":"` + one + `"}`:        true,
		strings.ToUpper(two):                true,
		"--" + two:                          true,
		"0" + two + "0":                     true,
		"a-b-" + other + "-" + one + "-":    true,
		"is client:17 there":                true,
		other:                               false,
		"":                                  false,
		strings.Repeat("-", 100):            false,
		one[:20]:                            false,
		one[20:]:                            false,
		strings.Replace(one, "-", "_", 1):   false,
		strings.Replace(one, "0a", "0g", 1): false,
	} {
		if got := s.In([]byte(text)); got != want {
			t.Errorf("In(%q) = %v", text, got)
		}
	}
	if got := s.Redacted("rows of " + one + ", " + other + ", client:17"); got != "rows of (forgotten client), "+other+", (forgotten client)" {
		t.Errorf("redacted: %q", got)
	}
	var none *Set
	if none.Has([]byte(one)) || none.In([]byte(one)) || none.Requests() != 0 {
		t.Error("a nil set has something")
	}
}

func FuzzIn(f *testing.F) {
	f.Add("a"+one+"b", 3)
	f.Add(strings.Repeat("0a1b2c3d-", 9), 0)
	f.Fuzz(func(t *testing.T, text string, at int) {
		s := newSet(nil, 0, []*Request{{Clients: []string{one}}})
		if want := strings.Contains(strings.ToLower(text), one); s.In([]byte(text)) != want {
			t.Fatalf("In(%q) is not %v", text, want)
		}
		at = min(max(at, 0), len(text))
		if !s.In([]byte(text[:at] + strings.ToUpper(one) + text[at:])) {
			t.Fatalf("In does not find the id at %d of %q", at, text)
		}
	})
}

func FuzzRemoved(f *testing.F) {
	at := time.Unix(1_500_000_000, 0).UTC()
	f.Add((&removed{}).encode())
	f.Add((&removed{counted: 2, names: []string{"a", "b"}, clients: distinct([]Client{
		{HashOf([]byte(one)), at, at.Add(time.Hour)}, {HashOf([]byte(two)), at, at},
	})}).encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeRemoved(b)
		if err != nil {
			return
		}
		if string(r.encode()) != string(b) {
			t.Fatalf("%d bytes are read as %+v, which is written otherwise", len(b), r)
		}
	})
}

func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"format":1,"name":"x","time":"2018-03-01T00:00:00Z","source":"operator","clients":["a"]}`))
	f.Add([]byte(`{"format":1,"name":"x","clients":[""]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		q, err := parseRequest("x", b)
		if err != nil {
			return
		}
		if q.Name != "x" || len(q.Clients) == 0 {
			t.Fatalf("took %+v", q)
		}
		for _, c := range q.Clients {
			require.NoError(t, CheckClient(c))
		}
	})
}
