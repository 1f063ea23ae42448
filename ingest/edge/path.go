package edge

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

const (
	telemetry    = "telemetry"
	submitPrefix = "/submit/"
)

// target returns the path and query string of a request target. A target in absolute form also has a scheme and
// an authority, which it removes.
func target(uri string) string {
	if strings.HasPrefix(uri, "/") {
		return uri
	}
	for _, scheme := range []string{"http://", "https://"} {
		if len(uri) > len(scheme) && strings.EqualFold(uri[:len(scheme)], scheme) {
			if i := strings.IndexByte(uri[len(scheme):], '/'); i >= 0 {
				return uri[len(scheme)+i:]
			}
		}
	}
	return ""
}

// parseTarget returns the namespace and document type of a submission, and reports whether the target has one
// of the two forms:
//
//	/submit/telemetry/<documentId>/<docType>/<appName>/<appVersion>/<appUpdateChannel>/<appBuildId>
//	/submit/<namespace>/<docType>/<docVersion digits>/<documentId>
//
// Further segments may follow, and a query string. Decoding accepts every target that is accepted here; it is
// more lenient about empty segments and about characters that serve path tricks.
func parseTarget(uri string) (namespace, docType string, ok bool) {
	path, query, _ := strings.Cut(uri, "?")
	rest, ok := strings.CutPrefix(path, submitPrefix)
	if !ok || !validText(query) {
		return "", "", false
	}
	var second, third string
	n := 0
	for more := true; more; n++ {
		var seg string
		seg, rest, more = strings.Cut(rest, "/")
		if seg == "" && !more {
			break // a slash at the end
		}
		if !validSegment(seg) {
			return "", "", false
		}
		switch n {
		case 0:
			namespace = seg
		case 1:
			second = seg
		case 2:
			third = seg
		}
	}
	if n >= 7 && namespace == telemetry {
		return namespace, third, true
	}
	return namespace, second, n >= 4 && allDigits(third)
}

// validSegment reports whether a path segment is acceptable, both raw and decoded.
func validSegment(seg string) bool {
	if !plainSegment(seg) || strings.IndexByte(seg, '#') >= 0 {
		return false
	}
	if strings.IndexByte(seg, '%') < 0 {
		return true
	}
	decoded, err := url.PathUnescape(seg)
	return err == nil && plainSegment(decoded) && strings.IndexByte(decoded, '/') < 0
}

func plainSegment(seg string) bool {
	return seg != "" && seg != "." && seg != ".." && validText(seg)
}

// validText reports whether s is UTF-8 without control bytes.
func validText(s string) bool {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == 0x7f:
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return ascii || utf8.ValidString(s)
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
