package store

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	maxName    = 1024 // bytes, the limit of S3
	maxSegment = 200  // bytes, leaves room for suffixes within the 255 of most file systems
)

// CheckName reports why name cannot name an object or a directory: names are
// UTF-8 paths of at most 1024 bytes, their segments separated by single
// slashes and 1 to 200 bytes long. A segment does not begin with a dot (such
// names belong to the Bucket itself, and "." and ".." never reach a file
// system) and holds neither control characters nor backslashes.
func CheckName(name string) error {
	if name == "" {
		return fmt.Errorf("bad object name: it is empty")
	}
	return checkPath(name, name)
}

// CheckPrefix works like CheckName, for the argument of List: it may be empty, end with a slash or stop within
// a segment.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return checkPath(strings.TrimSuffix(prefix, "/"), prefix)
}

func checkPath(path, shown string) error {
	if len(path) > maxName {
		return fmt.Errorf("bad object name %.40q…: longer than %d bytes", shown, maxName)
	}
	if !utf8.ValidString(path) {
		return fmt.Errorf("bad object name %q: not UTF-8", shown)
	}
	for segment := range strings.SplitSeq(path, "/") {
		if why := segmentFault(segment); why != "" {
			return fmt.Errorf("bad object name %q: %s", shown, why)
		}
	}
	return nil
}

func segmentFault(segment string) string {
	switch {
	case segment == "":
		return "empty segment"
	case segment[0] == '.':
		return "segment begins with a dot"
	case len(segment) > maxSegment:
		return fmt.Sprintf("segment longer than %d bytes", maxSegment)
	}
	for _, c := range segment {
		if c < 0x20 || c == 0x7f || c == '\\' {
			return fmt.Sprintf("segment holds %q", c)
		}
	}
	return ""
}
