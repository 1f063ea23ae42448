package clock

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // so that zones are known on machines without them
)

var zones sync.Map // text of a zone: its name

// Zone returns the name of a zone as timestamps hold it: UTC, an offset such as +02:00, or a name such as
// America/New_York.
func Zone(text string) (string, error) {
	if z, ok := zones.Load(text); ok {
		return z.(string), nil
	}
	zone, ok := zoneName(text)
	if !ok {
		return "", fmt.Errorf("'%s' is not a valid time zone", text)
	}
	zones.Store(text, zone)
	return zone, nil
}

func zoneName(text string) (string, bool) {
	for _, prefix := range []string{"UTC", "GMT", "UT"} {
		if rest := strings.TrimPrefix(text, prefix); strings.HasPrefix(text, prefix) && rest != "" && (rest[0] == '+' || rest[0] == '-') {
			text = rest
			break
		}
	}
	switch {
	case text == "":
		return "", false
	case text[0] == '+' || text[0] == '-':
		return offsetName(text)
	case text == "Z" || text == "UTC" || text == "GMT" || text == "UT" || text == "Etc/UTC" || text == "Etc/GMT" || text == "Greenwich" ||
		text == "Zulu":
		return "UTC", true
	case text == "EST" || text == "MST" || text == "HST" || text == "ROC": // offsets of Java, not zones of Trino
		return "", false
	}
	if _, err := time.LoadLocation(text); err != nil || text == "Local" {
		return "", false
	}
	return text, true
}

// offsetName reads +2, +02, +0230 or +02:30.
func offsetName(text string) (string, bool) {
	sign, digits := text[:1], text[1:]
	hours, minutes, colon := strings.Cut(digits, ":")
	if !colon && len(digits) == 4 {
		hours, minutes = digits[:2], digits[2:]
	}
	h, err := strconv.Atoi(hours)
	if err != nil || len(hours) > 2 || h > 14 {
		return "", false
	}
	m := 0
	if minutes != "" {
		if m, err = strconv.Atoi(minutes); err != nil || len(minutes) != 2 || m > 59 {
			return "", false
		}
	}
	if h == 0 && m == 0 {
		return "UTC", true
	}
	return fmt.Sprintf("%s%02d:%02d", sign, h, m), true
}
