package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// writeState publishes what an edge says of itself, as an object of a folder.
func writeState(ctx context.Context, b store.Bucket, dir, edge, name string, state any) error {
	if err := naming.CheckLoad(edge); err != nil {
		return fmt.Errorf("publish the state of an edge: %w", err)
	}
	data, err := json.Marshal(state)
	if err != nil {
		return fmt.Errorf("publish the state of edge %s: %w", edge, err)
	}
	return store.WriteFile(ctx, b, stateName(dir, name), append(data, '\n'))
}

// spoolsDir says which spool each edge has.
const spoolsDir = "spools/v1"

// EdgeSpool says which spool the segments of an edge's loads are of.
type EdgeSpool struct {
	Format int    `json:"format"` // 1
	Edge   string `json:"edge"`
	Spool  string `json:"spool"`
}

// SpoolOf is the spool that an edge had last, "" if nothing is known of it.
func SpoolOf(ctx context.Context, b store.Bucket, edge string) (string, error) {
	name := stateName(spoolsDir, edge)
	data, err := store.ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the state of edge %s: %w", edge, err)
	}
	var s EdgeSpool
	if err := json.Unmarshal(data, &s); err != nil || s.Format != 1 || s.Edge != edge || s.Spool == "" {
		return "", fmt.Errorf("read %s: it is of no known form", name)
	}
	return s.Spool, nil
}

// SetSpool says which spool an edge has from now on.
func SetSpool(ctx context.Context, b store.Bucket, edge, spool string) error {
	return writeState(ctx, b, spoolsDir, edge, edge, EdgeSpool{1, edge, spool})
}

func stateName(dir, name string) string { return dir + "/" + name + ".json" }

// readStates reads what all edges say, by name. Objects that go meanwhile do not
// count; one of another format than 1 is an error.
func readStates[T any](ctx context.Context, b store.Bucket, dir string, format func(*T) int) (all []T, err error) {
	for e, err := range b.List(ctx, dir+"/") {
		if err != nil {
			return nil, fmt.Errorf("read the states of edges: %w", err)
		}
		if !strings.HasSuffix(e.Name, ".json") {
			continue
		}
		data, err := store.ReadFile(ctx, b, e.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the states of edges: %w", err)
		}
		var state T
		if err := json.Unmarshal(data, &state); err != nil || format(&state) != 1 {
			return nil, fmt.Errorf("read %s: it is of no known form", e.Name)
		}
		all = append(all, state)
	}
	return all, nil
}
