package forget

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// Found counts the removed rows of a partition by client.
type Found map[Hash]int64

// Add counts a row once for each of the clients that its texts name.
func (f Found) Add(s *Set, texts ...[]byte) {
	row := map[Hash]bool{}
	for _, text := range texts {
		s.named(text, row)
	}
	for h := range row {
		f[h]++
	}
}

// named adds the forgotten clients that a text names.
func (s *Set) named(text []byte, all map[Hash]bool) {
	if s.Has(text) {
		all[HashOf(text)] = true
		return
	}
	for id := range uuids(text) {
		if s.Has(id) {
			all[HashOf(id)] = true
		}
	}
	for _, id := range s.odd {
		if strings.Contains(string(text), string(id)) {
			all[HashOf(id)] = true
		}
	}
}

// foundDir has, until a cycle ends, what was found in each partition: saved before the rows go, since nobody can count them later.
const foundDir = "found/v1/"

// partitionFound is an object there.
type partitionFound struct {
	Format  int              `json:"format"` // 1
	Table   string           `json:"table"`  // as in Change
	Version string           `json:"version,omitempty"`
	Day     string           `json:"day"`
	Rows    map[string]int64 `json:"rows"` // by the hash of the client in hexadecimal
	// Waits means that the cycle has ended and the rows wait for a later report.
	Waits bool `json:"waits,omitempty"`
}

// SaveFound keeps what a cycle, named by its occasion, is about to remove from a partition. Of change it uses table, version and day.
func (r *Reports) SaveFound(ctx context.Context, occasion string, change Change, found Found) error {
	p := partitionFound{Format: cycleFormat, Table: change.Table, Version: change.Version, Day: change.Day, Rows: map[string]int64{}}
	for h, n := range found {
		p.Rows[hex.EncodeToString(h[:])] = n
	}
	name := fmt.Sprintf("%s%s/%s.%s.%s.json", foundDir, occasion, change.Day, strings.ReplaceAll(change.Table, "/", "~"), change.Version)
	return r.write(ctx, name, p)
}

// found reads what was saved, and the names of the objects. Damaged ones are empty, and so are those that a server which was held up
// has written after the end of its cycle: another one has counted these rows.
func (r *Reports) found(ctx context.Context) (all []partitionFound, names []string, err error) {
	ended, err := r.ended(ctx)
	if err != nil {
		return nil, nil, err
	}
	for e, err := range r.registry.bucket.List(ctx, foundDir) {
		if err != nil {
			return nil, nil, fmt.Errorf("list what was found of forgotten clients: %w", err)
		}
		data, err := store.ReadFile(ctx, r.registry.bucket, e.Name)
		if err != nil {
			return nil, nil, err
		}
		p, err := parseFound(data)
		if err != nil || !p.Waits && ended[path.Base(path.Dir(e.Name))] {
			p = partitionFound{}
		}
		all, names = append(all, p), append(names, e.Name)
	}
	return all, names, nil
}

// ended returns the occasions of the cycles that have ended and kept what they found only with a mark.
func (r *Reports) ended(ctx context.Context) (map[string]bool, error) {
	cycles, err := r.registry.Cycles(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, c := range cycles {
		all[c.Occasion()] = c.Marked
	}
	return all, nil
}

func parseFound(data []byte) (p partitionFound, err error) {
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("%w (%w)", errState, err)
	}
	return p, nil
}
