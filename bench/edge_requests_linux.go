package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/pingmill/pingmill/generate"
)

// writeRequests writes n requests, each behind its length, and gives the mean
// size of their bodies.
func writeRequests(path string, n int) (mean float64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	var req []byte
	left, bodies := n, 0
	err = submissions(3, n, true, func(s *generate.Submission) error {
		req = appendRequest(req[:0], s)
		bodies += len(s.Body)
		var size [4]byte
		binary.LittleEndian.PutUint32(size[:], uint32(len(req)))
		_, err1 := w.Write(size[:])
		_, err2 := w.Write(req)
		if left--; left == 0 {
			return errors.Join(err1, err2, errEnough)
		}
		return errors.Join(err1, err2)
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return float64(bodies) / float64(n), errors.Join(err, w.Flush())
}

// appendRequest is a submission as it goes over the wire.
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
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for len(b) >= 4 {
		n := int(binary.LittleEndian.Uint32(b))
		if n > len(b)-4 {
			return nil, errors.New("the file of requests is cut short")
		}
		all = append(all, b[4:4+n:4+n])
		b = b[4+n:]
	}
	return all, nil
}

// diskFolder makes a folder that is on a disk: that of the user, or the
// temporary one, or, when that is in memory, one below the working folder.
func diskFolder(dir string) (string, error) {
	for _, base := range []string{dir, os.TempDir(), "."} {
		var st unix.Statfs_t
		if base == "" || unix.Statfs(base, &st) != nil || st.Type == unix.TMPFS_MAGIC || st.Type == unix.RAMFS_MAGIC {
			continue
		}
		made, err := os.MkdirTemp(base, "pingmill-bench-edge-")
		if err != nil {
			return "", fmt.Errorf("make folder for the spool: %w", err)
		}
		return filepath.Abs(made)
	}
	return "", errors.New("make folder for the spool: no folder on a disk; give one with -spool")
}
