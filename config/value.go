package config

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// A value is a string, or a []string for a list, in the form of a flag.

// types define how the values of each type are called in help texts, what is expected where one cannot be read, the
// YAML that is one, and what a flag can be bound to.
var types = map[Type]struct {
	name string
	want error
	tags []string
	to   []any
}{
	Text: {"string", errors.New("want a text; in a file quote what looks like something else"), []string{"!!str"}, []any{(*string)(nil)}},
	List: {"strings", errors.New("want a list of texts, such as [a, b]"), []string{"!!str"}, []any{(*[]string)(nil)}},
	Networks: {"networks", errors.New("want networks or addresses, such as 10.0.0.0/8 or ::1"), []string{"!!str"},
		[]any{(*[]netip.Prefix)(nil)}},
	Number: {"int", errors.New("want a whole number"), []string{"!!int"}, []any{(*int)(nil)}},
	Size: {"size", errors.New("want a size, such as 1048576, 500MB or 1GiB"), []string{"!!int", "!!str"},
		[]any{(*int64)(nil), (*int)(nil)}},
	Duration: {"duration", errors.New("want a time, such as 30s, 5m or 24h"), []string{"!!int", "!!str"}, []any{(*time.Duration)(nil)}},
	Bool:     {"bool", errors.New("want true or false"), []string{"!!bool"}, []any{(*bool)(nil)}},
}

// split makes a value of a text as a flag, a variable or a default has it.
func (k *Key) split(text string) any {
	if !k.list() {
		return text
	}
	parts := []string{}
	for p := range strings.SplitSeq(text, ",") {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// check is nil for a value that the key can have.
func (k *Key) check(value any) error {
	parts, ok := value.([]string)
	if !ok {
		parts = []string{value.(string)} // a value is one of the two
	}
	for _, p := range parts {
		err := k.checkText(p)
		switch {
		case err == nil:
		case k.Secret:
			return err // without the value
		default:
			return fmt.Errorf("%q: %w", p, err)
		}
	}
	return nil
}

func (k *Key) checkText(s string) error {
	n, err := k.number(s)
	switch {
	case err != nil:
		return err
	case k.Check != nil:
		return k.Check(s)
	case n < k.Min || k.Max != 0 && n > k.Max:
		return fmt.Errorf("want %s", k.bounds())
	}
	return nil
}

// number parses a text for comparison with Min and Max. It returns 0 for keys without bounds.
func (k *Key) number(s string) (n int64, err error) {
	switch k.Type {
	case Number:
		n, err = strconv.ParseInt(s, 10, 64)
	case Size:
		n, err = parseSize(s)
	case Duration:
		var d time.Duration
		d, err = time.ParseDuration(s)
		n = int64(d)
	case Bool:
		_, err = strconv.ParseBool(s)
	case Networks:
		_, err = parseNetwork(s)
	case Text, List:
	}
	if err != nil {
		return 0, types[k.Type].want
	}
	return n, nil
}

// parseSize reads a number of bytes.
func parseSize(s string) (int64, error) {
	n, err := humanize.ParseBytes(s)
	if err == nil && n > math.MaxInt64 {
		err = types[Size].want
	}
	return int64(n), err
}

// parseNetwork reads a network, or an address as the network of it alone.
func parseNetwork(s string) (netip.Prefix, error) {
	if p, err := netip.ParsePrefix(s); err == nil {
		return p, nil
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	return netip.PrefixFrom(a, a.BitLen()), nil
}

// bounds returns the key's bounds in words, "" without any.
func (k *Key) bounds() string {
	switch {
	case k.Type < Number || k.Type > Duration:
		return ""
	case k.Max != 0:
		return k.boundText(k.Min) + " to " + k.boundText(k.Max)
	}
	return k.boundText(k.Min) + " or more"
}

func (k *Key) boundText(n int64) string {
	switch k.Type { // the others are plain numbers
	case Size:
		return humanize.IBytes(uint64(n))
	case Duration:
		return time.Duration(n).String()
	}
	return strconv.FormatInt(n, 10)
}

// store puts a value that is checked where a flag is bound to.
func (k *Key) store(value, to any) {
	s, _ := value.(string)
	n, _ := k.number(s)
	switch p := to.(type) {
	case *string:
		*p = s
	case *int:
		*p = int(n)
	case *int64:
		*p = n
	case *time.Duration:
		*p = time.Duration(n)
	case *bool:
		*p, _ = strconv.ParseBool(s)
	case *[]string:
		*p = append([]string{}, value.([]string)...) // see fits
	case *[]netip.Prefix:
		*p = nil
		for _, s := range value.([]string) { // see fits
			network, _ := parseNetwork(s)
			*p = append(*p, network)
		}
	}
}

// fits reports whether a key's values can be stored in to.
func (k *Key) fits(to any) bool {
	return slices.ContainsFunc(types[k.Type].to, func(p any) bool { return reflect.TypeOf(p) == reflect.TypeOf(to) })
}
