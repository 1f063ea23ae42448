package origin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// InputOf returns the partition m of table from as an input of a partition of table t on the same day.
func InputOf(t, from *schema.Table, m *lake.Manifest) job.Input {
	if !t.FromRows() {
		return job.Input{Name: from.Name, Generation: m.Generation}
	}
	return job.Input{Name: from.Name, Generation: State(from, m)}
}

// Earlier returns an earlier partition of table t as an input of its later partition.
func Earlier(t *schema.Table, m *lake.Manifest) job.Input {
	return job.Input{Name: EarlierName(t, m.Day), Generation: State(t, m)}
}

// EarlierName returns the name of a partition of an earlier day as an input.
func EarlierName(t *schema.Table, day string) string { return t.Name + " " + day }

// WentOn returns the day of the table's own partition that a partition was also made from, "" if there is none.
func WentOn(t *schema.Table, m *lake.Manifest) string {
	if m == nil {
		return ""
	}
	for _, in := range m.Inputs {
		if day := EarlierDay(t, in.Name); day != "" {
			return day
		}
	}
	return ""
}

// EarlierDay returns the day of an input that is an earlier partition of table t, "" if it is none.
func EarlierDay(t *schema.Table, input string) string {
	day, _ := strings.CutPrefix(input, t.Name+" ")
	if day == input {
		return ""
	}
	return day
}

// State names what other partitions take from a partition: its rows and their files, whatever its generation. A table that
// depends on all earlier days has the state of the day before in its own.
func State(t *schema.Table, m *lake.Manifest) string {
	h := sha256.New()
	for _, in := range m.Inputs {
		if t.Earlier != "" && (EarlierDay(t, in.Name) != "" || in.Name == t.Earlier) {
			fmt.Fprintln(h, in.Generation)
		}
	}
	files := slices.SortedFunc(slices.Values(m.Files), func(a, b lake.File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range files {
		fmt.Fprintln(h, f.Lo, f.Hi, f.Rows, f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Before returns the newest published partition of a table before a day, nil if there is none. A manifest that cannot be
// used is an error that lake.Unusable recognises.
func Before(ctx context.Context, t *lake.Table, day string) (*lake.Manifest, error) {
	yesterday, err := job.ParseDay(day)
	if err != nil {
		return nil, err
	}
	m, err := t.Partition(ctx, job.FormatDay(yesterday.AddDate(0, 0, -1)))
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	days, err := t.Days(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range slices.Backward(days) {
		if d >= day {
			continue
		}
		if m, err = t.Partition(ctx, d); !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	return nil, nil
}
