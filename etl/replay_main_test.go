package etl

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// strictSchemas is a folder of schemas that no ping satisfies.
func strictSchemas(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, docType := range []string{"main", "crash", "new-profile", "update"} {
		schema := `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","required":["fromTheFuture"]}`
		if err := os.WriteFile(filepath.Join(dir, docType+".4.schema.json"), []byte(schema), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sent is a submission of the tests.
type sent struct {
	id, docType, body string
	at                time.Time
	path              string // made of the others unless set
}

var testArrival = time.Date(2018, 3, 1, 12, 0, 0, 5, time.UTC)

// newProfile is a ping that the embedded schema takes.
const newProfile = `{"type":"new-profile","version":4,"id":"6b3e5c1a-92a1-4b2f-9f0e-5f8b2c1d7e10","creationDate":"2018-03-01T11:00:00.000Z",
"clientId":"7c9c8e3a-2d9a-4b56-8a51-3f2c8a1b0c01","application":{"architecture":"x86-64","buildId":"20180301000000","name":"Firefox",
"version":"60.0","vendor":"Mozilla","platformVersion":"60.0","xpcomAbi":"x86_64-gcc3","channel":"release"},
"environment":"none","payload":{"reason":"startup"}}`

// lines are submissions as load takes them, gzipped, with an address.
func submissionLines(t testing.TB, all []sent) []byte {
	t.Helper()
	var lines bytes.Buffer
	for _, s := range all {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write([]byte(s.body)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if s.path == "" {
			s.path = fmt.Sprintf("/submit/telemetry/%s/%s/Firefox/60.0/release/20180301000000", s.id, s.docType)
		}
		fmt.Fprintf(&lines, `{"uri":%q,"timestamp":%d,"remoteAddr":"10.1.2.3","headers":{"Content-Encoding":"gzip","DNT":"1","Host":"incoming.example.com"},"body":%q}`+"\n",
			s.path, s.at.UnixNano(), base64.StdEncoding.EncodeToString(packed.Bytes()))
	}
	return lines.Bytes()
}

// loadStrictly loads submissions with the strict schemas and without a check
// for duplicates.
func loadStrictly(t testing.TB, s *site.Site, schemas string, all []sent) {
	t.Helper()
	loadWith(t, s, ingest.Config{Schemas: schemas}, all)
}

func loadWith(t testing.TB, s *site.Site, c ingest.Config, all []sent) {
	t.Helper()
	if _, err := Load(context.Background(), s, bytes.NewReader(submissionLines(t, all)), LoadOptions{Decode: c}); err != nil {
		t.Fatal(err)
	}
}

func mustReplay(t testing.TB, s *site.Site, o ReplayOptions) Replayed {
	t.Helper()
	r, err := Replay(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pingsOf are all pings of an archive with their metadata, sorted.
func pingsOf(t testing.TB, b store.Bucket) (all []string) {
	t.Helper()
	days, err := archive.Days(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range days {
		d, err := archive.OpenDay(context.Background(), b, i.Day, i.DocType)
		if err != nil {
			t.Fatal(err)
		}
		for p, err := range d.Pings(context.Background(), 0, 100) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(i.Day)+string(p.Meta.AppendJSON(nil))+string(p.Body))
		}
	}
	slices.Sort(all)
	return all
}

// errorsOf are the rejected submissions as day, class and message, sorted.
func errorsOf(t testing.TB, b store.Bucket) (all []string) {
	t.Helper()
	days, err := archive.ErrorDays(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range days {
		e, err := archive.OpenErrors(context.Background(), b, i.Day)
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range e.All(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%s %s: %s", i.Day, r.Class, r.Message))
		}
	}
	slices.Sort(all)
	return all
}

// objects are the names of all objects of a bucket.
func objects(t testing.TB, b store.Bucket) (all []string) {
	t.Helper()
	for e, err := range b.List(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(e.Name, " ", e.Size))
	}
	return all
}

// aFewDays are submissions of three days, as many as n.
func aFewDays(n int) (all []sent) {
	for i := range n {
		all = append(all, sent{
			id: fmt.Sprintf("00000000-0000-4000-8000-%012x", i), docType: "new-profile", body: newProfile,
			at: testArrival.Add(time.Duration(i*i) * time.Minute),
		})
	}
	return all
}
