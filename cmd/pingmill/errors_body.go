package main

import (
	"unicode/utf8"

	"github.com/pingmill/pingmill/ingest"
)

// unpackText is a body as text, unpacked if it is packed. ok is false for one
// that is no text, is damaged, or has more bytes than decoding takes by default.
func unpackText(body []byte, headers map[string]string) (text string, ok bool) {
	plain, err := ingest.Config{}.Unpack(body, headers)
	if err != nil || !utf8.Valid(plain) {
		return "", false
	}
	return string(plain), true
}
