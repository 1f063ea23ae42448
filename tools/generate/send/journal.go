package send

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// longestLine is the longest line of a journal, more than any path takes.
const longestLine = 1 << 20

// OpenJournal opens the journal of acknowledged ids, creates it if it is missing, adds its ids to ids, and positions
// it for appending. It removes an incomplete last line, which a killed sender may leave.
func OpenJournal(name string, ids *IDs) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open journal of acknowledged ids: %w", err)
	}
	whole, err := readJournal(f, ids)
	if err == nil {
		err = f.Truncate(whole)
	}
	if err == nil {
		_, err = f.Seek(whole, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open journal of acknowledged ids %s: %w", name, err), f.Close())
	}
	return f, nil
}

// ReadJournal adds the ids of a journal to ids: one in each line, blank lines
// aside. A last line without an end is no id.
func ReadJournal(r io.Reader, ids *IDs) error {
	if _, err := readJournal(r, ids); err != nil {
		return fmt.Errorf("read journal of acknowledged ids: %w", err)
	}
	return nil
}

// readJournal adds the ids of a journal, and returns the size of its complete lines in bytes.
func readJournal(r io.Reader, ids *IDs) (whole int64, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return 0, nil, nil // more, or the torn end
		}
		return i + 1, data[:i], nil
	})
	for lines.Scan() {
		whole += int64(len(lines.Bytes())) + 1
		if id := bytes.TrimSpace(lines.Bytes()); len(id) > 0 {
			ids.Add(id)
		}
	}
	return whole, lines.Err()
}
