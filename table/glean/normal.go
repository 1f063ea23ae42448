package glean

import (
	"bytes"
	"math"
	"strconv"
)

// channel normalizes a release channel.
func channel(text []byte) string {
	switch s := string(text); {
	case s == "release" || s == "esr" || s == "aurora" || s == "nightly":
		return s
	case bytes.HasPrefix(text, []byte("nightly-cck-")):
		return "nightly"
	case bytes.HasPrefix(text, []byte("beta")):
		return "beta"
	}
	return "Other"
}

// system normalizes the name of an operating system.
func system(text []byte) string {
	begins := func(s string) bool { return bytes.HasPrefix(text, []byte(s)) }
	has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	switch {
	case begins("Windows") || begins("WINNT"):
		return "Windows"
	case begins("Darwin"):
		return "Mac"
	case has("Linux") || has("BSD") || has("SunOS") || has("Solaris"):
		return "Linux"
	case begins("iOS") || has("iPhone"):
		return "iOS"
	case begins("Android"):
		return "Android"
	}
	return "Other"
}

// systemVersion returns the first three numbers of a version, with points between them; nil if it begins with none.
func systemVersion(text []byte) []byte {
	end := 0
	for group := 0; group < 3; group++ {
		at := end
		if group > 0 {
			if at >= len(text) || text[at] != '.' {
				break
			}
			at++
		}
		n := digits(text[at:])
		if n == 0 {
			break
		}
		end = at + n
	}
	if end == 0 {
		return nil
	}
	return text[:end]
}

func digits(text []byte) (n int) {
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// versionNumbers returns the numbers at the beginning of a version, at most three.
func versionNumbers(text []byte) (numbers [3]int64, n int) {
	for n < 3 {
		end := digits(text)
		v, err := strconv.ParseUint(string(text[:end]), 10, 63)
		if err != nil || v > math.MaxInt64 {
			return numbers, n
		}
		numbers[n] = int64(v)
		n++
		if end == len(text) || text[end] != '.' {
			return numbers, n
		}
		text = text[end+1:]
	}
	return numbers, n
}

// agents are the parts of a User-Agent that name an operating system, in the order in which they are looked for.
var agents = []struct{ part, os string }{
	{"Android", "Android"}, {"Linux", "Linux"}, {"Macintosh", "Macintosh"},
	{"Windows NT 10.0", "Windows 10"}, {"Windows NT 6.3", "Windows 8.1"}, {"Windows NT 6.1", "Windows 7"},
}

// userAgent reads browser, operating system and major version of a User-Agent of Firefox; "" is unknown.
func userAgent(text []byte) (browser, os, version string) {
	const name = "Firefox/"
	i := bytes.Index(text, []byte(name))
	if i < 0 {
		return "", "", ""
	}
	rest := text[i+len(name):]
	version = string(rest[:digits(rest)])
	for _, a := range agents {
		if bytes.Contains(text, []byte(a.part)) {
			os = a.os
			break
		}
	}
	return "Firefox", os, version
}
