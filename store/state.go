package store

import (
	"encoding/json"
	"fmt"
)

// StateError describes a damaged state object: a small object, such as progress/v1/edge.json of the archive, that has
// other bytes than the program writes.
type StateError struct {
	Name  string // of the object in its bucket
	Place string // its path or URL, see Place
	Why   string
	Mend  string // what the operator does where there is no backup; "" for nothing
}

// Error implements error.
func (e *StateError) Error() string {
	text := e.Place + " is damaged (" + e.Why + ")"
	if e.Mend != "" {
		text += ": restore it from a backup, or " + e.Mend
	}
	return text
}

// ParseState parses a state object in JSON and compares its format with the only known one. Its text is for
// StateError.Why.
func ParseState[T any](data []byte, known int, format func(*T) int) (state T, err error) {
	if err := json.Unmarshal(data, &state); err != nil {
		return state, err
	}
	if n := format(&state); n != known {
		return state, fmt.Errorf("its format is %d, this program knows %d", n, known)
	}
	return state, nil
}
