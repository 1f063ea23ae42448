package ingest

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/maxmind/mmdbwriter"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

// cityDatabase returns a database that knows one address.
func cityDatabase(t *testing.T, city string) []byte {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test-" + city, RecordSize: 28, BuildEpoch: 1530403200})
	require.NoError(t, err)
	_, network, err := net.ParseCIDR(milton + "/32")
	require.NoError(t, err)
	require.NoError(t, tree.Insert(network, record("US", city, 1, "WA")))
	var out strings.Builder
	if _, err := tree.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return []byte(out.String())
}

// stamp counts the changes of the tests' files: each gets a time of its own.
var stamp atomic.Int64

// overwrite writes a file in place.
func overwrite(t *testing.T, path string, content []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, content, 0o600))
	at := time.Unix(1_600_000_000+stamp.Add(1), 0)
	require.NoError(t, os.Chtimes(path, at, at))
}

// city returns the city in which a decoder places the address.
func city(d *Decoder) string {
	var m ping.Meta
	d.geo.locate(parseAddress([]byte(milton)), &m)
	return string(m.Text(ping.GeoCity))
}

// reload reloads and compares; of an error it wants a part, "" for none.
func reload(t *testing.T, d *Decoder, step string, changed bool, want, where string) {
	t.Helper()
	got, err := d.ReloadGeo()
	if got != changed || (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, %v; want %v, %q", step, got, err, changed, want)
	}
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: the error has several lines", step)
	}
	if c := city(d); c != where {
		t.Errorf("%s: the place is %s, want %s", step, c, where)
	}
}

func TestReloadGeo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "city.mmdb")
	first, second := cityDatabase(t, "First"), cityDatabase(t, "Other")
	overwrite(t, path, first)
	d := newDecoder(t, Config{Geo: path})
	if got, want := d.GeoInfo().String(), path+" (Test-First, built 2018-07-01T00:00:00Z)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	reload(t, d, "unchanged", false, "", "First")
	overwrite(t, path, second)
	reload(t, d, "in place", true, "", "Other")
	reload(t, d, "unchanged again", false, "", "Other")
	if got := d.GeoInfo().Type; got != "Test-Other" {
		t.Errorf("type %s", got)
	}
	const stays = "; the one built 2018-07-01T00:00:00Z stays in use"
	for name, content := range map[string][]byte{
		"cut at the end": first[:len(first)-20], "cut in half": first[:len(first)/2], "cut": first[:100], "empty": nil,
		"text":         []byte("no database"),
		"damaged tree": append(make([]byte, 60), first[60:]...),
		"without tree": first[300:],
	} {
		overwrite(t, path, content)
		reload(t, d, name, false, stays, "Other")
		reload(t, d, name+" again", false, "", "Other")
	}
	require.NoError(t, os.Remove(path))
	reload(t, d, "missing", false, "reload geo database "+path+": stat ", "Other")
	reload(t, d, "still missing", false, "", "Other")
	require.NoError(t, os.Mkdir(path, 0o700))
	reload(t, d, "a folder", false, stays, "Other")
	reload(t, d, "still a folder", false, "", "Other")
	require.NoError(t, os.Remove(path))
	overwrite(t, path+".new", first)
	require.NoError(t, os.Rename(path+".new", path))
	reload(t, d, "renamed", true, "", "First")
	require.NoError(t, os.Remove(path))
	reload(t, d, "missing a second time", false, "stat ", "First")
}

func TestReloadCities(t *testing.T) {
	dir := t.TempDir()
	path, list := filepath.Join(dir, "city.mmdb"), filepath.Join(dir, "cities.txt")
	overwrite(t, path, cityDatabase(t, "First"))
	overwrite(t, list, []byte("Elsewhere\n"))
	d := newDecoder(t, Config{Geo: path, Cities: list})
	reload(t, d, "unchanged", false, "", "??")
	overwrite(t, list, []byte("First\nOther\n"))
	reload(t, d, "list", true, "", "First")
	overwrite(t, list, []byte("\n"))
	reload(t, d, "empty list", false, "reload city list "+list+": there is no city in it; the old one stays in use", "First")
	overwrite(t, path, cityDatabase(t, "Other"))
	reload(t, d, "database", true, "", "Other")
	overwrite(t, path, nil)
	overwrite(t, list, []byte("#\n"))
	reload(t, d, "both bad", false, "stays in use; reload city list ", "Other")
	overwrite(t, path, cityDatabase(t, "First"))
	overwrite(t, list, []byte("Elsewhere"))
	reload(t, d, "both good", true, "", "??")
	none := newDecoder(t, Config{})
	reload(t, none, "none", false, "", "??")
	if got := none.GeoInfo().String(); got != "none" {
		t.Error(got)
	}
}

// A file that changes while it is read is neither used nor reported.
func TestReloadWhileWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "city.mmdb")
	overwrite(t, path, []byte("old"))
	w := watched{path: path}
	if _, err := w.open(); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(){
		func() { overwrite(t, path, []byte("new")) },
		func() {
			overwrite(t, path+".new", []byte("new"))
			require.NoError(t, os.Rename(path+".new", path))
		},
	} {
		before, err := os.Stat(path)
		require.NoError(t, err)
		change()
		after, err := os.Stat(path)
		require.NoError(t, err)
		if sameFile(before, after) {
			t.Error("the change is not seen")
		}
	}
	fifo := watched{path: "/proc/self/stat"} // each read finds another size than the one it is said to have
	if _, err := os.Stat(fifo.path); err == nil {
		if changed, err := fifo.reload(func([]byte) error { t.Error("used"); return nil }); changed || err != nil {
			t.Errorf("%v, %v", changed, err)
		}
	}
}

// Decoding goes on while files come, go and are cut.
func TestReloadWhileDecoding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "city.mmdb")
	first, second := cityDatabase(t, "First"), cityDatabase(t, "Other")
	overwrite(t, path, first)
	d := newDecoder(t, Config{Geo: path})
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var out Outcome
			for !stop.Load() {
				d.Decode(&Submission{URI: []byte(testURI), Body: []byte("{}"), RemoteAddr: []byte(milton)}, &out)
				if c := string(out.Meta.Text(ping.GeoCity)); c != "First" && c != "Other" {
					t.Errorf("city %s", c)
					return
				}
				_ = d.GeoInfo()
			}
		})
	}
	for i := range 60 {
		content := [][]byte{second, first[:len(first)-30], first, nil}[i%4]
		overwrite(t, path, content)
		if changed, err := d.ReloadGeo(); changed != (i%2 == 0) || (err == nil) != (i%2 == 0) {
			t.Errorf("%d: %v, %v", i, changed, err)
		}
	}
	stop.Store(true)
	wg.Wait()
}
