package generate_test

import (
	"bufio"
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate"
)

// TestIngestionMakesOfSubmissionsWhatIsExpected decodes a population in which
// every sort of damage is frequent.
func TestIngestionMakesOfSubmissionsWhatIsExpected(t *testing.T) {
	for name, gzip := range map[string]bool{"plain": false, "gzip": true} {
		t.Run(name, func(t *testing.T) {
			g, err := generate.New(generate.Config{
				Seed: 11, Clients: 900, Days: 2, Damaged: 0.35, Duplicates: 0.1, NullClients: 0.05, MeanBytes: 24_000, Gzip: gzip,
			})
			require.NoError(t, err)
			var lines bytes.Buffer
			if _, err := g.WriteSubmissions(&lines, generate.Options{Place: true}); err != nil {
				t.Fatal(err)
			}
			compareOutcomes(t, g, &lines)
		})
	}
}

func compareOutcomes(t *testing.T, g *generate.Generator, lines *bytes.Buffer) {
	t.Helper()
	d, err := ingest.New(ingest.DefaultConfig())
	require.NoError(t, err)
	fates := map[generate.Fate]ingest.Kind{
		generate.Accepted: ingest.Ping, generate.Duplicate: ingest.Duplicate, generate.Rejected: ingest.Error,
	}
	in := bufio.NewReader(lines)
	var sub ingest.Submission
	var out ingest.Outcome
	counts := map[string]int{}
	for s := range g.Submissions() {
		line, err := in.ReadBytes('\n')
		require.NoError(t, err)
		d.DecodeLine(line, &sub, &out)
		counts[s.Odd]++
		if out.Kind != fates[s.Fate] || out.Class != s.Class {
			t.Errorf("%s ping, odd %q: outcome %s %s %s, want fate %d %s", s.DocType, s.Odd, out.Kind, out.Class, out.Message, s.Fate, s.Class)
			continue
		}
		if s.Fate != generate.Accepted {
			continue
		}
		if got, want := out.Meta.AppendJSON(nil), s.Meta.AppendJSON(nil); !bytes.Equal(got, want) {
			t.Errorf("%s ping, odd %q: metadata differ\n got %s\nwant %s", s.DocType, s.Odd, got, want)
		}
		if !bytes.Equal(out.Body, s.Document) {
			t.Errorf("%s ping, odd %q: the document differs", s.DocType, s.Odd)
		}
	}
	if len(counts) < 46 {
		t.Errorf("only %d sorts of damage were met: %v", len(counts), counts)
	}
}

// TestPlaces looks up the places of clients as a geo database made of them would.
func TestPlaces(t *testing.T) {
	g, err := generate.New(generate.Config{Seed: 3, Clients: 400, Days: 1, MeanBytes: 16_000})
	require.NoError(t, err)
	for s := range g.Submissions() {
		if s.Fate != generate.Accepted {
			continue
		}
		address := []byte(s.RemoteAddr)
		if f, ok := s.Header("X-Forwarded-For"); ok {
			address, _ = ingest.ForwardedAddress([]byte(f))
		}
		country, city := lookUp(t, string(address))
		if got := string(s.Meta.Text(ping.GeoCountry)); got != country {
			t.Fatalf("address %s is in %s, but the metadata say %s", address, country, got)
		}
		if got := string(s.Meta.Text(ping.GeoCity)); got != city {
			t.Fatalf("address %s is in %s, but the metadata say %s", address, city, got)
		}
	}
}

// TestDuplicatesComeSoon keeps them in the window in which they are recognised.
func TestDuplicatesComeSoon(t *testing.T) {
	g, err := generate.New(generate.Config{Seed: 5, Clients: 300, Days: 3, Duplicates: 0.2, MeanBytes: 16_000})
	require.NoError(t, err)
	first := map[string]int64{}
	var again int
	for s := range g.Submissions() {
		at, seen := first[string(s.URI)]
		switch {
		case s.Fate == generate.Duplicate && !seen:
			t.Fatalf("%s is a duplicate of nothing", s.URI)
		case s.Fate == generate.Duplicate && s.Timestamp-at > int64(ingest.DefaultDuplicateWindow-time.Hour):
			t.Fatalf("%s comes again after %s", s.URI, time.Duration(s.Timestamp-at))
		case s.Fate == generate.Accepted && seen:
			t.Fatalf("%s came before, but is no duplicate", s.URI)
		}
		first[string(s.URI)] = s.Timestamp
		if seen {
			again++
		}
	}
	if again < 100 {
		t.Fatalf("only %d duplicates", again)
	}
}
