package folder

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/pingmill/pingmill/sql/dashboard"
)

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// What to do with a file.
type action int

const (
	nothing action = iota
	record         // both sides are equal
	load           // read the file
	write          // write the file
	remove         // remove the file
	forget         // neither side exists any more
	conflict
)

// decide returns what to do with a file, and why it is a conflict. state is nil if the sides were never equal.
func decide(file, stored side, state *dashboard.FileState) (action, string) {
	equal := file.exists && stored.exists && file.text == stored.text
	if state == nil {
		switch {
		case equal:
			return record, ""
		case file.exists && stored.exists:
			return conflict, "the file differs from what is stored under its id, and nothing says which is newer"
		case file.exists:
			return load, ""
		}
		return write, ""
	}
	fileChanged := !file.exists || hash(file.text) != state.Hash
	storedChanged := !stored.exists || stored.revision != state.Revision
	switch {
	case !file.exists && !stored.exists:
		return forget, ""
	case !fileChanged && !storedChanged:
		return nothing, ""
	case equal:
		return record, ""
	case !fileChanged && !stored.exists:
		return remove, ""
	case !fileChanged:
		return write, ""
	case !storedChanged && file.exists:
		return load, ""
	case !file.exists && !storedChanged:
		return conflict, "the file is gone: remove it in the query tool, too, or restore the file"
	case !file.exists:
		return conflict, "the file is gone, and it was changed in the query tool"
	case !stored.exists:
		return conflict, "the file was changed, and it was removed in the query tool"
	}
	return conflict, "both the file and what is stored were changed: make them equal"
}
