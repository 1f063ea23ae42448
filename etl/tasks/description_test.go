package tasks

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

// sample returns a description that can be read.
func sample() Description {
	return Description{
		Format: Format, Table: "main_summary", Day: "20180301", Generation: "0123456789abcdef", Lo: 0, Hi: 24,
		Inputs: []job.Input{{Name: "archive main", Generation: "aa"}}, Bytes: 17, Definitions: "dd", Probes: "pp", Apps: []string{"Firefox"},
		Writer: Writer{2500, 64 << 20, 20000, 1000000, []string{"document_id"}},
		Roots:  Roots{"s3://b/archive?region=x", "/disk/lake", "/disk/pipeline", "/disk/restricted"},
	}
}

func encoded(t testing.TB, d Description) string {
	t.Helper()
	b, err := json.Marshal(d)
	require.NoError(t, err)
	return string(b)
}

func TestParse(t *testing.T) {
	got, err := Parse([]byte(encoded(t, sample())))
	require.NoError(t, err)
	require.Equal(t, sample(), got)
	for want, change := range map[string]func(d *Description){
		"its format is 2, this program reads 1":   func(d *Description) { d.Format = 2 },
		"names no table":                          func(d *Description) { d.Table = "" },
		`read day "2018-03-01"`:                   func(d *Description) { d.Day = "2018-03-01" },
		`generation "../../../lake"`:              func(d *Description) { d.Generation = "../../../lake" },
		"samples 5 to 4":                          func(d *Description) { d.Lo, d.Hi = 5, 4 },
		"samples 0 to 101":                        func(d *Description) { d.Hi = 101 },
		"names no inputs":                         func(d *Description) { d.Inputs = nil },
		"bytes: -1":                               func(d *Description) { d.Bytes = -1 },
		"files cannot be meant":                   func(d *Description) { d.Writer.RowGroupRows = 0 },
		"files cannot be meant: {RowGroupRows:3 ": func(d *Description) { d.Writer.RowGroupRows = 3 },
		`lake root "lake" is neither`:             func(d *Description) { d.Roots.Lake = "lake" },
		`archive root "" is neither`:              func(d *Description) { d.Roots.Archive = "" },
		"must not hold credentials":               func(d *Description) { d.Roots.Restricted = "s3://key:secret@b" },
	} {
		d := sample()
		change(&d)
		_, err := Parse([]byte(encoded(t, d)))
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "secret")
	}
	good := encoded(t, sample())
	for line, want := range map[string]string{
		"":                     "no description of a task",
		"x":                    "no description of a task",
		"{}":                   "it has no format",
		`{"format":"1"}`:       "no description of a task",
		`{"format":2,"new":1}`: "its format is 2",
		good + good:            "after top-level value",
		strings.Replace(good, "{", `{"order":1,`, 1):             `unknown field "order"`,
		strings.Replace(good, `"archive":`, `"archive2":`, 1):    `unknown field "archive2"`,
		good[:len(good)-1] + strings.Repeat(" ", maxDescription): "larger than",
	} {
		_, err := Parse([]byte(line))
		require.ErrorContains(t, err, want, line[:min(len(line), 100)])
	}
}

// FuzzParse: what is read can be written and read again, and names nothing outside of its roots.
func FuzzParse(f *testing.F) {
	f.Add([]byte(encoded(f, sample())))
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"format":1,"lo":-1,"hi":1e3}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		d, err := Parse(line)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		again, err := Parse([]byte(encoded(t, d)))
		require.NoError(t, err)
		require.Equal(t, d.task(), again.task())
		if d.Lo < 0 || d.Hi > job.NoClient || d.Lo > d.Hi || strings.ContainsAny(d.Generation, "/.\\") || strings.ContainsAny(d.Day, "/.\\") {
			t.Errorf("%+v", d)
		}
	})
}

func TestParseShare(t *testing.T) {
	got, err := ParseShare("3/4")
	require.NoError(t, err)
	require.Equal(t, Share{3, 4}, got)
	for _, text := range []string{"", "4/4", "-1/4", "1", "1/0", "0/x", "1/2/3"} {
		_, err := ParseShare(text)
		require.ErrorContains(t, err, "want one like 0/4", text)
	}
}
