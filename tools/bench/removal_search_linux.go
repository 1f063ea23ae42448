package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"
)

// idSearch is a search of a folder for clients, and its results.
type idSearch struct {
	forms map[uint64][]idForm // by their first 8 bytes
	maybe []uint64            // a bit for each hash of these bytes

	mu       sync.Mutex
	Files    int
	Bytes    int64 // that were searched, as stored and unpacked
	Mentions int
	Found    map[string]int // mentions by file
	Clients  int            // that were found
	clients  map[int]bool
}

// idForm is a form in which an id can be written.
type idForm struct {
	text   []byte
	client int
}

// searchIDs searches the files of a folder for ids, UUIDs in lower case: in their bytes as they are, and in what is packed in them.
func searchIDs(ctx context.Context, dir string, ids []string) (*idSearch, error) {
	s := &idSearch{forms: map[uint64][]idForm{}, maybe: make([]uint64, 1<<formBits/64), Found: map[string]int{}, clients: map[int]bool{}}
	for i, id := range ids {
		short := strings.ReplaceAll(id, "-", "")
		raw, err := hex.DecodeString(short)
		if err != nil || len(raw) != 16 {
			return nil, fmt.Errorf("search for clients: %q is no UUID", id)
		}
		for _, form := range []string{id, short, strings.ToUpper(id), strings.ToUpper(short), string(raw)} {
			first := binary.LittleEndian.Uint64([]byte(form))
			s.forms[first] = append(s.forms[first], idForm{[]byte(form), i})
			at := formHash(first)
			s.maybe[at/64] |= 1 << (at % 64)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	seen := map[uint64]bool{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := os.Lstat(name)
		if err != nil {
			return err
		}
		file := info.Sys().(*syscall.Stat_t).Ino
		if seen[file] {
			return nil // another link to it
		}
		seen[file] = true
		g.Go(func() error {
			if err := errors.Join(ctx.Err(), s.file(name)); err != nil {
				return fmt.Errorf("search %s for clients: %w", name, err)
			}
			return nil
		})
		return nil
	})
	return s, errors.Join(err, g.Wait())
}

// removalSearch searches a lake for the clients.
func removalSearch(ctx context.Context, data, _ string) (mentions, bytes int64, err error) {
	ids, _, err := chosen(data)
	if err != nil {
		return 0, 0, err
	}
	s, err := searchIDs(ctx, data, ids)
	if err != nil {
		return 0, 0, err
	}
	fmt.Fprintln(os.Stderr, data, s)
	return int64(s.Mentions), s.Bytes, keep(s, data, "removal-search")
}

func (s *idSearch) String() string {
	return fmt.Sprintf("%d mentions of %d clients in %d of %d files, %d bytes", s.Mentions, s.Clients, len(s.Found), s.Files, s.Bytes)
}

const formBits = 24

func formHash(first uint64) uint64 { return first * 0x9e3779b97f4a7c15 >> (64 - formBits) }

// file searches a file.
func (s *idSearch) file(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var at idHits
	at.look(s, data)
	switch {
	case strings.HasSuffix(name, ".parquet"):
		err = at.pages(s, data)
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		var r *zstd.Decoder
		if r, err = zstd.NewReader(bytes.NewReader(data)); err == nil {
			defer r.Close()
			err = at.unpacked(s, r)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Files++
	s.Bytes += at.bytes
	if len(at.clients) > 0 {
		s.Mentions += len(at.clients)
		s.Found[name] = len(at.clients)
	}
	for _, c := range at.clients {
		s.clients[c] = true
	}
	s.Clients = len(s.clients)
	return err
}

// idHits are the mentions in a file.
type idHits struct {
	bytes   int64
	clients []int
}

// look searches bytes, and what is packed by gzip in them.
func (h *idHits) look(s *idSearch, data []byte) {
	h.bytes += int64(len(data))
	for i := 0; i+8 <= len(data); i++ {
		first := binary.LittleEndian.Uint64(data[i:])
		if first&0xffffff == 0x088b1f {
			if r, err := gzip.NewReader(bytes.NewReader(data[i:])); err == nil {
				_ = h.unpacked(s, r) // as far as it can be read
			}
		}
		if at := formHash(first); s.maybe[at/64]&(1<<(at%64)) == 0 {
			continue
		}
		for _, form := range s.forms[first] {
			if bytes.HasPrefix(data[i:], form.text) {
				h.clients = append(h.clients, form.client)
			}
		}
	}
}

func (h *idHits) unpacked(s *idSearch, r io.Reader) error {
	plain, err := io.ReadAll(r)
	h.look(s, plain)
	return err
}

// pages searches the pages of a parquet file, dictionaries too. All have plain values, or numbers of dictionary entries.
func (h *idHits) pages(s *idSearch, data []byte) (err error) {
	f, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for g := range f.NumRowGroups() {
		for c := range f.RowGroup(g).NumColumns() {
			pages, err := f.RowGroup(g).GetColumnPageReader(c)
			if err != nil {
				return err
			}
			for pages.Next() {
				h.look(s, pages.Page().Data())
			}
			if err := errors.Join(pages.Err(), pages.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}
