package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Load is the record of a finished load. Once it is committed under loads/v1, the load's files are part of the
// archive.
type Load struct {
	Format int        `json:"format"` // 1, or 2 with packed files
	ID     string     `json:"load"`
	Files  []LoadFile `json:"files"` // in the order of their counters

	// Replaces names the data files of earlier loads that this load replaced. They no longer count, whether
	// they still exist or not.
	Replaces []string `json:"replaces,omitempty"`

	// Rewrote holds the replaced files as they were, if the load removed rows permanently (RewriteDay): the
	// records of their loads may be deleted before this one.
	Rewrote []LoadFile `json:"rewrote,omitempty"`

	// Lost holds the replaced files that were dropped, as they were written (Drop). Undid holds those that were
	// removed with their load (Undo).
	Lost  []LoadFile `json:"lost,omitempty"`
	Undid []LoadFile `json:"undid,omitempty"`

	// Rebuilt is true if the record was rebuilt from the existing files.
	Rebuilt bool `json:"rebuilt,omitempty"`

	// Requests is the number of deletion requests known when the load began. See Options.Requests.
	Requests int `json:"requests,omitempty"`
}

// keepsIndex reports whether the load leaves a mark of its days: they had pings, and tables that were made from these
// are to be made again.
func (l *Load) keepsIndex() bool { return len(l.Undid) > 0 || len(l.Lost) > 0 }

// LoadFile is a data file of a load.
type LoadFile struct {
	Name    string `json:"name"`
	Rows    int64  `json:"rows"`
	Bytes   int64  `json:"bytes"`    // of the file
	Raw     int64  `json:"rawBytes"` // of the bodies in it, uncompressed
	Kind    string `json:"kind"`     // pings or errors
	Day     string `json:"day"`      // "" when not known
	DocType string `json:"docType,omitempty"`
	Packed  bool   `json:"packed,omitempty"`  // documents are as their clients have compressed them
	Headers bool   `json:"headers,omitempty"` // columns of metadata that come from further headers

	// Prepared files were written with prepared rows beside them, which may be gone: see maintain.DropPrepared. Earlier programs ignore
	// them.
	Prepared bool `json:"prepared,omitempty"`

	// Compact files have the rows of other files in a smaller form. They represent these in the generation of
	// their day as long as all files of their load exist: Siblings is the number of these, and For of the first
	// compact one has the represented files, sorted by name. If rows were removed the files represent themselves.
	Compact  bool       `json:"compact,omitempty"`
	Siblings int        `json:"siblings,omitempty"`
	For      []Replaced `json:"for,omitempty"`

	// SHA256 is the hash of the file in hexadecimal, and Footer the CRC-32C of the bytes after its last row
	// group. Older versions wrote neither.
	SHA256 string  `json:"sha256,omitempty"`
	Footer *uint32 `json:"footer,omitempty"`
}

// Replaced is a file that compact files represent.
type Replaced struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// These are the formats of records. Programs that know only the first cannot read packed files, and those that know the
// first two cannot read files with columns of further headers.
const (
	loadFormat    = 1
	packedFormat  = 2
	headersFormat = 3
)

// formatOf returns the format of a record.
func formatOf(l *Load) int {
	if slices.ContainsFunc(l.Files, func(f LoadFile) bool { return f.Headers }) {
		return headersFormat
	}
	if slices.ContainsFunc(l.Files, func(f LoadFile) bool { return f.Packed }) {
		return packedFormat
	}
	return loadFormat
}

// in reports whether the file is of the partition.
func (f *LoadFile) in(p partition) bool {
	return f.Kind == p.kind.Name() && f.Day == string(p.day) && f.DocType == string(p.docType)
}

// Loaded returns the record of a finished load. ok is false if there is none.
func Loaded(ctx context.Context, b store.Bucket, load string) (l *Load, ok bool, err error) {
	if err := naming.CheckLoad(load); err != nil {
		return nil, false, err
	}
	l, err = readLoad(ctx, b, naming.Record(load))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err == nil && l.ID != load {
		err = &recordError{naming.Record(load), fmt.Sprintf("is the record of load %.40q", l.ID)}
	}
	return l, err == nil, err
}

// recordError marks a load's record that cannot be understood.
type recordError struct{ name, reason string }

func (e *recordError) Error() string { return "read " + e.name + ": it " + e.reason }

// IsBadRecord reports whether an error means that the record of a load cannot be decoded.
func IsBadRecord(err error) bool {
	var bad *recordError
	return errors.As(err, &bad)
}

// WriteRecord replaces the record of a load and adds the load to the index. It sets the format.
func WriteRecord(ctx context.Context, b store.Bucket, l *Load) error {
	l.Format = formatOf(l)
	if err := writeLoad(ctx, b, naming.Record(l.ID), l); err != nil {
		return err
	}
	return addToIndex(ctx, b, l, nil)
}

// RemoveRecord deletes the record of a load, after its entries of the index.
func RemoveRecord(ctx context.Context, b store.Bucket, l *Load) error {
	if err := removeFromIndex(ctx, b, l); err != nil {
		return err
	}
	return b.Delete(ctx, naming.Record(l.ID))
}

func readLoad(ctx context.Context, b store.Bucket, name string) (*Load, error) {
	data, err := store.ReadFile(ctx, b, name)
	if err != nil {
		return nil, err
	}
	var l Load
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, &recordError{name, fmt.Sprintf("cannot be read (%.60s)", err)}
	}
	if l.Format < loadFormat || l.Format > headersFormat {
		return nil, &recordError{name, fmt.Sprintf("has format %d, and this version knows %d to %d", l.Format, loadFormat, headersFormat)}
	}
	if !rowfile.CheckSum(data) {
		return nil, &recordError{name, "has a wrong checksum"}
	}
	return &l, nil
}

func writeLoad(ctx context.Context, b store.Bucket, name string, l *Load) error {
	data, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return store.WriteFile(ctx, b, name, rowfile.AppendSum(data))
}

// Summary is the result of a Writer.
type Summary struct {
	Load          string
	AlreadyLoaded bool  // there is an earlier load of the same input; nothing was changed
	Pings         int64 // rows in the archive, also when they were loaded earlier
	Errors        int64 // rejected submissions
	Files         int
	Bytes         int64      // of the files
	Raw           int64      // of the bodies, uncompressed
	Replaced      int        // files of earlier loads whose place this one took
	Days          []ping.Day // with new pings or errors, sorted; "" for errors of no known day
}

func (l *Load) summary() Summary {
	s := Summary{Load: l.ID, Files: len(l.Files), Replaced: len(l.Replaces)}
	days := map[string]bool{}
	for _, f := range l.Files {
		if f.Kind == rowfile.Pings.Name() {
			s.Pings += f.Rows
		} else {
			s.Errors += f.Rows
		}
		s.Bytes += f.Bytes
		s.Raw += f.Raw
		days[f.Day] = true
	}
	s.Days = sortedDays(days)
	return s
}

// Loads lists the names of the finished loads that begin with a prefix, sorted.
func Loads(ctx context.Context, b store.Bucket, prefix string) ([]string, error) {
	var names []string
	for e, err := range b.List(ctx, naming.Loads+"/"+prefix) {
		if err != nil {
			return nil, fmt.Errorf("list loads: %w", err)
		}
		if name, ok := strings.CutSuffix(strings.TrimPrefix(e.Name, naming.Loads+"/"), ".json"); ok {
			names = append(names, name)
		}
	}
	return names, nil
}
