package cli

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/etl/job"
)

// Days holds the flags that select days: --date, or --from and --to. A value may also be today or yesterday, in UTC,
// for containers without a shell.
type Days struct{ Date, From, To string }

// Add adds the flags; prefix comes first for the usage of --from and --to.
func (d *Days) Add(fs *pflag.FlagSet, date, prefix string) {
	fs.StringVar(&d.Date, "date", "", date)
	fs.StringVar(&d.From, "from", "", prefix+"first day, YYYYMMDD")
	fs.StringVar(&d.To, "to", "", prefix+"last day, YYYYMMDD")
}

// Read returns the days. It returns an error if no flag is set.
func (d *Days) Read(now time.Time) ([]string, error) {
	date, from, to := namedDay(d.Date, now), namedDay(d.From, now), namedDay(d.To, now)
	switch {
	case date != "" && from == "" && to == "":
		return job.DayRange(date, date)
	case date == "" && from != "" && to != "":
		return job.DayRange(from, to)
	}
	return nil, errors.New("say which days: --date YYYYMMDD, or --from and --to")
}

// ReadAny returns the days, or nil if no flag is set.
func (d *Days) ReadAny(now time.Time) ([]string, error) {
	if *d == (Days{}) {
		return nil, nil
	}
	return d.Read(now)
}

func namedDay(s string, now time.Time) string {
	switch s {
	case "today":
		return job.FormatDay(now.UTC())
	case "yesterday":
		return job.FormatDay(now.UTC().AddDate(0, 0, -1))
	}
	return s
}

// LastDays holds the flags for a number of days up to a last one.
type LastDays struct {
	From, To string
	N        int
}

// Add adds the flags; n is the default number.
func (d *LastDays) Add(fs *pflag.FlagSet, n int) {
	fs.StringVar(&d.From, "from", "", "first day, YYYYMMDD")
	fs.StringVar(&d.To, "to", "", "last day, YYYYMMDD (default: today, or the last there is)")
	fs.IntVar(&d.N, "days", n, "how many days up to the last one")
}

// Read returns the days to show of an installation with data from first to last. The default is the N days up to today
// or, if these have no data, up to last.
func (d *LastDays) Read(now time.Time, first, last string) ([]string, error) {
	from, to := d.From, d.To
	if to == "" {
		to = job.FormatDay(now)
	}
	if from != "" {
		return job.DayRange(from, to)
	}
	if d.N < 1 {
		return nil, errors.New("--days must be 1 or more")
	}
	end, err := job.ParseDay(to)
	if err != nil {
		return nil, err
	}
	begin := end.AddDate(0, 0, 1-d.N)
	if d.To == "" && last != "" && last < job.FormatDay(begin) {
		if end, err = job.ParseDay(last); err != nil {
			return nil, err
		}
		begin = end.AddDate(0, 0, 1-d.N)
	}
	from = job.FormatDay(begin)
	if first <= job.FormatDay(end) {
		from = max(from, first)
	}
	return job.DayRange(from, job.FormatDay(end))
}
