package ingest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

func TestLocate(t *testing.T) {
	path := writeGeo(t)
	all := newDecoder(t, Config{Geo: path})
	some := newDecoder(t, Config{Geo: path,
		Cities: writeFile(t, "cities15000.txt", "# big ones\n\n2950159\tBerlin\tBerlin\tBerlim,Berlin\n Milton \n")})
	none := newDecoder(t, Config{})
	for _, c := range []struct {
		d                 *Decoder
		forwarded, remote string
		want              string
	}{
		{all, "", milton, "US Milton WA -"},
		{all, "", milton + ":4711", "US Milton WA -"},
		{all, "", "::ffff:" + milton, "US Milton WA -"},
		{all, "", "[::ffff:" + milton + "]:4711", "US Milton WA -"},
		{all, "", berlin, "DE Berlin BE XX"},
		{all, "", london6, "GB London ENG LND"},
		{all, "", "[" + london6 + "%eth0]:80", "GB London ENG LND"},
		{all, "", nowhere, "?? ?? - -"},
		{all, "", "127.0.0.1", "?? ?? - -"},
		{all, "", "", "?? ?? - -"},
		{all, "", "client.example", "?? ?? - -"},
		{all, milton, "", "US Milton WA -"},
		{all, berlin + ", 127.0.0.1,  " + milton, berlin, "US Milton WA -"},
		{all, milton + ", x", berlin, "?? ?? - -"},
		{all, milton + ",", berlin, "DE Berlin BE XX"},
		{some, "", berlin, "DE Berlin BE XX"},
		{some, "", milton, "US Milton WA -"},
		{some, "", london6, "GB ?? ENG LND"},
		{none, "", milton, "?? ?? - -"},
	} {
		s := Submission{RemoteAddr: []byte(c.remote)}
		if c.forwarded != "" {
			s.Headers.Set(ForwardedFor, []byte(c.forwarded))
		}
		var m ping.Meta
		c.d.geo.locate(address(&s), &m)
		if got := places(&m); got != c.want {
			t.Errorf("%q, %q: got %s, want %s", c.forwarded, c.remote, got, c.want)
		}
	}
}

func places(m *ping.Meta) string {
	var all []string
	for _, f := range []ping.MetaField{ping.GeoCountry, ping.GeoCity, ping.GeoSubdivision1, ping.GeoSubdivision2} {
		text := "-"
		if b := m.Text(f); b != nil {
			text = string(b)
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func TestGeoErrors(t *testing.T) {
	good, err := os.ReadFile(writeGeo(t))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"no database":  {Config{Geo: "/nowhere/city.mmdb"}, "open geo database /nowhere/city.mmdb: "},
		"cut database": {Config{Geo: writeFile(t, "city.mmdb", string(good[:len(good)/2]))}, "open geo database "},
		"no list":      {Config{Cities: "/nowhere/cities.txt"}, "read city list: "},
		"empty list":   {Config{Cities: writeFile(t, "cities.txt", "\n# none\n")}, "there is no city in it"},
		"long line":    {Config{Cities: writeFile(t, "cities.txt", strings.Repeat("x", 2<<20))}, "read city list "},
		"window":       {Config{DuplicateWindow: -1}, "the duplicate window -1ns is negative"},
		"bound":        {Config{MaxBody: -1}, "the bound of a body, -1 bytes, is negative"},
	} {
		if _, err := New(c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// A database whose records have other types is no reason to lose a ping.
func TestGeoOddRecords(t *testing.T) {
	good, err := os.ReadFile(writeGeo(t))
	require.NoError(t, err)
	odd := strings.ReplaceAll(string(good), "\x42US", "\xa2\x00\x01") // the country code becomes a number
	if odd == string(good) {
		t.Fatal("the country code is not in the database as expected")
	}
	d := newDecoder(t, Config{Geo: writeFile(t, "city.mmdb", odd)})
	var m ping.Meta
	d.geo.locate(parseAddress([]byte(milton)), &m)
	if got := places(&m); got != "?? ?? - -" {
		t.Error(got)
	}
}
