package scalar

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode"
)

// uri is a URL in the parts of Java's java.net.URI, still escaped.
type uri struct {
	scheme, host, path, query, fragment string
	port                                int64 // -1: none
	question                            bool  // has a question mark
}

// parseURI reads a URL by the rules of java.net.URI, nil if it is none.
func parseURI(s string) *uri {
	u := &uri{port: -1}
	rest, fragment, _ := strings.Cut(s, "#")
	if !legal(fragment, "/?") {
		return nil
	}
	u.fragment = fragment
	if i := strings.IndexAny(rest, ":/?"); i >= 0 && rest[i] == ':' {
		if u.scheme = rest[:i]; !validScheme(u.scheme) {
			return nil
		}
		if rest = rest[i+1:]; rest == "" {
			return nil
		}
		if rest[0] != '/' { // opaque, such as about:home: it has no other parts
			if !legal(rest, "/?[]") {
				return nil
			}
			return u
		}
	}
	rest, u.query, u.question = strings.Cut(rest, "?")
	if !legal(u.query, "/?[]") {
		return nil
	}
	u.path = rest
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		u.path = ""
		if i := strings.IndexByte(authority, '/'); i >= 0 {
			authority, u.path = authority[:i], authority[i:]
		}
		if authority == "" && u.path == "" && u.query == "" && u.fragment == "" || !legal(authority, "[]") || !u.server(authority) {
			return nil
		}
	}
	if !legal(u.path, "/") {
		return nil
	}
	return u
}

func validScheme(s string) bool {
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && !strings.ContainsRune("+-.", rune(c))) {
			return false
		}
	}
	return s != ""
}

// legal reports whether a part has only characters that may stand in it, or escapes.
func legal(s, more string) bool {
	for i, c := range s {
		switch {
		case c == '%':
			if i+3 > len(s) || !hexDigits(s[i+1:i+3]) {
				return false
			}
		case c > 0x7f:
			if unicode.IsControl(c) || unicode.In(c, unicode.Z) {
				return false
			}
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
		case !strings.ContainsRune("_-!.~'()*,;:$&+=@"+more, c):
			return false
		}
	}
	return true
}

func hexDigits(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

// server reads [user@]host[:port]. What is none of these is an authority without a host.
func (u *uri) server(authority string) bool {
	rest := authority
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	host, port := rest, ""
	if strings.HasPrefix(rest, "[") {
		i := strings.IndexByte(rest, ']')
		if i < 0 {
			return false
		}
		if _, err := netip.ParseAddr(rest[1:i]); err != nil {
			return false
		}
		host, port = rest[:i+1], rest[i+1:]
		if port != "" && port[0] != ':' {
			return false
		}
		port = strings.TrimPrefix(port, ":")
	} else if i := strings.IndexByte(rest, ':'); i >= 0 {
		host, port = rest[:i], rest[i+1:]
	}
	if strings.ContainsAny(authority, "[]") && !strings.HasPrefix(host, "[") {
		return false
	}
	if !digits(port) && port != "" || !strings.HasPrefix(host, "[") && !hostname(host) {
		return !strings.HasPrefix(host, "[")
	}
	if port != "" {
		n, err := strconv.ParseInt(port, 10, 32)
		if err != nil {
			return true
		}
		u.port = n
	}
	u.host = host
	return true
}

// hostname reports whether a name is one: labels of letters, digits and hyphens, the last of which begins with a letter; or an
// address.
func hostname(s string) bool {
	if a, err := netip.ParseAddr(s); err == nil && a.Is4() {
		return true
	}
	labels := strings.Split(strings.TrimSuffix(s, "."), ".")
	for i, l := range labels {
		if l == "" || l[0] == '-' || l[len(l)-1] == '-' ||
			strings.Trim(l, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
			return false
		}
		if i == len(labels)-1 && l[0] >= '0' && l[0] <= '9' {
			return false
		}
	}
	return true
}
