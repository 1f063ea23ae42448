package ingest

import "encoding/json"

// The functions of this file skip parts of a document that must be valid JSON.

// skipSpace returns the position of the first byte from p on that is not a blank.
func skipSpace(b []byte, p int) int {
	for p < len(b) && (b[p] == ' ' || b[p] == '\n' || b[p] == '\r' || b[p] == '\t') {
		p++
	}
	return p
}

// skipString returns the position after the string whose opening quote is at p.
func skipString(b []byte, p int) int {
	for p++; ; p++ {
		switch b[p] {
		case '"':
			return p + 1
		case '\\':
			p++
		}
	}
}

// skipNumber returns the position after the number at p.
func skipNumber(b []byte, p int) int {
	for p < len(b) && (b[p] >= '0' && b[p] <= '9' || b[p] == '-' || b[p] == '+' || b[p] == '.' || b[p]|' ' == 'e') {
		p++
	}
	return p
}

// skipValue returns the position after the value at p.
func skipValue(b []byte, p int) int {
	switch b[p] {
	case '"':
		return skipString(b, p)
	case '{', '[':
		return skipContainer(b, p)
	case 't', 'n':
		return p + len("true")
	case 'f':
		return p + len("false")
	}
	return skipNumber(b, p)
}

func skipContainer(b []byte, p int) int {
	depth := 0
	for {
		switch b[p] {
		case '"':
			p = skipString(b, p)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return p + 1
			}
		}
		p++
	}
}

// readString returns the text of the string whose opening quote is at p, and the position after it. A lone
// surrogate becomes U+FFFD.
func readString(b []byte, p int) (text []byte, end int) {
	for i := p + 1; ; i++ {
		switch b[i] {
		case '"':
			return b[p+1 : i], i + 1
		case '\\':
			end = skipString(b, p)
			var s string
			if json.Unmarshal(b[p:end], &s) != nil {
				return b[p+1 : end-1], end
			}
			return []byte(s), end
		}
	}
}

// smallInteger reads the number at p if it is written as an integer of up to 18 digits.
func smallInteger(b []byte, p int) (v int64, end int, ok bool) {
	negative := b[p] == '-'
	if negative {
		p++
	}
	start := p
	for p < len(b) {
		c := b[p] - '0'
		if c > 9 {
			break
		}
		v = v*10 + int64(c)
		p++
	}
	if p-start > 18 || p < len(b) && (b[p] == '.' || b[p]|' ' == 'e') {
		return 0, p, false
	}
	if negative {
		v = -v
	}
	return v, p, true
}
