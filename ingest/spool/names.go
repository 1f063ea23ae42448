package spool

import (
	"cmp"
	"errors"
	"fmt"
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
	damagedEnd   = ".damaged"
	numberDigits = 16
	lockName     = "lock"
	readLockName = "decode.lock"
	floorName    = "floor"
)

// Segment is one sealed file of a spool.
type Segment struct {
	Edge        string
	Number      uint64 // never decreases within a spool
	Path        string
	Records     int
	First, Last int64  // timestamps of its records, ns since epoch
	Bytes       int64  // size of the file
	Previous    uint64 // number of the segment that was sealed before; 0: not known
	// Damage is the reason why the segment cannot be read; empty for a file of records, which may be damaged as
	// well.
	Damage string
	// After is the position behind the segment, if several processes decode the spool in turn; otherwise nil.
	After *Position
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

// List lists the sealed segments of a folder, oldest first. Another process may write there meanwhile.
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
		if g.Damage != "" {
			k, ok = g, true
		}
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

// listNames returns the sealed segments without what their files say. While segments are sealed a listing may have one
// and lack an older one, which got its name a moment before. The next listing has that; so what it has up to the newest
// of the first is complete.
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
		if edge, number, ok := parseName(e.Name(), sealedSuffix); ok {
			g := Segment{Edge: edge, Number: number, Path: filepath.Join(dir, e.Name())}
			if !e.Type().IsRegular() {
				g.Damage = notRegular(e.Type())
			}
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b Segment) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Edge, b.Edge))
	})
	// A system may give a name twice while others are renamed in the folder.
	return slices.CompactFunc(all, func(a, b Segment) bool { return a.Path == b.Path }), nil
}

// describe fills in what the file of a segment says, from its footer, or by
// reading all of it when there is none.
func describe(g Segment) (Segment, error) {
	f, err := openRegular(g.Path)
	if err != nil {
		return g, fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return g, fmt.Errorf("open segment: %w", err)
	}
	g.Bytes = info.Size()
	switch {
	case !info.Mode().IsRegular():
		g.Damage = notRegular(info.Mode())
		return g, nil
	case g.Bytes > maxFile:
		g.Damage = fmt.Sprintf("it has %d bytes, more than a segment", g.Bytes)
		return g, nil
	case g.Bytes >= block+footerSize:
		tail := make([]byte, footerSize)
		_, err := f.ReadAt(tail, g.Bytes-footerSize)
		if u, ok := parseFooter(tail, g.Number, g.Bytes); ok && err == nil {
			g.Records, g.First, g.Last, g.Previous = u.records, u.first, u.last, u.previous
			return g, nil
		}
	}
	r, err := ReadSegment(g, nil)
	if err != nil {
		return g, err
	}
	g.Previous = r.reported.previous
	u, _ := r.scan()
	g.Records, g.First, g.Last = u.records, u.first, u.last
	return g, nil
}

// notRegular returns the kind of a file in the place of a segment that is not a regular file. Such a file is
// not opened, because the spool did not create it.
func notRegular(m fs.FileMode) string {
	kind := map[fs.FileMode]string{
		fs.ModeDir: "folder", fs.ModeSymlink: "symbolic link", fs.ModeNamedPipe: "pipe", fs.ModeSocket: "socket",
	}[m.Type()]
	return "it is a " + cmp.Or(kind, "device")
}
