// Package timing says when a schedule is due: at times of a clock on a wall, as cron has them, or at intervals.
package timing

import (
	"errors"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // where the system has no time zones
)

// Shortest is the least time between two times of a schedule.
const Shortest = 5 * time.Minute

// Spec holds the times at which a schedule is due, as cron text or interval.
type Spec struct {
	interval time.Duration // 0: cron
	cron     cron
	zone     *time.Location
}

// Parse reads cron text of five fields, a name such as @daily, or an interval such as 1h30m. zone is of the IANA database; "" is UTC.
func Parse(every, zone string) (*Spec, error) {
	if len(every) > 200 || len(zone) > 100 {
		return nil, errors.New("it is too long")
	}
	location, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return nil, fmt.Errorf("no time zone is called %q: want one such as Europe/Berlin", zone)
	}
	every = strings.TrimSpace(every)
	if d, err := time.ParseDuration(every); err == nil {
		if d < Shortest || d > 366*24*time.Hour {
			return nil, fmt.Errorf("an interval is %s or more, and a year at most", Shortest)
		}
		return &Spec{interval: d, zone: location}, nil
	}
	parsed, err := parseCron(every)
	if err != nil {
		return nil, fmt.Errorf("%q is neither cron text, such as 0 7 * * 1-5, nor an interval, such as 6h: %w", every, err)
	}
	s := &Spec{cron: parsed, zone: location}
	return s, s.check()
}

// check looks at some times that come.
func (s *Spec) check() error {
	at := time.Date(2023, 12, 31, 23, 59, 0, 0, time.UTC) // before a leap year, for the 29th of February
	for i := 0; i < 300 && at.Year() < 2033; i++ {
		next := s.Next(at)
		if next.IsZero() {
			return errors.New("it is never due")
		}
		if i > 0 && next.Sub(at) < Shortest {
			return fmt.Errorf("it is due more often than every %s", Shortest)
		}
		at = next
	}
	return nil
}

// Next returns the first time after another one at which the schedule is due, the zero time if there is none.
//
// Where clocks are set, a time that does not exist is due once, when clocks show the time after the gap, and a time that
// exists twice is due once. What is due every hour is due after each hour that passes.
func (s *Spec) Next(after time.Time) time.Time {
	if s.interval > 0 {
		return after.Add(s.interval)
	}
	if s.cron[hour].all {
		return s.cron.next(after.In(s.zone)).UTC()
	}
	l := after.In(s.zone)
	wall := time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), 0, time.UTC).Add(-3 * time.Hour)
	for {
		if wall = s.cron.next(wall); wall.IsZero() {
			return wall
		}
		if at := s.real(wall); at.After(after) {
			return at.UTC()
		}
	}
}

// real returns the moment at which clocks of the zone show a time: the first of two, or after the gap for a time in it.
func (s *Spec) real(wall time.Time) time.Time {
	at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, s.zone)
	for _, shift := range []time.Duration{-time.Hour, -30 * time.Minute} {
		if earlier := at.Add(shift); sameWall(earlier, at) {
			return earlier
		}
	}
	if at.Hour() != wall.Hour() || at.Minute() != wall.Minute() { // in a gap: Go gives a time on one of its sides
		_, before := at.Add(-6 * time.Hour).Zone()
		return wall.Add(-time.Duration(before) * time.Second)
	}
	return at
}

func sameWall(a, b time.Time) bool {
	return a.Format(time.DateTime) == b.Format(time.DateTime)
}
