package erase

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// generation names what a partition becomes by this cycle.
func (c *removal) generation(base *lake.Manifest) string {
	h := sha256.Sum256(fmt.Appendf(nil, "forget %s %s", base.Generation, c.cycle.Occasion()))
	return hex.EncodeToString(h[:8])
}

// saving returns a function that saves which rows of a partition are about to go, if this server may still remove them.
func (c *removal) saving(found forget.Found, change forget.Change) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := c.confirm(ctx, c.own); err != nil {
			return err
		}
		return c.forgotten.Reports().SaveFound(ctx, c.cycle.Occasion(), change, found)
	}
}

// dropPings returns what removes the pings of forgotten clients from a partition of the archive.
func (c *removal) dropPings(day ping.Day, t ping.DocType) archive.RewriteOptions {
	found := forget.Found{}
	return archive.RewriteOptions{
		Load: archive.RewriteName(day, t, c.cycle.Occasion()), Owner: site.RemovalOwner(string(day)),
		BufferBytes: c.o.Buffer, Requests: c.cycle.Made,
		Drop:       func(m *ping.Meta) bool { return c.set.Has(m.Text(ping.ClientID)) },
		DropBody:   func(_ *ping.Meta, body []byte) bool { return c.set.In(body) },
		Dropped:    func(m *ping.Meta, document []byte) { found.Add(c.set, m.Text(ping.ClientID), document) },
		Committing: c.saving(found, forget.Change{Table: "archive/" + string(t), Day: string(day)}),
	}
}

// dropRejected returns what removes the rejected submissions of forgotten clients.
func (c *removal) dropRejected(ctx context.Context, day ping.Day) archive.RewriteOptions {
	found := forget.Found{}
	return archive.RewriteOptions{
		Load: archive.RewriteErrorsName(day, c.cycle.Occasion()), Owner: site.RemovalOwner(string(day)),
		BufferBytes: c.o.Buffer, Requests: c.cycle.Made,
		DropRejected: func(e *archive.Rejected) bool {
			return c.set.Has(e.Meta.Text(ping.ClientID)) || c.set.In([]byte(e.Message)) || c.set.In([]byte(e.Path)) ||
				ingest.Mentions(ctx, c.set.In, e.Body, e.Headers, c.o.Decode)
		},
		DroppedRejected: func(e *archive.Rejected) {
			texts := [][]byte{e.Meta.Text(ping.ClientID), []byte(e.Message), []byte(e.Path)}
			ingest.Mentions(ctx, func(body []byte) bool { texts = append(texts, body); return false }, e.Body, e.Headers, c.o.Decode)
			found.Add(c.set, texts...)
		},
		Committing: c.saving(found, forget.Change{Table: "errors", Day: string(day)}),
	}
}

// keys returns what selects a table's rows of forgotten clients.
func (c *removal) keys(t *schema.Table) (all []lake.Key) {
	for _, name := range t.IDs() {
		all = append(all, lake.Key{Column: name, Drop: c.set.Has})
	}
	for _, name := range t.Mentioning() {
		all = append(all, lake.Key{Column: name, Drop: c.set.In})
	}
	return all
}
