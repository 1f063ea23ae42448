package report

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pingmill/pingmill/internal/text"
)

// ShortList lists the first five items and the number of the others.
func ShortList(all []string) string {
	const most = 5
	if len(all) <= most+1 {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// OrNone returns a printable text, or "-" if it is empty.
func OrNone[T ~string](s T) string {
	if s == "" {
		return "-"
	}
	return Printable(string(s))
}

// longestText is the maximum length of a client's text in a line, in bytes.
const longestText = 160

// Printable returns a client's text for one line of a terminal: truncated, without control characters.
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

// WholeDays formats a duration in days if it is a whole number of them.
func WholeDays(d time.Duration) string {
	const day = 24 * time.Hour
	if d%day == 0 {
		return text.Plural(int64(d/day), "day")
	}
	return d.String()
}

// Clients formats a number of clients.
func Clients(n int) string { return text.Plural(int64(n), "client") }

// dayList lists days in order; ranges are shown by their ends.
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
