package loader

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestLoadJunk refuses what is no file of pings, and changes nothing.
func TestLoadJunk(t *testing.T) {
	junk := bytes.Repeat([]byte("{no\n"), 2000)
	for name, c := range map[string]struct {
		content []byte
		want    string // part of the error
		keeps   bool
	}{
		"lines":             {junk, "none of the first 1,000 records can be read", true},
		"few":               {junk[:8], "none of the 2 records can be read", true},
		"other objects":     {bytes.Repeat([]byte(`{"a":1}`+"\n"), 5), "none of the 5 records", true},
		"an array":          {[]byte(`[{"meta":{},"ping":{}}]`), "one JSON array", true},
		"an array on lines": {[]byte("\n[\n {\"meta\":{},\n\"ping\":{}}\n]"), "one JSON array", true},
		"binary":            {[]byte{0x7f, 'E', 'L', 'F', 0, 1}, "unknown format", false},
	} {
		b := store.NewMemory()
		s := sitetest.Memory(t, b)
		_, err := Load(context.Background(), s, bytes.NewReader(c.content), LoadOptions{Decode: ingest.DefaultConfig()})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		for e := range b.List(context.Background(), "") {
			if !strings.HasPrefix(e.Name, "index/") {
				t.Errorf("%s: %s was written", name, e.Name)
			}
		}
		l, err := Load(context.Background(), s, bytes.NewReader(c.content), LoadOptions{Decode: ingest.DefaultConfig(), KeepJunk: true})
		if (err == nil) != c.keeps {
			t.Errorf("%s, kept: %v", name, err)
		}
		addsUp(t, l)
	}
	s := sitetest.Memory(t, store.NewMemory())
	l := mustLoad(t, s, append(append(junk[:999*4:999*4], sitetest.PingLines("20180301", 0, 1)...), junk...))
	addsUp(t, l)
	if l.Pings != 1 || l.Records != 3000 {
		t.Errorf("one ping among junk: %+v", l)
	}
	if l := mustLoad(t, s, nil); l.Records != 0 {
		t.Errorf("an empty file: %+v", l)
	}
}

// TestLoadFileAgain loads a file by its name.
func TestLoadFileAgain(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	name := filepath.Join(t.TempDir(), "pings")
	require.NoError(t, os.WriteFile(name, sitetest.PingLines("20180301", 0, 5), 0o600))
	for _, already := range []bool{false, true} {
		l, err := LoadFile(context.Background(), s, name, nil, LoadOptions{Decode: ingest.DefaultConfig()})
		if err != nil || l.AlreadyLoaded != already || l.Pings != 5 {
			t.Errorf("%+v, %v", l, err)
		}
	}
}
