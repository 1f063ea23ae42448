package ingest

import (
	"bytes"
	"math"
	"time"
)

// normalizedChannels lists what NormalizedChannel returns.
var normalizedChannels = [...]string{"release", "esr", "aurora", "beta", "nightly", "Other"}

// NormalizedChannel returns the known update channel that a channel belongs to: release, esr, aurora, beta,
// nightly or Other. Case matters.
func NormalizedChannel(channel []byte) string {
	switch c := string(channel); c {
	case "release", "esr", "aurora", "nightly":
		return c
	}
	switch {
	case bytes.HasPrefix(channel, []byte("beta")):
		return "beta"
	case bytes.HasPrefix(channel, []byte("nightly-cck-")):
		return "nightly"
	}
	return "Other"
}

// NormalizedOSVersion returns the start of an operating system's version: up to three groups of digits with
// points between them, nil if there is none.
func NormalizedOSVersion(version []byte) []byte {
	end := 0
	for group, p := 0, 0; group < 3; group++ {
		start := p
		for p < len(version) && version[p] >= '0' && version[p] <= '9' {
			p++
		}
		if p == start {
			break
		}
		end = p
		if p == len(version) || version[p] != '.' {
			break
		}
		p++
	}
	if end == 0 {
		return nil
	}
	return version[:end:end]
}

// CreationTimestamp reads an RFC 3339 time as ns since epoch. It rejects times that do not fit 64 bits, before
// 1678 and after 2261.
func CreationTimestamp(date []byte) (ns int64, ok bool) {
	t, err := time.Parse(time.RFC3339Nano, string(date))
	if err != nil {
		return 0, false
	}
	sec := t.Unix()
	if sec <= math.MinInt64/int64(time.Second) || sec >= math.MaxInt64/int64(time.Second) {
		return 0, false
	}
	return t.UnixNano(), true
}

// ForwardedAddress returns the address that the proxy nearest to the server saw: the last entry of an
// X-Forwarded-For header without its leading blanks. It never removes the last character. It returns false if
// there is no such entry; then use the peer's address.
func ForwardedAddress(header []byte) ([]byte, bool) {
	last := header[bytes.LastIndexByte(header, ',')+1:]
	for len(last) > 1 && (last[0] == ' ' || last[0] == '\t') {
		last = last[1:]
	}
	return last, len(last) > 0
}
