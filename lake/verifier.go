package lake

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Verifier compares files with their checksums before they are read, and remembers the valid ones: a file is
// not read again until its identity changes. It is safe for concurrent use by goroutines and processes.
type Verifier struct {
	dir string // folder of the memory; "": none
	now func() time.Time
}

// NewVerifier returns a Verifier that remembers valid files in dir, which it creates if needed. If it cannot
// write there, it works without memory.
func NewVerifier(dir string, now func() time.Time) *Verifier { return &Verifier{dir, now} }

// recent is the time after a file's change during which its verification is not remembered: a second change
// within one tick of the file system's clock would not be visible.
const recent = 2 * time.Second

// verified is the remembered verification of a file.
type verified struct {
	State   string `json:"state"`
	Columns string `json:"columns"` // bits of their indices in the table, hexadecimal
}

// Verify compares files of a day's partition, and the pages of the named columns, with their checksums; nil
// means all columns. For the first damaged file it returns a DamageError.
func (v *Verifier) Verify(ctx context.Context, t *Table, m *Manifest, files []File, columns []string) error {
	if err := t.Recorded(ctx, m, files); err != nil {
		return err
	}
	return v.VerifyAt(ctx, t, m, t.Paths(ctx, m), files, columns)
}

// VerifyAt is Verify for callers that have the result of Paths and know that the day has no damage records.
func (v *Verifier) VerifyAt(ctx context.Context, t *Table, m *Manifest, name func(file string) string, files []File,
	columns []string) error {
	want := t.columnSet(columns)
	memory := v.recall(t, m.Day)
	all := t.columnSet(nil)
	var mu sync.Mutex
	learned := false
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, f := range files {
		group.Go(func() error {
			id, err := t.bucket.Identify(ctx, name(f.Name))
			mu.Lock()
			known := memory[f.Name].columns(id.State)
			mu.Unlock()
			if err == nil && known != nil && id.Size == f.Bytes && contains(known, want) {
				return nil
			}
			if err := t.verifyColumns(ctx, m.Day, name(f.Name), f,
				func(column string) bool { return columns == nil || slices.Contains(columns, column) }); err != nil {
				return err
			}
			if err != nil || v.now().Sub(id.Changed) < recent {
				return nil
			}
			if known == nil {
				known = new(big.Int)
			}
			mu.Lock()
			defer mu.Unlock()
			memory[f.Name], learned = verified{id.State, new(big.Int).And(new(big.Int).Or(known, want), all).Text(16)}, true
			return nil
		})
	}
	err := group.Wait()
	if learned {
		v.remember(t, m, memory)
	}
	return err
}

// Recorded returns the first recorded damage of the given files, or nil.
func (t *inspector) Recorded(ctx context.Context, m *Manifest, files []File) error {
	found, err := t.addRecorded(ctx, m, nil)
	for _, d := range found {
		if slices.ContainsFunc(files, func(f File) bool { return f.Name == d.File }) {
			return d
		}
	}
	return err
}

// columnSet returns a bit set of the named columns. Bit 0 is always set.
func (t *inspector) columnSet(names []string) *big.Int {
	set := new(big.Int).SetBit(new(big.Int), 0, 1)
	for i := range t.Schema.Columns {
		if names == nil || slices.Contains(names, t.Schema.Columns[i].Name) {
			set.SetBit(set, i+1, 1)
		}
	}
	return set
}

func contains(set, part *big.Int) bool { return new(big.Int).AndNot(part, set).Sign() == 0 }

// columns returns the columns that were verified while the file was in this state, or nil.
func (k verified) columns(state string) *big.Int {
	set, ok := new(big.Int).SetString(k.Columns, 16)
	if !ok || state == "" || k.State != state {
		return nil
	}
	return set
}

// memory is the stored form of a day's verified files. It is valid only for columns with this fingerprint.
type memory struct {
	Columns string              `json:"columns"`
	Files   map[string]verified `json:"files"`
}

func (v *Verifier) memoryName(t *Table, day string) string {
	return filepath.Join(v.dir, t.Schema.Name+"-"+t.Schema.Version, day+".json")
}

// recall reads the remembered files of a day. It returns an empty map if they cannot be read.
func (v *Verifier) recall(t *Table, day string) map[string]verified {
	var m memory
	if v.dir != "" {
		if b, err := os.ReadFile(v.memoryName(t, day)); err == nil {
			_ = json.Unmarshal(b, &m)
		}
	}
	if m.Files == nil || m.Columns != t.fingerprint() {
		return map[string]verified{}
	}
	return m.Files
}

// remember writes the verified files of a partition. Concurrent writes of other processes may be lost, which
// only costs another verification.
func (v *Verifier) remember(t *Table, m *Manifest, known map[string]verified) {
	if v.dir == "" {
		return
	}
	files := map[string]verified{}
	for _, f := range m.All() {
		if k, ok := known[f.Name]; ok {
			files[f.Name] = k
		}
	}
	b, err := json.Marshal(memory{t.fingerprint(), files})
	name := v.memoryName(t, m.Day)
	if err != nil || os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	temp := fmt.Sprintf("%s.%d-%d", name, os.Getpid(), v.now().UnixNano())
	if os.WriteFile(temp, b, 0o644) != nil || os.Rename(temp, name) != nil {
		_ = os.Remove(temp)
	}
}
