package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/pingmill/pingmill/lake/iceberg"
)

// Followed prints the commits to Iceberg tables.
func Followed(out io.Writer, all []iceberg.Result) error {
	var b strings.Builder
	for _, r := range all {
		switch {
		case r.Err != nil: // the error says it
			continue
		case r.Committed():
			fmt.Fprintf(&b, "%s: %s committed, %d files added, %d removed, %s of metadata", r.Name, english.Plural(len(r.Days), "day", ""), r.Added,
				r.Removed, humanize.IBytes(uint64(r.Bytes)))
		default:
			fmt.Fprintf(&b, "%s: up to date", r.Name)
		}
		if r.Expired > 0 {
			fmt.Fprintf(&b, ", %s expired", english.Plural(r.Expired, "snapshot", ""))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// ErrBehind means that Iceberg tables do not match the published partitions.
var ErrBehind = errors.New("Iceberg tables are behind")

// Iceberg prints the state of the Iceberg tables as text or json. The error matches ErrBehind if some are behind.
func Iceberg(out io.Writer, all []iceberg.Status, format string, now time.Time) error {
	if format == "json" {
		e := json.NewEncoder(out)
		for i := range all {
			if err := e.Encode(&all[i]); err != nil {
				return err
			}
		}
		return behind(all)
	}
	var b strings.Builder
	if len(all) == 0 {
		b.WriteString("there are no Iceberg tables\n")
	}
	for i := range all {
		b.WriteString(icebergLine(&all[i], now) + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return errors.Join(err, behind(all))
}

func behind(all []iceberg.Status) error {
	n := 0
	for i := range all {
		if all[i].Behind() {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrBehind, english.Plural(n, "table", ""))
}

func icebergLine(s *iceberg.Status, now time.Time) string {
	if !s.Behind() {
		return fmt.Sprintf("%s: up to date %s ago", s.Table, ago(now.Sub(s.Synced)))
	}
	line := s.Table + ": behind"
	if !s.Failing.IsZero() {
		line += " for " + ago(now.Sub(s.Failing))
	}
	if len(s.Pending) > 0 {
		line += fmt.Sprintf(", %s such as %s", english.Plural(len(s.Pending), "day", ""), s.Pending[0])
	}
	if s.Error != "" {
		line += ": " + s.Error
	}
	return line
}

// IcebergSummary returns the lines about Iceberg tables for a status; "" if there are none.
func IcebergSummary(all []iceberg.Status, now time.Time) string {
	var late []string
	for i := range all {
		if all[i].Behind() {
			late = append(late, "  "+icebergLine(&all[i], now)+"\n")
		}
	}
	switch {
	case len(all) == 0:
		return ""
	case len(late) == 0:
		return fmt.Sprintf("Iceberg: %s up to date\n", english.Plural(len(all), "table", ""))
	}
	return fmt.Sprintf("Iceberg: %d of %s behind; they are caught up when the catalog answers\n%s", len(late),
		english.Plural(len(all), "table", ""), strings.Join(late, ""))
}

// ago formats a duration in its largest units.
func ago(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return english.Plural(int(d/(24*time.Hour)), "day", "")
	case d >= time.Minute:
		return strings.TrimSuffix(d.Truncate(time.Minute).String(), "0s")
	}
	return d.Truncate(time.Second).String()
}
