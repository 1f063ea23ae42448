package archive

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// withHeaders sets the metadata of further headers in every fourth main ping.
func withHeaders(all []sample) []sample {
	for i, s := range all {
		if i%4 > 0 || string(s.meta.Text(ping.DocTypeField)) != "main" {
			continue
		}
		s.meta.SetString(ping.XDebugID, "my-tag")
		s.meta.SetString(ping.XTelemetryAgent, "Glean/67.3.2 (Rust on Linux)")
		if i%8 == 0 {
			s.meta.SetString(ping.XSourceTags, "automation,\xff")
			s.meta.SetString(ping.UserAgent, "")
		}
	}
	return all
}

// TestHeaders keeps the metadata of further headers. Files whose pings have none stay as earlier versions write them.
func TestHeaders(t *testing.T) {
	some := func(i int) bool { return i%3 > 0 }
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		loadPacked(t, b, "a", Options{}, distinct(300)[:100], some)
		loadPacked(t, b, "b", Options{}, withHeaders(distinct(300))[100:], some)
		plain := store.NewMemory()
		load(t, plain, "a", Options{}, distinct(300)[:100])
		load(t, plain, "b", Options{}, withHeaders(distinct(300))[100:])
		want := texts(t, plain, "main", 0, 100)
		require.Contains(t, want[0]+want[1]+want[2]+want[3]+want[4]+want[5]+want[6]+want[7], `"xTelemetryAgent":"Glean/67.3.2 (Rust on Linux)"`)
		require.Equal(t, want, texts(t, b, "main", 0, 100))
		require.Equal(t, texts(t, plain, "crash", 3, 100), texts(t, b, "crash", 3, 100))
		for name, format := range map[string]int{"a": packedFormat, "b": headersFormat} {
			l, _, err := Loaded(ctx, b, name)
			require.NoError(t, err)
			require.Equal(t, format, l.Format)
			for _, f := range l.Files {
				require.Equal(t, name == "b" && f.DocType == "main", f.Headers, f.Name)
			}
			for _, f := range l.Files { // what a record says of a file is in the file
				again := LoadFile{Name: f.Name, Bytes: f.Bytes, Kind: f.Kind, Day: f.Day, DocType: f.DocType}
				require.NoError(t, again.Measure(ctx, b))
				require.Equal(t, f, again)
			}
		}

		_, err := CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay"})
		require.NoError(t, err)
		require.Equal(t, want, texts(t, b, "main", 0, 100))
		automated := func(m *ping.Meta) bool { return m.Automated() }
		r, err := RewriteDay(ctx, b, "20180601", "main", RewriteOptions{Load: "re-1", Drop: automated})
		require.NoError(t, err)
		left := texts(t, b, "main", 0, 100)
		require.Len(t, left, len(want)-int(r.Rows))
		require.NotZero(t, r.Rows)
		for _, row := range left {
			require.NotContains(t, row, "automation")
		}
	})
}

// TestHeadersRejected keeps them of rejected submissions.
func TestHeadersRejected(t *testing.T) {
	b := store.NewMemory()
	w, err := NewWriter(ctx, b, Options{})
	require.NoError(t, err)
	defer w.Abort()
	for _, tag := range []string{"", "my-tag"} {
		e := Rejected{Class: "json", Message: "m", Path: "/submit", Headers: map[string]string{"DNT": "1"}, Body: []byte("{")}
		e.Meta.SetString(ping.SubmissionDate, "20180601")
		if tag != "" {
			e.Meta.SetString(ping.XDebugID, tag)
		}
		require.NoError(t, w.AppendError(&e))
	}
	_, err = w.Close(ctx, "l")
	require.NoError(t, err)
	day, err := OpenErrors(ctx, b, "20180601")
	require.NoError(t, err)
	var tags []string
	for e, err := range day.All(ctx) {
		require.NoError(t, err)
		require.Equal(t, map[string]string{"DNT": "1"}, e.Headers)
		require.Equal(t, "{", string(e.Body))
		tags = append(tags, string(e.Meta.Text(ping.XDebugID)))
	}
	require.Equal(t, []string{"", "my-tag"}, tags)
}
