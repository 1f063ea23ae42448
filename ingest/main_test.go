package ingest

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

// The addresses of the test database.
const (
	milton  = "216.160.83.56" // Milton, Washington, US
	berlin  = "217.65.48.7"   // city and two subdivisions
	nowhere = "81.2.69.142"   // a record without country, city or subdivisions
	london6 = "2001:218::1"
)

// writeGeo makes a city database and returns its path.
func writeGeo(t testing.TB) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "GeoLite2-City", RecordSize: 24})
	require.NoError(t, err)
	records := map[string]mmdbtype.Map{
		milton + "/32":  record("US", "Milton", 5803556, "WA"),
		berlin + "/32":  record("DE", "Berlin", 2950159, "BE", "XX"),
		nowhere + "/32": {"continent": mmdbtype.Map{"code": mmdbtype.String("EU")}},
		london6 + "/64": record("GB", "London", 2643743, "ENG", "LND"),
	}
	for network, rec := range records {
		_, n, err := net.ParseCIDR(network)
		require.NoError(t, err)
		require.NoError(t, tree.Insert(n, rec))
	}
	path := filepath.Join(t.TempDir(), "city.mmdb")
	f, err := os.Create(path)
	require.NoError(t, err)
	if _, err := tree.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, f.Close())
	return path
}

func record(country, city string, id uint32, subdivisions ...string) mmdbtype.Map {
	var subs mmdbtype.Slice
	for _, s := range subdivisions {
		subs = append(subs, mmdbtype.Map{"iso_code": mmdbtype.String(s)})
	}
	return mmdbtype.Map{
		"country": mmdbtype.Map{"iso_code": mmdbtype.String(country)},
		"city": mmdbtype.Map{
			"geoname_id": mmdbtype.Uint32(id),
			"names":      mmdbtype.Map{"en": mmdbtype.String(city), "de": mmdbtype.String("?")},
		},
		"subdivisions": subs,
	}
}

// writeFile writes a file into a new folder and returns its path.
func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func newDecoder(t testing.TB, c Config) *Decoder {
	t.Helper()
	d, err := New(c)
	require.NoError(t, err)
	return d
}

// readCase reads a JSON file of testdata, gzipped or not, with exact numbers.
func readCase(t testing.TB, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(b))
		require.NoError(t, err)
		if b, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func glob(t testing.TB, patterns ...string) []string {
	t.Helper()
	var all []string
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		require.NoError(t, err)
		all = append(all, files...)
	}
	return all
}

func gzipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

// member returns a metadata member as text, nil when it is absent.
func member(m *ping.Meta, f ping.MetaField) any {
	if f.IsInt() {
		if v, ok := m.Int(f); ok {
			return v
		}
		return nil
	}
	if t := m.Text(f); t != nil {
		return string(t)
	}
	return nil
}
