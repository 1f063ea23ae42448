package scalar

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxPadded limits the bytes of a padded text. Trino's limit is 2 GB,
// which would be the memory of the query.
const maxPadded = 64 << 20

var stringFuncs = []Func{
	two("substr", func(s string, start int64) (string, error) { return substr(s, start, int64(len(s))), nil }),
	three("substr3", func(s string, start, length int64) (string, error) { return substr(s, start, length), nil }),
	three("replace", func(s, old, with string) (string, error) { return strings.ReplaceAll(s, old, with), nil }),
	three("strpos", strpos),
	one("reverse", func(s string) (string, error) { return reverse(s), nil }),
	three("lpad", func(s string, n int64, with string) (string, error) { return pad(s, n, with, true) }),
	three("rpad", func(s string, n int64, with string) (string, error) { return pad(s, n, with, false) }),
	two("trim", func(s, set string) (string, error) { return strings.Trim(s, set), nil }),
	two("ltrim", func(s, set string) (string, error) { return strings.TrimLeft(s, set), nil }),
	two("rtrim", func(s, set string) (string, error) { return strings.TrimRight(s, set), nil }),
	one("upper", func(s string) (string, error) { return strings.Map(unicode.ToUpper, s), nil }),
	one("lower", func(s string) (string, error) { return strings.Map(unicode.ToLower, s), nil }),
	three("translate", func(s, from, to string) (string, error) { return translate(s, from, to), nil }),
	two("normalize", normalize),
	one("soundex", soundex),
	two("levenshtein_distance", func(a, b string) (int64, error) { return Levenshtein([]rune(a), []rune(b)), nil }),
	two("hamming_distance", hamming),
	one("chr", chr),
	one("codepoint", codepoint),
	one("luhn_check", luhn),
}

// Space holds the characters that trim removes by default.
const Space = "\t\n\v\f\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f\u3000"

// offset returns the byte at which character n (from 0) begins, len(s) past the last.
func offset(s string, n int64) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func substr(s string, start, length int64) string {
	if start == 0 || length <= 0 {
		return ""
	}
	if start < 0 {
		start += int64(utf8.RuneCountInString(s)) + 1
		if start <= 0 {
			return ""
		}
	}
	s = s[offset(s, start-1):]
	return s[:offset(s, length)]
}

// strpos returns the position of an instance of sub, counted from the end if n is negative.
func strpos(s, sub string, n int64) (int64, error) {
	if n == 0 {
		return 0, invalid("'instance' must be a positive or negative number.")
	}
	if sub == "" {
		return 1, nil
	}
	at := -1
	for ; n > 0; n-- {
		i := strings.Index(s[at+1:], sub)
		if i < 0 {
			return 0, nil
		}
		at += 1 + i
	}
	if n == 0 {
		return int64(utf8.RuneCountInString(s[:at])) + 1, nil
	}
	for end := len(s); n < 0; n++ {
		if at = strings.LastIndex(s[:end], sub); at < 0 {
			return 0, nil
		}
		end = at + len(sub) - 1
	}
	return int64(len(utf16.Encode([]rune(s[:at])))) + 1, nil // Trino counts so from the end
}

func reverse(s string) string {
	runes := []rune(s)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

func pad(s string, n int64, with string, left bool) (string, error) {
	if n < 0 || n > 1<<31-1 {
		return "", invalid("Target length must be in the range [0..2147483647]")
	}
	if with == "" {
		return "", invalid("Padding string must not be empty")
	}
	missing := n - int64(utf8.RuneCountInString(s))
	if missing <= 0 {
		return s[:offset(s, n)], nil
	}
	width := int64(utf8.RuneCountInString(with))
	if (missing/width+1)*int64(len(with)) > maxPadded {
		return "", unsupported("a text padded to %d characters is too long", n)
	}
	padding := strings.Repeat(with, int(missing/width)) + with[:offset(with, missing%width)]
	if left {
		return padding + s, nil
	}
	return s + padding, nil
}

// translate replaces characters of from by those of to at the same place, or removes them.
func translate(s, from, to string) string {
	targets, with := []rune(to), map[rune]rune{}
	i := 0
	for _, c := range from {
		if _, known := with[c]; !known {
			with[c] = -1 // strings.Map removes it
			if i < len(targets) {
				with[c] = targets[i]
			}
		}
		i++
	}
	return strings.Map(func(c rune) rune {
		if t, ok := with[c]; ok {
			return t
		}
		return c
	}, s)
}

var normalForms = map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}

func normalize(s, form string) (string, error) {
	f, ok := normalForms[form]
	if !ok {
		return "", invalid("Normalization form must be one of [NFD, NFC, NFKD, NFKC]")
	}
	return f.String(s), nil
}

// soundexCodes has the digit of each letter: - for H and W, which do not separate equal digits.
const soundexCodes = "01230120022455012623010202"

func soundex(s string) (string, error) {
	letters := []byte{}
	for _, c := range strings.ToUpper(s) {
		switch {
		case c >= 'A' && c <= 'Z':
			letters = append(letters, byte(c))
		case unicode.IsLetter(c):
			return "", invalid("The character is not mapped: %c (index=%d)", c, c-'A')
		}
	}
	if len(letters) == 0 {
		return "", nil
	}
	out := []byte{letters[0]}
	last := soundexCodes[letters[0]-'A']
	for _, c := range letters[1:] {
		if c == 'H' || c == 'W' {
			continue
		}
		code := soundexCodes[c-'A']
		if code != '0' && code != last {
			out = append(out, code)
		}
		if last = code; len(out) == 4 {
			break
		}
	}
	return (string(out) + "000")[:4], nil
}

// Levenshtein counts the edits from a to b.
func Levenshtein[T comparable](a, b []T) int64 {
	row := make([]int64, len(b)+1)
	for j := range row {
		row[j] = int64(j)
	}
	for i, x := range a {
		corner := row[0]
		row[0] = int64(i) + 1
		for j, y := range b {
			cost := corner
			if x != y {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

func hamming(a, b string) (int64, error) {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) {
		return 0, invalid("The input strings to hamming_distance function must have the same length")
	}
	n := int64(0)
	for i := range x {
		if x[i] != y[i] {
			n++
		}
	}
	return n, nil
}

func chr(n int64) (string, error) {
	if n < 0 || n > unicode.MaxRune || !utf8.ValidRune(rune(n)) {
		return "", invalid("Not a valid Unicode code point: %d", n)
	}
	return string(rune(n)), nil
}

func codepoint(s string) (int32, error) {
	if utf8.RuneCountInString(s) != 1 {
		return 0, invalid("Input string must be a single character string")
	}
	c, _ := utf8.DecodeRuneInString(s)
	return c, nil
}

func luhn(s string) (bool, error) {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i]) - '0'
		if d < 0 || d > 9 {
			return false, invalid("Input contains non-digit character")
		}
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return s != "" && sum%10 == 0, nil
}
