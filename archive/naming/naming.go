// Package naming has the names of all objects in the archive, and the rules for them.
package naming

import (
	"fmt"
	"strings"
	"time"
)

// ValidDay reports whether b is a day of the calendar written YYYYMMDD.
func ValidDay(b []byte) bool {
	if len(b) != 8 {
		return false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	_, err := time.Parse("20060102", string(b))
	return err == nil
}

// EscapeKey writes a partition value as Hive does: bytes that could end a path
// segment or begin a hidden one become %XX.
func EscapeKey(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '-' || c == '_' || c == '.' && i > 0
		if plain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// LoadOf finds the load in the base name of a data file.
func LoadOf(name string) (load string, ok bool) {
	base := name[strings.LastIndexByte(name, '/')+1:]
	base, ok = strings.CutSuffix(base, ".parquet")
	i := strings.LastIndexByte(base, '-')
	if !ok || i <= 0 || base[0] == '_' || len(base)-i <= 6 || strings.Trim(base[i+1:], "0123456789") != "" {
		return "", false
	}
	return base[:i], true
}

// CheckLoad refuses load names that cannot be part of an object name.
func CheckLoad(load string) error {
	if load == "" || len(load) > 100 {
		return fmt.Errorf("bad load name %.40q: it needs 1 to 100 bytes", load)
	}
	for i, c := range []byte(load) {
		ok := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			i > 0 && (c == '-' || c == '_' || c == '.')
		if !ok {
			return fmt.Errorf("bad load name %q: letters, digits, dots, dashes and underscores only", load)
		}
	}
	return nil
}
