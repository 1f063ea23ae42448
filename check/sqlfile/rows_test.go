package sqlfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
)

// TestRows: values are as people read them, whole lines are counted, the first are kept.
func TestRows(t *testing.T) {
	r := &rows{}
	for _, piece := range []string{`{"a":"x y","b":[1.50,nu`, `ll,["z"]],"c":{"k":{"n":12345678901234567890}},"d":null,"e":true}` + "\n{",
		"}\n"} {
		_, err := r.Write([]byte(piece))
		require.NoError(t, err)
	}
	require.Equal(t, int64(2), int64(r.Total))
	got := ""
	for _, f := range r.Rows[0].Key {
		value := "NULL"
		if f.Value != nil {
			value = *f.Value
		}
		got += f.Column + ": " + value + "\n"
	}
	require.Equal(t, "a: x y\nb: [1.50, null, [z]]\nc: {k={n=12345678901234567890}}\nd: NULL\ne: true\n", got)
	_, err := r.Write([]byte(strings.Repeat("{\"a\":1}\n", 2*check.MaxRows)))
	require.NoError(t, err)
	require.Len(t, r.Rows, check.MaxRows)
	require.Equal(t, int64(2*check.MaxRows+2), int64(r.Total))
}

// FuzzRows: whatever comes is a row or an error.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{"a":[`, `{"a":{"b":`, `[1]`, `{"a" 1}`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		row, err := rowOf(line)
		if err == nil && strings.Count(string(line), ":") < len(row.Key) {
			t.Errorf("%d members in %q", len(row.Key), line)
		}
	})
}
