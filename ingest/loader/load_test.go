package loader

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

const formats = "../../archive/format/testdata/"

func mustLoad(t *testing.T, s *site.Site, content []byte) Loaded {
	t.Helper()
	l, err := Load(context.Background(), s, bytes.NewReader(content), LoadOptions{Decode: ingest.DefaultConfig()})
	require.NoError(t, err)
	return l
}

// TestRealHekaFiles loads real pings and compares their main_summary rows with
// the known right one.
func TestRealHekaFiles(t *testing.T) {
	packed, err := os.ReadFile("../../table/testdata/conformance/main_summary/heka_hindsight_full_ping.json.gz")
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	var want struct{ Expect map[string]any }
	d := json.NewDecoder(z)
	d.UseNumber()
	require.NoError(t, d.Decode(&want))
	for _, name := range []string{"test_main_hindsight.heka", "test_main.snappy.heka"} {
		s := sitetest.Memory(t, store.NewMemory())
		content, err := os.ReadFile(formats + name)
		require.NoError(t, err)
		l := mustLoad(t, s, content)
		if l.Records != 1 || l.Pings != 1 || len(l.Days) != 1 {
			t.Fatalf("%s: %+v", name, l)
		}
		day := string(l.Days[0])
		etltest.Run(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{day}})
		rows := sitetest.RowsOf(t, s, "main_summary", day)
		if len(rows) != 1 {
			t.Fatalf("%s: %d rows", name, len(rows))
		}
		compared := 0
		for col, w := range want.Expect {
			got, ok := rows[0][col]
			if !ok {
				continue // of the probe definitions of the case
			}
			compared++
			if list, isList := w.([]any); isList && col == "active_addons" { // in any order
				if len(list) != len(got.([]any)) {
					t.Errorf("%s: %d add-ons", name, len(got.([]any)))
				}
				continue
			}
			if !reflect.DeepEqual(got, w) {
				t.Errorf("%s: %s is %v, want %v", name, col, got, w)
			}
		}
		if compared < 100 {
			t.Errorf("%s: only %d columns compared", name, compared)
		}
	}
}

func TestLoadTwiceChangesNothing(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	content, err := os.ReadFile(formats + "test_main_hindsight.heka")
	require.NoError(t, err)
	mustLoad(t, s, content)
	if l := mustLoad(t, s, content); !l.AlreadyLoaded {
		t.Errorf("the second load: %+v", l)
	}
}

func TestCutFilesAndOddRecords(t *testing.T) {
	content, err := os.ReadFile(formats + "test_main_hindsight.heka")
	require.NoError(t, err)
	s := sitetest.Memory(t, store.NewMemory())
	cut := append(append([]byte{}, content...), content[:len(content)/2]...)
	if l := mustLoad(t, s, cut); l.Pings != 1 || l.Errors != 1 {
		t.Errorf("a file cut inside its second record: %+v", l)
	}

	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for i := range 2000 {
		fmt.Fprintf(z, `{"meta":{"documentId":"d%d","timestamp":1519862400000000000,"docType":"main"},"ping":{"version":4}}`+"\n", i)
	}
	require.NoError(t, z.Close())
	half := packed.Bytes()[:packed.Len()/2]
	s = sitetest.Memory(t, store.NewMemory())
	_, err = Load(context.Background(), s, bytes.NewReader(half), LoadOptions{Decode: ingest.DefaultConfig()})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a gzip file that ends early: %v", err)
	}
	if days, err := archive.Days(context.Background(), s.Archive); err != nil || len(days) != 0 {
		t.Errorf("after a failed load the archive has %v, %v", days, err)
	}
	if l := mustLoad(t, s, packed.Bytes()); l.Pings != 2000 {
		t.Errorf("the whole file afterwards: %+v", l)
	}
}

// TestHostileSubmissions loads what clients should never send: each is kept
// with the reason and none stops the load.
func TestHostileSubmissions(t *testing.T) {
	pack := func(b []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		if _, err := z.Write(b); err != nil {
			t.Fatal(err)
		}
		require.NoError(t, z.Close())
		return out.Bytes()
	}
	bodies := [][]byte{
		[]byte(`{broken`), nil, []byte(`[]`), []byte("{\"a\":\"\xff\"}"),
		pack(bytes.Repeat([]byte{' '}, 200<<20)), // a bomb, and a ping of 200 MB
		[]byte(strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600)),
		pack([]byte(`{"version":4}`))[:12],
	}
	var lines bytes.Buffer
	submit := func(i int, body []byte) {
		fmt.Fprintf(&lines, `{"uri":"/submit/telemetry/d%d/main/Firefox/60.0/release/20180301000000","timestamp":1519862400000000000,"body":%q}`+
			"\n",
			i, base64.StdEncoding.EncodeToString(body))
	}
	for i, b := range bodies {
		submit(i, b)
	}
	submit(0, bodies[0]) // the same URI again
	lines.WriteString("not a record\n")
	s := sitetest.Memory(t, store.NewMemory())
	l := mustLoad(t, s, lines.Bytes())
	if want := int64(len(bodies) + 2); l.Records != want || l.Errors != want || l.Pings != 0 || l.Duplicates != 1 {
		t.Errorf("%+v", l)
	}
	classes := map[string]int{}
	for _, day := range l.Days {
		e, err := archive.OpenErrors(context.Background(), s.Archive, day)
		require.NoError(t, err)
		for r, err := range e.All(context.Background()) {
			require.NoError(t, err)
			classes[r.Class]++
		}
	}
	if classes["json"] != len(bodies) || classes["duplicate"] != 1 || classes["record"] != 1 {
		t.Errorf("classes: %v", classes)
	}
}

// TestFullDisk runs out of room while making a day again: the old version
// stays, and with room the same run ends well.
func TestFullDisk(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 8, 300)
	s := sitetest.Memory(t, pings)
	for root, b := range s.Roots {
		s.Roots[root] = storetest.NewFaults(b)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	before := sitetest.RowsOf(t, s, "main_summary", sitetest.Day)
	sitetest.Pings(t, pings, 9, 300)
	full := s.Roots[s.Tables[0].Root].(*storetest.Faults)
	full.FullAfter(20_000)
	if _, err := etl.Run(context.Background(), s,
		etl.RunOptions{Tables: sitetest.AllTables, Days: []string{sitetest.Day}, Now: time.Now}); err == nil {
		t.Fatal("a run on a full disk ends well")
	}
	if after := sitetest.RowsOf(t, s, "main_summary", sitetest.Day); !reflect.DeepEqual(after, before) {
		t.Errorf("the published rows changed: %d, had %d", len(after), len(before))
	}
	full.FullAfter(1 << 40)
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	if after := sitetest.RowsOf(t, s, "main_summary", sitetest.Day); len(after) <= len(before) {
		t.Errorf("with room there are %d rows, had %d", len(after), len(before))
	}
}

func TestUnreadableFile(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	_, err := LoadFile(context.Background(), s, "testdata/none", nil, LoadOptions{Decode: ingest.DefaultConfig()})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	l, err := LoadFile(context.Background(), s, "-",
		strings.NewReader(`{"meta":{"documentId":"d","timestamp":1519862400000000000},"ping":{"type":"main","version":4,"clientId":"a"}}`),
		LoadOptions{Decode: ingest.DefaultConfig()})
	if err != nil || l.Pings != 1 {
		t.Errorf("standard input: %+v, %v", l, err)
	}
}
