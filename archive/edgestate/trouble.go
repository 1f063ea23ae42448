package edgestate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// What decoding can be in trouble with.
const (
	TroubleDecode  = "decode"
	TroublePublish = "publish" // rows of the direct tables as pings arrive
	TroubleDelete  = "delete"  // messages of a topic that are in the archive; Edge is kafka. and the topic
)

// Trouble is a step of an edge's decoding that fails and is retried.
type Trouble struct {
	Format int       `json:"format"` // 1
	Edge   string    `json:"edge"`
	What   string    `json:"what"` // TroubleDecode or TroublePublish
	Since  time.Time `json:"since"`
	Last   time.Time `json:"last"` // attempt
	Times  int       `json:"times"`
	Error  string    `json:"error"` // of the last attempt, one line
}

// SetTrouble reports a trouble to other processes; ClearTrouble removes it.
func SetTrouble(ctx context.Context, b store.Bucket, t Trouble) error {
	t.Format = 1
	return writeState(ctx, b, naming.Trouble, t.Edge, t.Edge+"."+t.What, t)
}

// ClearTrouble records that a trouble of an edge has ended. It returns nil if there is none.
func ClearTrouble(ctx context.Context, b store.Bucket, edge, what string) error {
	err := b.Delete(ctx, stateName(naming.Trouble, edge+"."+what))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clear a trouble: %w", err)
	}
	return nil
}

// ReadTroubles lists the present troubles, by edge. It omits damaged objects; CheckState finds them.
func ReadTroubles(ctx context.Context, b store.Bucket) ([]Trouble, error) {
	return readStates(ctx, b, naming.Trouble, parseTrouble, func(*store.StateError) {})
}
