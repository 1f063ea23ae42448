package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
)

// The band of row counts: the median of the same weekday in the last four weeks
// or, when fewer than three of those days are published, of all days of the four
// weeks if there are a week of them. bandFactor is how many times as many, or as
// few, rows are usual; bandNoise widens the band for small tables by that many
// square roots of the median.
const (
	bandWeeks    = 4
	bandWeekdays = 3
	bandDays     = 7
	bandFactor   = 2
	bandNoise    = 3
)

// usualRows compares the number of rows with recent weeks. It reads only the manifests of those days.
func usualRows(ctx context.Context, p *Partition) (Finding, error) {
	if !p.whole() {
		return Finding{NotRun: true, Note: "the partition does not have all samples yet"}, nil
	}
	past, days, err := history(ctx, p.Table, p.Day)
	if err != nil || past == nil {
		return Finding{NotRun: true, Note: "too few days are published to compare with"}, err
	}
	slices.Sort(past)
	median := float64(past[len(past)/2]+past[(len(past)-1)/2]) / 2
	low, high := band(median)
	if rows := float64(p.Rows()); rows < low || rows > high {
		return Finding{Total: 1, Note: fmt.Sprintf("%s, usual are %.0f to %.0f: the median of %s is %.0f",
			english.Plural(int(p.Rows()), "row", ""), math.Ceil(low), math.Floor(high), days, median)}, nil
	}
	return Finding{}, nil
}

// band returns the usual range of the number of rows around a median.
func band(median float64) (low, high float64) {
	noise := bandNoise * math.Sqrt(median)
	return max(0, median/bandFactor-noise), median*bandFactor + noise
}

// history returns the numbers of rows with which a day is compared, nil if there are too few, and a
// description of these days.
func history(ctx context.Context, t *lake.Table, day string) (past []int64, days string, err error) {
	at, err := job.ParseDay(day)
	if err != nil {
		return nil, "", err
	}
	take := func(ago int) error {
		m, err := t.Partition(ctx, job.FormatDay(at.AddDate(0, 0, -ago)))
		if errors.Is(err, fs.ErrNotExist) || lake.Unusable(err) {
			return nil
		}
		if err == nil && complete(m) {
			past = append(past, m.Rows)
		}
		return err
	}
	for week := 1; week <= bandWeeks; week++ {
		if err := take(7 * week); err != nil {
			return nil, "", err
		}
	}
	if len(past) >= bandWeekdays {
		return past, fmt.Sprintf("the last %d %ss", len(past), at.Weekday()), nil
	}
	for ago := 1; ago < 7*bandWeeks; ago++ {
		if ago%7 == 0 {
			continue
		}
		if err := take(ago); err != nil {
			return nil, "", err
		}
	}
	if len(past) < bandDays {
		return nil, "", nil
	}
	return past, fmt.Sprintf("%d days of the last %d weeks", len(past), bandWeeks), nil
}

// complete reports whether the parts of a manifest cover all samples. A growing partition has no parts.
func complete(m *lake.Manifest) bool {
	n := 0
	for _, part := range m.Parts {
		n += part.Hi - part.Lo + 1
	}
	return n == job.NoClient+1
}
