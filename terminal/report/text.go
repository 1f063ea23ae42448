package report

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// ShortList writes the first of many things, and how many more there are.
func ShortList(all []string) string {
	const most = 5
	if len(all) <= most+1 {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// OrNone is a text for people, which may be missing.
func OrNone[T ~string](s T) string {
	if s == "" {
		return "-"
	}
	return Printable(string(s))
}

// longestText is how many bytes of a client's text a line shows.
const longestText = 160

// Printable is a client's text for one line of a terminal: cut, and without
// characters that move the cursor.
func Printable(s string) string {
	cut := len(s) > longestText
	if cut {
		n := longestText
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	b := make([]rune, 0, len(s))
	for _, r := range s {
		if !unicode.IsPrint(r) {
			r = '\uFFFD'
		}
		b = append(b, r)
	}
	if cut {
		b = append(b, '…')
	}
	return string(b)
}

// WholeDays is a duration as days, where these are whole.
func WholeDays(d time.Duration) string {
	const day = 24 * time.Hour
	if d%day == 0 {
		return Plural(int64(d/day), "day")
	}
	return d.String()
}

// Clients is a number of clients.
func Clients(n int) string { return Plural(int64(n), "client") }

// Plural is a number of things.
func Plural(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return humanize.Comma(n) + " " + thing
}

// dayList writes days in order, stretches as their ends.
func dayList(days []string) string {
	var parts []string
	for i := 0; i < len(days); {
		end := i + 1
		for end < len(days) && follows(days[end-1], days[end]) {
			end++
		}
		if end == i+1 {
			parts = append(parts, days[i])
		} else {
			parts = append(parts, days[i]+"-"+days[end-1])
		}
		i = end
	}
	return strings.Join(parts, ", ")
}

func follows(day, next string) bool {
	t, err := time.Parse("20060102", day)
	return err == nil && t.AddDate(0, 0, 1).Format("20060102") == next
}
