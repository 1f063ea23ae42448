package ingest

import (
	"testing"
	"time"
)

func TestNormalizedChannel(t *testing.T) {
	for channel, want := range map[string]string{
		"release": "release", "esr": "esr", "aurora": "aurora", "beta": "beta", "nightly": "nightly",
		"beta-cck-x": "beta", "beta1": "beta", "nightly-cck-x": "nightly", "nightly-cck-": "nightly",
		"nightly-x": "Other", "release-cck-x": "Other", "Release": "Other", "BETA": "Other", "esr52": "Other",
		"default": "Other", "": "Other", " beta": "Other", "aurora ": "Other",
	} {
		if got := NormalizedChannel([]byte(channel)); got != want {
			t.Errorf("%q: got %s, want %s", channel, got, want)
		}
	}
	if got := NormalizedChannel(nil); got != "Other" {
		t.Errorf("no channel: %s", got)
	}
}

func TestNormalizedOSVersion(t *testing.T) {
	for version, want := range map[string]string{
		"10.0": "10.0", "6.1.7601.1": "6.1.7601", "10..1": "10", "1.2.": "1.2", ".1": "", "٣": "", "-1": "", "1,2": "1", "007.0": "007.0",
	} {
		if got := string(NormalizedOSVersion([]byte(version))); got != want {
			t.Errorf("%q: got %q, want %q", version, got, want)
		}
	}
	if NormalizedOSVersion([]byte("x")) != nil || NormalizedOSVersion(nil) != nil {
		t.Error("no version is not nil")
	}
}

func TestCreationTimestamp(t *testing.T) {
	for date, want := range map[string]int64{
		"2015-11-05T01:25:43.312Z":            1446686743312000000,
		"2015-11-05T01:25:43Z":                1446686743000000000,
		"2015-11-05T03:25:43.312+02:00":       1446686743312000000,
		"2018-06-01T10:00:00.123456789-07:30": 1527874200123456789,
		"1970-01-01T00:00:00Z":                0,
		"1969-12-31T23:59:59.999999999Z":      -1,
		"2262-01-01T00:00:00Z":                9214646400000000000,
	} {
		if got, ok := CreationTimestamp([]byte(date)); !ok || got != want {
			t.Errorf("%s: got %d %v, want %d", date, got, ok, want)
		}
	}
	for _, date := range []string{
		"", "2015-11-05", "2015-11-05T01:25:43", "2015-13-05T01:25:43Z", "2015-02-29T01:25:43Z", "2015-11-05 01:25:43Z",
		"2263-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "x2015-11-05T01:25:43Z", "2015-11-05T01:25:43Zx",
		"2015-11-05T25:25:43Z",
	} {
		if got, ok := CreationTimestamp([]byte(date)); ok {
			t.Errorf("%s: got %s", date, time.Unix(0, got).UTC())
		}
	}
}

func TestForwardedAddress(t *testing.T) {
	for header, want := range map[string]string{
		"1.2.3.4": "1.2.3.4", "a,b,\t c": "c", "a,": "", ",": "", ",  ": " ", " x ": "x ",
	} {
		got, ok := ForwardedAddress([]byte(header))
		if string(got) != want || ok != (want != "") {
			t.Errorf("%q: got %q %v, want %q", header, got, ok, want)
		}
	}
}
