package prompt

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// maxRemembered is the maximum number of statements in the history.
	maxRemembered = 5000
	// longestRemembered is the maximum length of a remembered statement in bytes.
	longestRemembered = 1 << 16
)

// history holds typed texts without duplicates, oldest first. Its file has a JSON string on each line. Only its owner
// may read it, because statements contain client ids.
type history struct {
	file  string // "": in memory only
	lines []string
}

// historyFile returns the path of the history in the user's state folder.
func historyFile(getenv func(string) string) string {
	dir := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "pingmill", "query_history")
}

// openHistory reads the file and rewrites it if it is too long. If the file cannot be read, it returns an error and a
// history in memory.
func openHistory(file string) (*history, error) {
	h := &history{}
	if file == "" {
		return h, nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return h, fmt.Errorf("open history: %w", err)
	}
	read, err := h.load(file)
	if err != nil {
		return h, fmt.Errorf("open history: %w", err)
	}
	h.file = file
	if read > 2*maxRemembered {
		err = h.rewrite()
	}
	return h, err
}

// load reads the file, which may be missing, and counts its lines. It skips invalid lines.
func (h *history) load(file string) (read int, err error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 8*longestRemembered)
	var all []string
	for s.Scan() {
		var line string
		if json.Unmarshal(s.Bytes(), &line) == nil && line != "" {
			all = append(all, line)
		}
	}
	seen := map[string]bool{}
	for _, line := range slices.Backward(all) {
		if !seen[line] && len(h.lines) < maxRemembered {
			seen[line] = true
			h.lines = append(h.lines, line)
		}
	}
	slices.Reverse(h.lines)
	return len(all), s.Err()
}

// rewrite replaces the file by the current lines.
func (h *history) rewrite() error {
	var b strings.Builder
	for _, line := range h.lines {
		b.Write(encodeLine(line))
	}
	temp := h.file + ".tmp"
	if err := os.WriteFile(temp, []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("cut history: %w", err)
	}
	return os.Rename(temp, h.file)
}

func encodeLine(line string) []byte {
	b, _ := json.Marshal(line) // a string has no error
	return append(b, '\n')
}

// add appends a statement, unless it begins with a space. A repeated statement moves to the end.
func (h *history) add(line string) error {
	if line == "" || line[0] == ' ' || len(line) > longestRemembered {
		return nil
	}
	line = strings.TrimRight(line, " \n\t")
	if line == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return nil
	}
	h.lines = append(slices.DeleteFunc(h.lines, func(s string) bool { return s == line }), line)
	if h.file == "" {
		return nil
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	_, err = f.Write(encodeLine(line)) // in one write: other prompts append to it, too
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	return nil
}
