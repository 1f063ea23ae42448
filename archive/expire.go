package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Kind is one of the two kinds of data that the archive stores by day.
type Kind string

// The kinds.
const (
	KindPings  Kind = "pings"
	KindErrors Kind = "errors" // rejected submissions
)

// Dir returns the folder of the kind's days.
func (k Kind) Dir() string {
	if k == KindErrors {
		return naming.Errors
	}
	return naming.Pings
}

func (k Kind) kind() *rowfile.Kind {
	if k == KindErrors {
		return rowfile.Rejected
	}
	return rowfile.Pings
}

// Expired records that the archive's files of a day were removed because its time
// was over. It stays, so that later loads for the day do not count as all of its
// pings.
type Expired struct {
	Format        int    `json:"format"` // 1
	Kind          Kind   `json:"kind"`
	Day           string `json:"day"`
	RetentionDays int    `json:"keptDays"` // how many days it was to be kept
	Time          string `json:"time"`     // of the removal, RFC 3339
}

// On returns the date of the removal, for people.
func (e *Expired) On() string {
	if _, err := time.Parse(time.RFC3339, e.Time); err != nil {
		return e.Time
	}
	return e.Time[:10]
}

// ReadExpired returns the record of a day, nil if nothing of it was removed. A damaged record still proves that
// the day was removed, but nothing else.
func ReadExpired(ctx context.Context, b store.Bucket, k Kind, day ping.Day) (*Expired, error) {
	name := naming.ExpiredDay(string(k), string(day))
	data, err := store.ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	e, err := store.ParseState(data, 1, func(e *Expired) int { return e.Format })
	if err != nil {
		return &Expired{Format: 1, Kind: k, Day: string(day),
			Time: "a day that is not known: the record " + store.Place(b, name) + " is damaged"}, nil
	}
	return &e, nil
}

// ExpiredDays lists the days of a kind that were removed.
func ExpiredDays(ctx context.Context, b store.Bucket, k Kind) (map[ping.Day]bool, error) {
	days := map[ping.Day]bool{}
	for e, err := range b.List(ctx, naming.Expired+"/"+string(k)+"/") {
		if err != nil {
			return nil, fmt.Errorf("list expired days: %w", err)
		}
		if day, ok := strings.CutSuffix(path.Base(e.Name), ".json"); ok {
			days[ping.Day(day)] = true
		}
	}
	return days, nil
}

// OldDay is the archive's part of a day: the pings of all document types, or the rejected submissions.
type OldDay struct {
	Kind  Kind
	Day   ping.Day
	Files int
	Rows  int64
	Bytes int64 // of the files

	Names []string // of the files
}

// DaysBefore lists the archive's days before the given one, oldest first. It omits rejected submissions of no
// known day. It joins the errors of days that cannot be read and returns them together with the readable days.
func DaysBefore(ctx context.Context, b store.Bucket, k Kind, before ping.Day) ([]OldDay, error) {
	var all []OldDay
	var bad []error
	days, err := knownDays(ctx, b, k, "")
	if err != nil {
		return nil, err
	}
	for _, day := range days {
		if day >= before {
			break
		}
		dir := k.Dir() + "/" + naming.DayKey + string(day)
		l, err := listFiles(ctx, b, dir+"/")
		if err == nil {
			err = joinDamage(l.damage)
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("list archive day %s: %w", dir, err))
			continue
		}
		d := OldDay{Kind: k, Day: day, Files: len(l.files)}
		for _, f := range l.files {
			d.Rows, d.Bytes = d.Rows+f.Rows, d.Bytes+f.Bytes
			d.Names = append(d.Names, f.Name)
		}
		if d.Files > 0 {
			all = append(all, d)
		}
	}
	return all, errors.Join(bad...)
}
