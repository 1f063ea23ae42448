package params

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Range is the value of Days: the first and the last day, both included.
type Range struct{ From, To time.Time }

const compact = "20060102"

// anyDay replaces today if only the form of a value is checked.
var anyDay = time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)

var (
	relativeForm = lazy.Regexp(`^(today|yesterday|newest)(?: *- *(\d{1,4}))?$`)
	lastForm     = lazy.Regexp(`^(last|newest) (\d{1,4}) days?$`)
)

var errDay = errors.New("is no day: write 20180301, 2018-03-01, today, yesterday or newest, with -N for N days before")

// day parses a day: a date, or a day relative to today or to the newest day of the data.
func day(text string, today, newest time.Time) (time.Time, error) {
	text = strings.TrimSpace(text)
	for _, form := range []string{compact, time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil && t.Year() > 0 {
			return t, nil
		}
	}
	m := relativeForm().FindStringSubmatch(strings.ToLower(text))
	if m == nil {
		return time.Time{}, fmt.Errorf("%.60q %w", text, errDay)
	}
	base := today
	switch m[1] {
	case "yesterday":
		base = today.AddDate(0, 0, -1)
	case "newest":
		if newest.IsZero() {
			return time.Time{}, errors.New("is the newest day of the data, and there is no day yet")
		}
		base = newest
	}
	n, _ := strconv.Atoi(m[2]) // "" is 0
	return base.AddDate(0, 0, -n), nil
}

// days parses a range: {from, to}, "A..B", or the last or newest N days.
func days(value any, today, newest time.Time) (Range, error) {
	var from, to string
	switch v := value.(type) {
	case Range:
		return v, nil
	case map[string]any:
		var first, last bool
		from, first = v["from"].(string)
		to, last = v["to"].(string)
		if !first || !last || len(v) != 2 {
			return Range{}, errors.New("is no range of days: write {from, to}")
		}
	case string:
		var err error
		if from, to, err = ends(v); err != nil {
			return Range{}, err
		}
	default:
		return Range{}, errors.New("is no range of days")
	}
	var r Range
	var err error
	if r.From, err = day(from, today, newest); err != nil {
		return Range{}, err
	}
	if r.To, err = day(to, today, newest); err != nil {
		return Range{}, err
	}
	if r.To.Before(r.From) {
		return Range{}, fmt.Errorf("ends on %s, before it begins on %s", r.To.Format(compact), r.From.Format(compact))
	}
	return r, nil
}

// ends returns the first and last day of a range as texts.
func ends(text string) (from, to string, err error) {
	if m := lastForm().FindStringSubmatch(strings.ToLower(strings.TrimSpace(text))); m != nil {
		n, _ := strconv.Atoi(m[2]) // at most four digits
		if n == 0 {
			return "", "", errors.New("has no day")
		}
		base := map[string]string{"last": "yesterday", "newest": "newest"}[m[1]] // today is not complete
		return fmt.Sprintf("%s-%d", base, n-1), base, nil
	}
	from, to, found := strings.Cut(text, "..")
	if !found {
		return text, text, nil
	}
	return from, to, nil
}
