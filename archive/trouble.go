package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store"
)

// troubleDir has an object for everything that decoding cannot do at present.
const troubleDir = "trouble/v1"

// What decoding can be in trouble with.
const (
	TroubleDecode  = "decode"
	TroublePublish = "publish" // rows of the direct tables as pings arrive
)

// Trouble is something that decoding for an edge tries again and again.
type Trouble struct {
	Format int       `json:"format"` // 1
	Edge   string    `json:"edge"`
	What   string    `json:"what"` // TroubleDecode or TroublePublish
	Since  time.Time `json:"since"`
	Last   time.Time `json:"last"` // attempt
	Times  int       `json:"times"`
	Error  string    `json:"error"` // of the last attempt, one line
}

func (t *Trouble) name() string { return troubleDir + "/" + t.Edge + "." + t.What + ".json" }

// SetTrouble reports a trouble to other processes; ClearTrouble removes it.
func SetTrouble(ctx context.Context, b store.Bucket, t Trouble) error {
	if err := checkLoad(t.Edge); err != nil {
		return fmt.Errorf("tell of a trouble: %w", err)
	}
	t.Format = 1
	data, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("tell of a trouble: %w", err)
	}
	return store.WriteFile(ctx, b, t.name(), append(data, '\n'))
}

// ClearTrouble says that an edge no longer has a trouble; none is no error.
func ClearTrouble(ctx context.Context, b store.Bucket, edge, what string) error {
	t := Trouble{Edge: edge, What: what}
	if err := b.Delete(ctx, t.name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clear a trouble: %w", err)
	}
	return nil
}

// ReadTroubles lists the present failures of decoding, by edge.
func ReadTroubles(ctx context.Context, b store.Bucket) (all []Trouble, err error) {
	for e, err := range b.List(ctx, troubleDir+"/") {
		if err != nil {
			return nil, fmt.Errorf("read troubles of edges: %w", err)
		}
		if !strings.HasSuffix(e.Name, ".json") {
			continue
		}
		data, err := store.ReadFile(ctx, b, e.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it is over
		}
		if err != nil {
			return nil, fmt.Errorf("read troubles of edges: %w", err)
		}
		var t Trouble
		if err := json.Unmarshal(data, &t); err != nil || t.Format != 1 {
			return nil, fmt.Errorf("read trouble %s: it is of no known form", e.Name)
		}
		all = append(all, t)
	}
	return all, nil
}
