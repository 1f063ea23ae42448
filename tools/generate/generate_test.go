package generate

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

var update = flag.Bool("update", false, "rewrite testdata/hashes.txt")

func mustNew(t *testing.T, c Config) *Generator {
	t.Helper()
	g, err := New(c)
	require.NoError(t, err)
	return g
}

// fixedProbes do not change with the default ones.
func fixedProbes(t *testing.T) *schema.Probes {
	t.Helper()
	p, err := schema.LoadProbes("testdata/probes")
	require.NoError(t, err)
	return p
}

// TestSameBytes compares what different numbers of goroutines write with what was
// written when the hashes were recorded.
func TestSameBytes(t *testing.T) {
	const recorded = "testdata/hashes.txt"
	var got string
	for _, workers := range []int{1, 2, 5} {
		g := mustNew(t, Config{
			Seed: 1, Clients: 60, Days: 2, Damaged: 0.2, Duplicates: 0.1, NullClients: 0.05, Workers: workers, Probes: fixedProbes(t),
		})
		var submissions, pings bytes.Buffer
		if _, err := g.WriteSubmissions(&submissions, Options{Place: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := g.WritePings(&pings, Options{}); err != nil {
			t.Fatal(err)
		}
		hashes := fmt.Sprintf("submissions %x\npings %x\n", sha256.Sum256(submissions.Bytes()), sha256.Sum256(pings.Bytes()))
		if got != "" && hashes != got {
			t.Fatalf("%d goroutines write other bytes than fewer", workers)
		}
		got = hashes
	}
	if *update {
		require.NoError(t, os.WriteFile(recorded, []byte(got), 0o644))
	}
	want, err := os.ReadFile(recorded)
	require.NoError(t, err)
	if got != string(want) {
		t.Errorf("the bytes have changed; if that is meant, run the test with -update\n got %s\nwant %s", got, want)
	}
}

func TestSeedsDiffer(t *testing.T) {
	first := func(seed uint64) []byte {
		for s := range mustNew(t, Config{Seed: seed, Clients: 20, Workers: 1}).Submissions() {
			return slices.Clone(s.Document)
		}
		return nil
	}
	if bytes.Equal(first(1), first(2)) {
		t.Error("two seeds give the same document")
	}
}

// TestExpectation compares what is planned with what is written.
func TestExpectation(t *testing.T) {
	g := mustNew(t, Config{Seed: 4, Clients: 200, Damaged: 0.3, Duplicates: 0.1, MeanBytes: 16_000})
	want := g.Expect()
	var written bytes.Buffer
	got, err := g.WritePings(&written, Options{})
	require.NoError(t, err)
	if got.Bytes == 0 {
		t.Error("no bytes are counted")
	}
	got.Bytes = 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("written and expected differ\n got %+v\nwant %+v", got, want)
	}
	if lines := int64(bytes.Count(written.Bytes(), []byte{'\n'})); lines != want.Accepted("", "") {
		t.Errorf("%d lines are written, %d pings accepted", lines, want.Accepted("", ""))
	}
	var sum int64
	for _, group := range want.Sorted() {
		sum += want.Groups[group]
	}
	rejected := want.Rejected["uri"] + want.Rejected["json"]
	if sum+rejected+want.Duplicates != want.Submissions {
		t.Errorf("%d accepted, %d rejected and %d duplicates are not %d submissions", sum, rejected, want.Duplicates, want.Submissions)
	}
	if want.Accepted("20180302", "main") == 0 || want.Accepted("20180304", "") != 0 {
		t.Errorf("accepted pings are on other days than configured: %v", want.Groups)
	}
	for share, n := range map[float64]int64{0.3: want.Damaged, 0.1: want.Duplicates} {
		if got := float64(n) / float64(want.Submissions); got < share-0.05 || got > share+0.05 {
			t.Errorf("a share of %.2f instead of %.2f", got, share)
		}
	}
}

func TestNothingIsDamagedIfNoneShallBe(t *testing.T) {
	g := mustNew(t, Config{Clients: 100, Damaged: -1, Duplicates: -1, NullClients: -1})
	if s := g.Expect(); s.Damaged != 0 || s.Duplicates != 0 || s.Accepted("", "") != s.Submissions {
		t.Errorf("%+v", s)
	}
}

// TestStopEarly leaves no goroutine behind: the bubble would wait for it.
func TestStopEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		for range mustNew(t, Config{Clients: 100, Workers: 3}).Submissions() {
			if n++; n == 7 {
				break
			}
		}
	})
}

func TestArrival(t *testing.T) {
	g := mustNew(t, Config{Seed: 2, Clients: 150, Start: "20180310", Days: 2, MeanBytes: 16_000, Workers: 2})
	last := g.from
	for s := range g.Submissions() {
		if s.Timestamp < last || s.Timestamp >= g.to {
			t.Fatalf("a submission arrives at %d, after %d and before %d", s.Timestamp, last, g.to)
		}
		last = s.Timestamp
		if s.Fate == Accepted && !json.Valid(s.Document) {
			t.Fatalf("a %s ping is not JSON", s.DocType)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	empty := &schema.Probes{}
	for want, c := range map[string]Config{
		"clients is -1":      {Clients: -1},
		"days is 100000":     {Days: 100_000},
		"mean bytes is 7":    {MeanBytes: 7},
		"workers is -3":      {Workers: -3},
		"share of damaged":   {Damaged: 1},
		"share of null":      {NullClients: 2},
		`start "2018-03-01"`: {Start: "2018-03-01"},
		`start "19690101"`:   {Start: "19690101"},
		"no histogram":       {Probes: empty},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "configure generator: ") {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	c := mustNew(t, Config{Seed: 3}).config
	if c.Clients != DefaultClients || c.Start != DefaultStart || c.Damaged != DefaultDamaged || c.Workers < 1 {
		t.Errorf("defaults are not filled in: %+v", c)
	}
}
