package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/pingmill/pingmill/tools/generate"
)

// writeRequests writes n requests and returns the mean size of their bodies.
func writeRequests(path string, n int) (mean float64, err error) {
	pings, err := mainPings(3, n, true)
	if err != nil {
		return 0, err
	}
	var all [][]byte
	for s := range pings {
		all = append(all, appendRequest(nil, s))
		if mean += float64(len(s.Body)) / float64(n); len(all) == n {
			break
		}
	}
	f, err := create(path, nil)
	if err != nil {
		return 0, err
	}
	return mean, errors.Join(gob.NewEncoder(f).Encode(all), f.Close())
}

// appendRequest returns a submission as it goes over the wire.
func appendRequest(b []byte, s *generate.Submission) []byte {
	b = fmt.Appendf(b, "POST %s HTTP/1.1\r\n", s.URI)
	for _, h := range s.Headers {
		b = fmt.Appendf(b, "%s: %s\r\n", h.Name, h.Value)
	}
	if _, ok := s.Header("Host"); !ok {
		b = append(b, "Host: localhost\r\n"...)
	}
	b = fmt.Appendf(b, "Content-Length: %d\r\n\r\n", len(s.Body))
	return append(b, s.Body...)
}

// readRequests reads what writeRequests wrote.
func readRequests(path string) (all [][]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = gob.NewDecoder(f).Decode(&all)
	return all, err
}

// diskFolder creates a folder on a disk: in the user's folder, the temporary folder or, if that is in memory, the
// working folder.
func diskFolder(dir string) (string, error) {
	for _, base := range []string{dir, os.TempDir(), "."} {
		var st unix.Statfs_t
		if base == "" || unix.Statfs(base, &st) != nil || st.Type == unix.TMPFS_MAGIC || st.Type == unix.RAMFS_MAGIC {
			continue
		}
		made, err := os.MkdirTemp(base, "pingmill-bench-")
		if err != nil {
			return "", fmt.Errorf("make folder for the spool: %w", err)
		}
		return filepath.Abs(made)
	}
	return "", errors.New("make folder for the spool: no folder on a disk; give one with -spool")
}
