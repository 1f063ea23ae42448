package spool

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// identityName is the file with the spool's identity, which no other spool of the edge has.
const identityName = "identity"

// Identity returns an identifier of this spool, different from any other spool, also of the same edge. The
// decoding process creates it once.
func (s *Spool) Identity() (string, error) { return identify(s.dir) }

// Identity works like [Spool.Identity].
func (f *Follower) Identity() (string, error) { return identify(f.dir) }

func identify(dir string) (string, error) {
	path := filepath.Join(dir, identityName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(rand.Text() + "\n")
		err = replaceFile(path, text)
	}
	if err != nil {
		return "", fmt.Errorf("tell the spool from others: %w", err)
	}
	id := strings.TrimSpace(string(text))
	if len(id) != len(rand.Text()) || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return "", fmt.Errorf("%s is damaged: remove it, if the spool has always been that of this edge", path)
	}
	return id, nil
}
