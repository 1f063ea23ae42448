package loader

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
)

// classForgotten counts the pings that are dropped because their clients have asked to be forgotten.
const classForgotten = "forgotten"

// forgets keeps the rows of forgotten clients out of a load, and collects the
// requests that come with it.
type forgets struct {
	set     *forget.Set
	rules   forget.Rules
	clients map[string]map[string]bool // clients by source
	first   time.Time                  // request
	dropped int64
}

// newForgets begins a load with the requests that are known.
func newForgets(ctx context.Context, r *forget.Registry, rules forget.Rules) (*forgets, error) {
	set, err := r.Set(ctx)
	return &forgets{set: set, rules: rules, clients: map[string]map[string]bool{}}, err
}

// takes reports whether nothing of an outcome may be kept: it is a request to
// forget a client, which is recorded, or is of a forgotten client.
func (f *forgets) takes(o *outcome) bool {
	if !f.addRequest(o) && !f.has(o) {
		return false
	}
	f.dropped++
	return true
}

// addRequest records the clients if the outcome is a request. A request that came before is not made again.
func (f *forgets) addRequest(o *outcome) bool {
	if o.class != "" {
		return false
	}
	clients, _ := f.rules.Clients(&o.meta, o.body) // an error is the outcome's class
	if len(clients) == 0 {
		return false
	}
	docType := string(o.meta.Text(ping.DocTypeField))
	for _, client := range clients {
		if !f.set.Has([]byte(client)) {
			f.add(docType, client, &o.meta)
		}
	}
	return true
}

// add records a client that a ping asks to forget.
func (f *forgets) add(docType, client string, m *ping.Meta) {
	if f.clients[docType] == nil {
		f.clients[docType] = map[string]bool{}
	}
	f.clients[docType][client] = true
	if at, ok := m.Int(ping.Timestamp); ok {
		if t := time.Unix(0, at).UTC(); f.first.IsZero() || t.Before(f.first) {
			f.first = t
		}
	}
}

// has reports whether an outcome belongs to a forgotten client. It searches the whole body if the outcome names
// no client.
func (f *forgets) has(o *outcome) bool {
	client := o.meta.Text(ping.ClientID)
	for _, clients := range f.clients {
		if clients[string(client)] {
			return true
		}
	}
	return o.forgotten
}

// names reports whether an outcome belongs to a client that was already forgotten when the load began. It searches the
// whole body if the outcome names no client or may name several, which is slow; calls may run on many cores in any order.
func (f *forgets) names(ctx context.Context, o *outcome, limits ingest.Config) bool {
	if all, _ := f.set.Len(); all == 0 {
		return false
	}
	client := o.meta.Text(ping.ClientID)
	if f.set.Has(client) {
		return true
	}
	if r := o.submission; o.class != "" && r != nil {
		return ingest.Mentions(ctx, f.set.In, r.Body, storedHeaders(r), limits)
	}
	return (client == nil || o.class != "" || o.meta.Namespace() != ping.Telemetry) && f.set.In(o.body)
}

// record records the requests that came with the load of a name.
func (f *forgets) record(ctx context.Context, r *forget.Registry, load string) error {
	for _, source := range slices.Sorted(maps.Keys(f.clients)) {
		q := forget.Request{Name: load + "." + source, Time: f.first, Source: source, Clients: slices.Collect(maps.Keys(f.clients[source]))}
		if err := r.Record(ctx, q); err != nil {
			return err
		}
	}
	return nil
}
