package ingest

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// The errors of ParseURI; their texts are the messages of error outcomes.
var (
	ErrMissingURI = errors.New("missing uri")
	ErrInvalidURI = errors.New("invalid uri")
)

// URI is a parsed submission path. The texts point into the path; texts that its form does not have are nil.
type URI struct {
	Namespace  []byte
	DocumentID []byte
	DocType    []byte
	DocVersion []byte // generic form only: digits

	AppName, AppVersion, AppUpdateChannel, AppBuildID []byte // telemetry form only
}

var (
	submitPrefix       = []byte("/submit/")
	telemetryNamespace = []byte("telemetry")
)

// ParseURI reads a submission path of one of two forms, tried in this order:
//
//	/submit/telemetry/<documentId>/<docType>/<appName>/<appVersion>/<appUpdateChannel>/<appBuildId>
//	/submit/<namespace>/<docType>/<docVersion digits>/<documentId>
//
// Each segment has at least one character. A further slash ends the form and the rest is ignored; a query
// string belongs to the last segment.
func ParseURI(uri []byte) (URI, error) {
	if uri == nil {
		return URI{}, ErrMissingURI
	}
	path, ok := bytes.CutPrefix(uri, submitPrefix)
	if !ok || !utf8.Valid(path) {
		return URI{}, ErrInvalidURI
	}
	var seg [7][]byte
	n := 0
	for more := true; more && n < len(seg); n++ {
		if seg[n], path, more = bytes.Cut(path, []byte("/")); len(seg[n]) == 0 {
			break
		}
	}
	if n == 7 && bytes.Equal(seg[0], telemetryNamespace) {
		return URI{
			Namespace: seg[0], DocumentID: seg[1], DocType: seg[2],
			AppName: seg[3], AppVersion: seg[4], AppUpdateChannel: seg[5], AppBuildID: seg[6],
		}, nil
	}
	if n >= 4 && allDigits(seg[2]) {
		return URI{Namespace: seg[0], DocType: seg[1], DocVersion: seg[2], DocumentID: seg[3]}, nil
	}
	return URI{}, ErrInvalidURI
}

// telemetry reports whether the document is in the browser's namespace, in either form.
func (u *URI) telemetry() bool { return bytes.Equal(u.Namespace, telemetryNamespace) }

// allDigits reports whether s is one or more ASCII digits.
func allDigits(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(s) > 0
}
