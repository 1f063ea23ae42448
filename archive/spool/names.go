package spool

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	openSuffix   = ".open"
	sealedSuffix = ".seg"
	freeSuffix   = ".free" // of a removed segment, to become another one
	numberDigits = 16
	lockName     = "lock"
	readLockName = "decode.lock"
	floorName    = "floor"
)

// Segment is one sealed file of a spool.
type Segment struct {
	Edge        string
	Number      uint64 // grows for ever within a spool
	Path        string
	Records     int
	First, Last int64 // timestamps of its records, ns since epoch
	Bytes       int64 // size of the file
}

func validEdge(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return s != "" && len(s) <= 100
}

func segmentName(edge string, number uint64, suffix string) string {
	return fmt.Sprintf("%s-%0*d%s", edge, numberDigits, number, suffix)
}

// parseName reads a segment's file name with this suffix.
func parseName(name, suffix string) (edge string, number uint64, ok bool) {
	base, ok := strings.CutSuffix(name, suffix)
	i := strings.LastIndexByte(base, '-')
	if !ok || i < 0 || len(base)-i-1 != numberDigits || !validEdge(base[:i]) {
		return "", 0, false
	}
	number, err := strconv.ParseUint(base[i+1:], 10, 64)
	return base[:i], number, err == nil
}

// List gives the sealed segments of a folder, oldest first, also while another
// process writes there.
func List(dir string) ([]Segment, error) {
	return listSealed(dir, nil)
}

// listSealed is List with the segments that are known already, by file name.
// Afterwards known, unless it is nil, has those that it gives.
func listSealed(dir string, known map[string]Segment) ([]Segment, error) {
	names, err := listNames(dir)
	if err != nil {
		return nil, err
	}
	all := make([]Segment, 0, len(names))
	for _, g := range names {
		k, ok := known[filepath.Base(g.Path)]
		if !ok {
			k, err = describe(g)
			if errors.Is(err, fs.ErrNotExist) {
				continue // removed meanwhile
			}
			if err != nil {
				return nil, err
			}
		}
		all = append(all, k)
	}
	if known != nil {
		clear(known)
		for _, g := range all {
			known[filepath.Base(g.Path)] = g
		}
	}
	return all, nil
}

// listNames gives the sealed segments without what their files say. While
// segments are sealed a listing may have one and lack an older one, which got
// its name a moment before. The next listing has that; so what it has up to the
// newest of the first is complete.
func listNames(dir string) ([]Segment, error) {
	first, err := readNames(dir)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	all, err := readNames(dir)
	if err != nil {
		return nil, err
	}
	newest := first[len(first)-1].Number
	return slices.DeleteFunc(all, func(g Segment) bool { return g.Number > newest }), nil
}

func readNames(dir string) ([]Segment, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list segments: %w", err)
	}
	var all []Segment
	for _, e := range entries {
		if edge, number, ok := parseName(e.Name(), sealedSuffix); ok && e.Type().IsRegular() {
			all = append(all, Segment{Edge: edge, Number: number, Path: filepath.Join(dir, e.Name())})
		}
	}
	slices.SortFunc(all, func(a, b Segment) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Edge, b.Edge))
	})
	return all, nil
}

// describe fills in what the file of a segment says, from its footer, or by
// reading all of it when there is none.
func describe(g Segment) (Segment, error) {
	f, err := os.Open(g.Path)
	if err != nil {
		return g, fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return g, fmt.Errorf("open segment: %w", err)
	}
	g.Bytes = info.Size()
	if g.Bytes >= block+footerSize {
		tail := make([]byte, footerSize)
		if _, err := f.ReadAt(tail, g.Bytes-footerSize); err != nil && !errors.Is(err, io.EOF) {
			return g, fmt.Errorf("read segment %s: %w", g.Path, err)
		}
		if u, ok := parseFooter(tail, g.Number, g.Bytes); ok {
			g.Records, g.First, g.Last = u.records, u.first, u.last
			return g, nil
		}
	}
	r, err := ReadSegment(g, nil)
	if err != nil {
		return g, err
	}
	u, _ := r.scan()
	g.Records, g.First, g.Last = u.records, u.first, u.last
	return g, nil
}
