package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

func rejectedOf(t *testing.T, b store.Bucket, day ping.Day) []Rejected {
	t.Helper()
	e, err := OpenErrors(ctx, b, day)
	require.NoError(t, err)
	var all []Rejected
	for r, err := range e.All(ctx) {
		require.NoError(t, err)
		c := *r
		c.Body = []byte(string(r.Body))
		c.Meta.Reset()
		require.NoError(t, c.Meta.ParseJSON(r.Meta.AppendJSON(nil)))
		all = append(all, c)
	}
	if int64(len(all)) != e.Rows() {
		t.Errorf("%d rejected submissions instead of %d", len(all), e.Rows())
	}
	return all
}

func TestRejected(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		w, err := NewWriter(ctx, b, Options{})
		require.NoError(t, err)
		e := &Rejected{Class: "json", Message: "invalid submission: \xff", Path: "/submit/x", Body: []byte("\x1f\x8b\x00\xff"),
			Headers: map[string]string{
				"Date": "Mon, 04 Jun 2018 00:00:00 GMT", "DNT": "1", "X-Forwarded-For": "10.1.2.3",
				"x_real_ip": "10.1.2.3", "Forwarded": "for=10.1.2.3", "CF-Connecting-IP": "10.1.2.3",
			}}
		e.Meta.SetInt(ping.Timestamp, benchDay)
		e.Meta.SetString(ping.GeoCountry, "US")
		require.NoError(t, w.AppendError(e))
		require.NoError(t, w.AppendError(&Rejected{Class: "uri", Message: "missing uri"}))
		s, err := w.Close(ctx, "x")
		require.NoError(t, err)
		if s.Errors != 2 || s.Pings != 0 || s.Files != 2 {
			t.Errorf("summary is %+v", s)
		}
		all := rejectedOf(t, b, "20180604")
		if len(all) != 1 {
			t.Fatalf("%d instead of 1", len(all))
		}
		got := all[0]
		if got.Class != "json" || got.Message != "invalid submission: \uFFFD" || got.Path != "/submit/x" ||
			string(got.Body) != string(e.Body) || string(got.Meta.Text(ping.GeoCountry)) != "US" {
			t.Errorf("got %+v", got)
		}
		if want := map[string]string{"Date": "Mon, 04 Jun 2018 00:00:00 GMT", "DNT": "1"}; !maps.Equal(got.Headers, want) {
			t.Errorf("headers are %v", got.Headers)
		}
		all = rejectedOf(t, b, "")
		if len(all) != 1 || all[0].Message != "missing uri" || all[0].Headers != nil || len(all[0].Body) != 0 {
			t.Errorf("without a day: %+v", all)
		}
		days, err := ErrorDays(ctx, b)
		if err != nil || len(days) != 2 || days[0].Day != "" || days[1].Day != "20180604" || days[1].Rows != 1 {
			t.Errorf("error days: %+v, %v", days, err)
		}
		for name := range b.List(ctx, "") {
			data, err := store.ReadFile(ctx, b, name.Name)
			if err != nil || strings.Contains(string(data), "10.1.2.3") {
				t.Errorf("%s holds the address, or %v", name.Name, err)
			}
		}
	})
}

// TestUnfit checks that pings which no day can take are kept as rejected.
func TestUnfit(t *testing.T) {
	set := func(f func(m *ping.Meta)) *ping.Meta {
		var m ping.Meta
		m.SetString(ping.DocTypeField, "main")
		m.SetString(ping.SubmissionDate, "20180601")
		m.SetString(ping.URI, "/submit/x")
		f(&m)
		return &m
	}
	for _, c := range []struct {
		meta    *ping.Meta
		day     ping.Day
		message string
	}{
		{set(func(m *ping.Meta) { m.Clear(ping.SubmissionDate) }), "", "neither submission date nor timestamp"},
		{set(func(m *ping.Meta) { m.SetString(ping.SubmissionDate, "20180631") }), "", `"20180631" is not a day`},
		{set(func(m *ping.Meta) { m.SetString(ping.SubmissionDate, "../../../x") }), "", `is not a day`},
		{set(func(m *ping.Meta) { m.SetString(ping.SubmissionDate, "") }), "", `"" is not a day`},
		{set(func(m *ping.Meta) {
			m.SetString(ping.SubmissionDate, "soon")
			m.SetInt(ping.Timestamp, benchDay)
		}), "20180604", `"soon" is not a day`},
		{set(func(m *ping.Meta) { m.Clear(ping.DocTypeField) }), "20180601", "no document type"},
		{set(func(m *ping.Meta) { m.SetString(ping.DocTypeField, strings.Repeat("x", 81)) }), "20180601", "longer than 80 bytes"},
	} {
		b := store.NewMemory()
		w, err := NewWriter(ctx, b, Options{})
		require.NoError(t, err)
		require.NoError(t, w.Append(c.meta, []byte("{}")))
		if s, err := w.Close(ctx, "x"); err != nil || s.Errors != 1 || s.Pings != 0 {
			t.Fatal(s, err)
		}
		all := rejectedOf(t, b, c.day)
		if len(all) != 1 || all[0].Class != "internal" || !strings.Contains(all[0].Message, c.message) ||
			all[0].Path != "/submit/x" || string(all[0].Body) != "{}" {
			t.Errorf("%s: got %+v", c.message, all)
		}
	}
}

// TestDayOfTimestamp checks that a ping without a submission date gets it.
func TestDayOfTimestamp(t *testing.T) {
	b := store.NewMemory()
	var m ping.Meta
	m.SetString(ping.DocTypeField, "main")
	m.SetInt(ping.Timestamp, benchDay-1)
	load(t, b, "x", Options{}, []sample{{&m, []byte("{}")}})
	d, err := OpenDay(ctx, b, "20180603", "main")
	require.NoError(t, err)
	for p, err := range d.Pings(ctx, 0, 100) {
		if err != nil || string(p.Meta.Text(ping.SubmissionDate)) != "20180603" {
			t.Errorf("got %s, %v", p.Meta.AppendJSON(nil), err)
		}
	}
	if m.Text(ping.SubmissionDate) != nil {
		t.Error("the caller's metadata was changed")
	}
}

// TestDocTypes checks that any document type names a directory of its own.
func TestDocTypes(t *testing.T) {
	types := []string{"main", "new-profile", ".", "..", "a/b", "a%2Fb", "A b", "ä", "=", "\x00", "_x", strings.Repeat("é", 30), "\xff", "a.b"}
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		var all []sample
		for i, docType := range types {
			var m ping.Meta
			m.SetString(ping.DocTypeField, docType)
			m.SetString(ping.SubmissionDate, "20180601")
			all = append(all, sample{&m, fmt.Appendf(nil, "%d", i)})
		}
		load(t, b, "x", Options{}, all)
		for i, docType := range types {
			docType = strings.ToValidUTF8(docType, "\uFFFD")
			d, err := OpenDay(ctx, b, "20180601", ping.DocType(docType))
			require.NoError(t, err)
			for p, err := range d.Pings(ctx, 0, 100) {
				if err != nil || string(p.Body) != fmt.Sprint(i) {
					t.Errorf("document type %q: got %q, %v", docType, p.Body, err)
				}
			}
		}
		if days, err := Days(ctx, b); err != nil || len(days) != len(types) {
			t.Errorf("%d days instead of %d, %v", len(days), len(types), err)
		}
	})
}

// TestNamespaces checks that pings of another namespace are not among telemetry's
// of the same document type.
func TestNamespaces(t *testing.T) {
	b := store.NewMemory()
	var all []sample
	for _, namespace := range []string{"", "telemetry", "firefox-desktop"} {
		var m ping.Meta
		m.SetString(ping.DocTypeField, "main")
		m.SetString(ping.SubmissionDate, "20180601")
		if namespace != "" {
			m.SetString(ping.SourceName, namespace)
		}
		all = append(all, sample{&m, []byte("{}")})
	}
	load(t, b, "x", Options{}, all)
	for docType, want := range map[ping.DocType]int64{"main": 2, "firefox-desktop/main": 1} {
		d, err := OpenDay(ctx, b, "20180601", docType)
		require.NoError(t, err)
		if d.Rows() != want {
			t.Errorf("%d pings %s, want %d", d.Rows(), docType, want)
		}
		for p, err := range d.Pings(ctx, 0, 100) {
			if err != nil || p.Meta.Kind() != docType {
				t.Errorf("a ping %s among those %s, %v", p.Meta.Kind(), docType, err)
			}
		}
	}
}

func TestOpenErrorsMissing(t *testing.T) {
	b := store.NewMemory()
	if _, err := OpenErrors(ctx, b, "20180601"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a day without errors: %v", err)
	}
	if _, err := OpenErrors(ctx, b, "tomorrow"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no day at all: %v", err)
	}
}
