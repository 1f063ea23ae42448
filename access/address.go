package access

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// addressFile holds the URL at which the query tool was served last: links that commands print lead there.
const addressFile = "address"

// Address returns the URL at which the query tool was served last, "" if it never was.
func (s *Store) Address() (string, error) {
	url, err := os.ReadFile(filepath.Join(s.dir, addressFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read address of the query tool: %w", err)
	}
	return strings.TrimSpace(string(url)), nil
}

// SetAddress records the URL at which the query tool is served.
func (s *Store) SetAddress(url string) error {
	if err := os.WriteFile(filepath.Join(s.dir, addressFile), []byte(url+"\n"), 0o600); err != nil {
		return fmt.Errorf("record address of the query tool: %w", err)
	}
	return nil
}
