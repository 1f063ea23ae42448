package main

import (
	"bytes"
	"context"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/tools/generate"
)

// clientAddress is one of a documentation network, in the test's database.
const clientAddress = "203.0.113.77"

// writeGeo makes a database that knows where clientAddress is.
func writeGeo(t *testing.T) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test-City", RecordSize: 24, IncludeReservedNetworks: true})
	require.NoError(t, err)
	place := mmdbtype.Map{
		"country": mmdbtype.Map{"iso_code": mmdbtype.String("CA")},
		"city":    mmdbtype.Map{"geoname_id": mmdbtype.Uint32(6077243), "names": mmdbtype.Map{"en": mmdbtype.String("Montreal")}},
	}
	require.NoError(t, tree.InsertRange(netip.MustParseAddr("203.0.113.0").AsSlice(), netip.MustParseAddr("203.0.113.255").AsSlice(), place))
	f, err := os.Create(filepath.Join(t.TempDir(), "city.mmdb"))
	require.NoError(t, err)
	defer f.Close()
	if _, err := tree.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// TestServe follows submissions through the whole service: acknowledged, with
// the place of the client and without its address, in the table while the
// server runs, in the archive when it has ended.
func TestServe(t *testing.T) {
	t.Parallel()
	s := newServer(t, filepath.Join(t.TempDir(), "data"))
	s.args = []string{"--geo", writeGeo(t), "--trusted-proxy", "127.0.0.0/8", "--publish-every", "1s"}
	s.start()
	sub := newProfile(t)
	s.post(string(sub.URI), sub.Body, sub.Headers, 200)
	s.post("/submit/telemetry/5d8ab2c1-7a55-4a0c-9d8e-6a6a2a9f2f11/main/Firefox/58.0/release/20180101000000", []byte("{"), nil, 200)
	s.post("/submit/other/main/4/5d8ab2c1-7a55-4a0c-9d8e-6a6a2a9f2f11", []byte("{}"), nil, 404)
	site := openSite(t, s.data)
	waitForRow(t, site)
	sitetest.WaitFor(t, "count of the row", func() bool { // just after it is visible
		_, text := s.page("/metrics")
		return strings.Contains(text, `pingmill_direct_rows_total{table="telemetry_new_profile_parquet"} 1`)
	})
	s.checkPage("/metrics", 200, `pingmill_submissions_total{code="200"} 2`,
		`pingmill_decoded_total{class="json",doc_type="main",outcome="error"} 1`)
	s.checkPage("/__heartbeat__", 200, `"archive": "ok"`, `"disk": "ok"`)
	sitetest.WaitFor(t, "lag of the edge in /status", func() bool { // in the archive, some time after the row
		_, text := s.page("/status")
		return strings.Contains(text, `"lagSeconds"`)
	})
	s.checkPage("/status", 200, `"table": "telemetry_new_profile_parquet"`)
	s.stop()
	text := everything(t, site)
	if n := strings.Count(text, `"geoCountry":"CA","geoCity":"Montreal"`); n != 2 {
		t.Errorf("%d of 2 submissions have their place: %s", n, text)
	}
	if strings.Contains(text, clientAddress) {
		t.Errorf("the client's address is kept: %s", text)
	}
	if !strings.Contains(text, "invalid submission") {
		t.Errorf("the rejected submission is not kept: %s", text)
	}
	if left, err := os.ReadDir(filepath.Join(s.data, "spool")); err != nil || len(left) != 4 {
		t.Errorf("the spool has %v, %v; want the floor, the identity and the locks", left, err)
	}
}

// newProfile returns an ordinary new-profile submission.
func newProfile(t *testing.T) *generate.Submission {
	t.Helper()
	g, err := generate.New(generate.Config{Seed: 8, Clients: 400, Days: 5, MeanBytes: 16_000, Gzip: true})
	require.NoError(t, err)
	for s := range g.Submissions() {
		if s.DocType == "new-profile" && s.Fate == generate.Accepted {
			own := *s
			own.URI, own.Body = bytes.Clone(s.URI), bytes.Clone(s.Body)
			own.Headers = append([]generate.Header{}, s.Headers...)
			return &own
		}
	}
	t.Fatal("the population has no new profile")
	return nil
}

// post sends a submission of clientAddress through a proxy.
func (s *server) post(path string, body []byte, headers []generate.Header, want int) {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodPost, "http://"+s.address+path, bytes.NewReader(body))
	require.NoError(s.t, err)
	for _, h := range headers {
		r.Header.Set(h.Name, h.Value)
	}
	r.Header.Set("X-Forwarded-For", "10.0.0.1, "+clientAddress)
	res, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	res.Body.Close()
	if res.StatusCode != want {
		s.t.Errorf("%s: %s, want %d", path, res.Status, want)
	}
}

// checkPage gets a page of the private listener, which has to have these texts.
func (s *server) checkPage(path string, code int, want ...string) {
	s.t.Helper()
	got, text := s.page(path)
	if got != code {
		s.t.Errorf("%s: %d, want %d: %s", path, got, code, text)
	}
	for _, w := range want {
		if !strings.Contains(text, w) {
			s.t.Errorf("%s lacks %s: %s", path, w, text)
		}
	}
}

func openSite(t *testing.T, data string) *site.Site {
	t.Helper()
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	site, err := site.Open(context.Background(), data, schema.NewSet(p))
	require.NoError(t, err)
	t.Cleanup(func() { site.Close() })
	return site
}

// waitForRow waits until the new profile is in its table, which it is before it
// is in the archive.
func waitForRow(t *testing.T, site *site.Site) {
	t.Helper()
	table, err := site.Table(site.Direct()[0])
	require.NoError(t, err)
	sitetest.WaitFor(t, "row of the new profile", func() bool {
		all, err := table.Partitions(context.Background())
		require.NoError(t, err)
		return len(all) == 1 && all[0].Rows == 1
	})
}

// everything returns the archived pings and rejected submissions, but
// for their bodies.
func everything(t *testing.T, site *site.Site) string {
	t.Helper()
	var text []byte
	ctx := context.Background()
	days, err := archive.Days(ctx, site.Archive)
	require.NoError(t, err)
	for _, d := range days {
		day, err := archive.OpenDay(ctx, site.Archive, d.Day, d.DocType)
		require.NoError(t, err)
		for m, err := range day.Metas(ctx) {
			require.NoError(t, err)
			text = append(m.AppendJSON(text), '\n')
		}
	}
	days, err = archive.ErrorDays(ctx, site.Archive)
	require.NoError(t, err)
	for _, d := range days {
		text = appendErrors(t, text, site, d.Day)
	}
	return string(text)
}

func appendErrors(t *testing.T, text []byte, site *site.Site, day ping.Day) []byte {
	t.Helper()
	e, err := archive.OpenErrors(context.Background(), site.Archive, day)
	require.NoError(t, err)
	for r, err := range e.All(context.Background()) {
		require.NoError(t, err)
		text = append(r.Meta.AppendJSON(text), r.Class+" "+r.Message+" "+r.Path...)
		for name, value := range r.Headers {
			text = append(text, name+value...)
		}
		text = append(text, '\n')
	}
	return text
}
