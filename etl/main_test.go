package etl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

const testDay = "20180301"

// testPings puts a small day of main and crash pings into an archive.
func testPings(t testing.TB, b store.Bucket, seed uint64, n int) {
	t.Helper()
	w, err := archive.NewWriter(context.Background(), b, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	start, err := job.ParseDay(testDay)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		var m ping.Meta
		m.SetString(ping.DocumentID, fmt.Sprintf("%08x-0000-4000-8000-%012x", seed, i))
		m.SetString(ping.SubmissionDate, testDay)
		m.SetString(ping.AppName, "Firefox")
		m.SetString(ping.SourceVersion, "4")
		m.SetInt(ping.Timestamp, start.UnixNano()+r.Int64N(int64(24*time.Hour)))
		docType := "main"
		if i%10 == 9 {
			docType = "crash"
		}
		m.SetString(ping.DocTypeField, docType)
		if i%50 != 0 {
			id := fmt.Sprintf("client-%d", r.IntN(n/3+1))
			m.SetString(ping.ClientID, id)
			m.SetInt(ping.SampleID, ping.SampleOf([]byte(id)))
		}
		body := testBody(r, docType)
		if i%97 == 96 {
			body = `[]` // never a row: not an object
		}
		if err := w.Append(&m, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(context.Background(), fmt.Sprintf("load%016x", seed)); err != nil {
		t.Fatal(err)
	}
}

func testBody(r *rand.Rand, docType string) string {
	if docType == "crash" {
		return `{"version":4,"payload":{"crashDate":"2018-03-01","metadata":{"a":"b"}},"application":{"name":"Firefox"}}`
	}
	var addons []string
	for i := range r.IntN(3) {
		addons = append(addons, fmt.Sprintf(`"addon%d@example.com":{"name":"A","isSystem":true}`, i))
	}
	return fmt.Sprintf(`{"version":4,"environment":{"addons":{"activeAddons":{%s}},"settings":{"locale":"de"}},
"payload":{"info":{"subsessionLength":%d,"subsessionCounter":%d},"keyedHistograms":{"SEARCH_COUNTS":{"google.urlbar":{"sum":%d}}},
"histograms":{"GC_MAX_PAUSE_MS_2":{"values":{"1":2,"%d":1}}}}}`,
		strings.Join(addons, ","), r.IntN(5000), 1+r.IntN(3), r.IntN(4), 100+r.IntN(900))
}

// memorySite is an installation in memory, with a ledger in a file.
func memorySite(t testing.TB, archive store.Bucket) *site.Site {
	t.Helper()
	s, err := site.Open(context.Background(), filepath.Join(t.TempDir(), "site"), probes(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Archive = archive
	for root := range s.Roots {
		s.Roots[root] = store.NewMemory()
	}
	return s
}

func loadProbes() (*schema.Probes, error) { return schema.LoadProbes("") }

func probes(t testing.TB) *schema.Probes {
	t.Helper()
	p, err := loadProbes()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var allTables = []string{
	"main_summary", "addons", "clients_daily", "search_clients_daily", "crash_summary",
	"telemetry_new_profile_parquet", "telemetry_update_parquet",
}

// contents is the hash of every object of the lake, by root and name.
func contents(t testing.TB, s *site.Site) map[string]string {
	t.Helper()
	all := map[string]string{}
	for root, b := range s.Roots {
		for e, err := range b.List(context.Background(), "") {
			if err != nil {
				t.Fatal(err)
			}
			data, err := store.ReadFile(context.Background(), b, e.Name)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(data)
			all[root.String()+"/"+e.Name] = hex.EncodeToString(sum[:])
		}
	}
	return all
}

func sameContents(t testing.TB, got, want map[string]string) {
	t.Helper()
	for name, sum := range want {
		if got[name] != sum {
			t.Errorf("%s: %q, want %q", name, got[name], sum)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: should not be there", name)
		}
	}
}

func mustRun(t testing.TB, s *site.Site, o RunOptions) job.Report {
	t.Helper()
	if o.Days == nil {
		o.Days = []string{testDay}
	}
	o.Now = time.Now
	r, err := Run(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
