package ping

// number returns the end of the number at p, or the position of the error and false.
func number(b []byte, p int) (end int, ok bool) {
	if p < len(b) && b[p] == '-' {
		p++
	}
	if p < len(b) && b[p] == '0' {
		p++
	} else if p, ok = digits(b, p); !ok {
		return p, false
	}
	if p < len(b) && b[p] == '.' {
		if p, ok = digits(b, p+1); !ok {
			return p, false
		}
	}
	if p < len(b) && b[p]|0x20 == 'e' {
		if p++; p < len(b) && (b[p] == '+' || b[p] == '-') {
			p++
		}
		return digits(b, p)
	}
	return p, true
}

// digits returns the end of the digits at p, and false if there are none.
func digits(b []byte, p int) (end int, ok bool) {
	start := p
	for p < len(b) && isDigit(b[p]) {
		p++
	}
	return p, p > start
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// scalar returns the end of the number or literal name at p, or the position of the error and false.
func scalar(b []byte, p int) (end int, ok bool) {
	switch b[p] {
	case 't':
		return literal(b, p, "true")
	case 'f':
		return literal(b, p, "false")
	case 'n':
		return literal(b, p, "null")
	}
	return number(b, p)
}

func literal(b []byte, p int, name string) (end int, ok bool) {
	if len(b)-p >= len(name) && string(b[p:p+len(name)]) == name {
		return p + len(name), true
	}
	for i := 0; i < len(name) && p < len(b) && b[p] == name[i]; i++ {
		p++
	}
	return p, false
}

// escape returns the end of the escape sequence whose backslash is at p, or the position of the error and
// false.
func escape(b []byte, p int) (end int, ok bool) {
	if p++; p >= len(b) {
		return p, false
	}
	switch b[p] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return p + 1, true
	case 'u':
		for range 4 {
			if p++; p >= len(b) || !isHex(b[p]) {
				return p, false
			}
		}
		return p + 1, true
	}
	return p, false
}

func isHex(c byte) bool { return isDigit(c) || c|0x20-'a' <= 5 }
