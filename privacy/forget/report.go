package forget

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store"
)

// ClientReport says of one client when it asked to be forgotten, and what was removed. It has no id.
type ClientReport struct {
	Client    string    `json:"client"` // hash in hexadecimal: the first 16 bytes of the SHA-256 of the id in lower case
	State     string    `json:"state"`  // pending, removed
	Requested time.Time `json:"requested"`
	Due       time.Time `json:"due"`
	Removals  []Removal `json:"removals,omitempty"` // oldest first
}

// Removal is the part of a cycle that concerns one client.
type Removal struct {
	Source  string    `json:"source,omitempty"` // of the request; "" if rows came after it was served
	Removed time.Time `json:"removed"`
	Program string    `json:"program,omitempty"` // version; "" for removals by programs that kept no reports
	Found   []FoundIn `json:"found,omitempty"`   // nothing: there was no row
}

// FoundIn sums up the removed rows of a client in a table. It has no single days, which would be a profile of the client.
type FoundIn struct {
	Table   string `json:"table"` // or archive/TYPE, or errors
	Version string `json:"version,omitempty"`
	First   string `json:"first"` // day; "" for rejected submissions of no known day
	Last    string `json:"last"`
	Days    int    `json:"days"`
	Rows    int64  `json:"rows"`
}

// Reports keeps what removals found of each client.
type Reports struct{ registry *Registry }

// Reports returns the reports of the requests.
func (r *Registry) Reports() *Reports { return &Reports{r} }

// reportsDir has a report for each cycle that removed rows or finished requests.
const reportsDir = "reports/v1/"

// cycleReport is an object there.
type cycleReport struct {
	Format  int                `json:"format"` // 1
	Clients map[string]Removal `json:"clients"`
}

// Save keeps the report of a cycle that ends: of the clients of finished requests, and of other clients with removed rows. What
// was found of clients of waiting requests counts for a later report. Done again after a crash it changes nothing.
func (r *Reports) Save(ctx context.Context, c *Cycle, finished, waiting []*Request, program string) error {
	name := reportsDir + timeName(c.Began)
	report, before, err := r.report(ctx, name)
	if err != nil {
		return err
	}
	saved, _, err := r.found(ctx)
	if err != nil {
		return err
	}
	clients := map[string]Removal{}
	for _, p := range saved {
		for client, rows := range p.Rows {
			m := clients[client]
			m.Found = addFound(m.Found, p, rows)
			clients[client] = m
		}
	}
	for _, q := range finished {
		for _, id := range q.Clients {
			m := clients[hashText(id)]
			m.Source = q.Source
			clients[hashText(id)] = m
		}
	}
	for _, q := range waiting {
		for _, id := range q.Clients {
			delete(clients, hashText(id))
		}
	}
	for client, m := range clients {
		if _, written := report.Clients[client]; written {
			continue
		}
		m.Removed, m.Program = c.Ended.Truncate(time.Second), program
		slices.SortFunc(m.Found, func(x, y FoundIn) int {
			return cmp.Or(cmp.Compare(x.Table, y.Table), cmp.Compare(x.Version, y.Version))
		})
		report.Clients[client] = m
	}
	if len(report.Clients) == 0 {
		return nil
	}
	data, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	// A server that was held up must not replace a report by one without what was found, which is gone by then.
	return r.registry.bucket.CompareAndSwap(ctx, name, before, data)
}

// addFound adds the rows of a partition.
func addFound(all []FoundIn, p partitionFound, rows int64) []FoundIn {
	i := slices.IndexFunc(all, func(f FoundIn) bool { return f.Table == p.Table && f.Version == p.Version })
	if i < 0 {
		return append(all, FoundIn{p.Table, p.Version, p.Day, p.Day, 1, rows})
	}
	f := &all[i]
	f.First, f.Last = min(f.First, p.Day), max(f.Last, p.Day)
	f.Days++
	f.Rows += rows
	return all
}

func hashText(id string) string {
	h := HashOf([]byte(id))
	return hex.EncodeToString(h[:])
}

// dropFound removes from what was found until the end of a cycle all that is in reports: everything but the clients of waiting
// requests.
func (r *Reports) dropFound(ctx context.Context, c *Cycle, waiting []*Request) error {
	all, names, err := r.found(ctx)
	if err != nil {
		return err
	}
	waits := map[string]bool{}
	for _, q := range waiting {
		for _, id := range q.Clients {
			waits[hashText(id)] = true
		}
	}
	for i, name := range names {
		if laterThan(name, c) {
			continue
		}
		maps.DeleteFunc(all[i].Rows, func(client string, _ int64) bool { return !waits[client] })
		if len(all[i].Rows) == 0 {
			err = r.registry.bucket.Delete(ctx, name)
		} else {
			all[i].Waits = true
			err = r.write(ctx, name, all[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Reports) write(ctx context.Context, name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return store.WriteFile(ctx, r.registry.bucket, name, data)
}

// report reads a report, and its text; an empty one if there is none, or a damaged one.
func (r *Reports) report(ctx context.Context, name string) (c cycleReport, data []byte, err error) {
	c = cycleReport{Format: cycleFormat, Clients: map[string]Removal{}}
	data, err = store.ReadFile(ctx, r.registry.bucket, name)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil, nil
	}
	if err != nil {
		return c, nil, err
	}
	if read, err := parseReport(data); err == nil && read.Clients != nil {
		c = read
	}
	return c, data, nil
}

func parseReport(data []byte) (c cycleReport, err error) {
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("%w (%w)", errState, err)
	}
	return c, nil
}

// Read returns a report for each client that ever asked to be forgotten, or for the given ones of these, in the order of the requests.
func (r *Reports) Read(ctx context.Context, clients []string, d Deadline) ([]ClientReport, error) {
	set, err := r.registry.Set(ctx)
	if err != nil {
		return nil, err
	}
	removals, err := r.removals(ctx)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, id := range clients {
		wanted[hashText(id)] = true
	}
	all := map[string]ClientReport{}
	for _, c := range slices.Concat(set.removed, set.pending) { // a client that asked again is pending
		client := hex.EncodeToString(c.Hash[:])
		if len(clients) > 0 && !wanted[client] {
			continue
		}
		out := ClientReport{Client: client, State: "removed", Requested: c.Requested, Due: d.Due(c.Requested), Removals: removals[client]}
		if c.Removed.IsZero() {
			out.State = "pending"
		} else if len(out.Removals) == 0 {
			out.Removals = []Removal{{Removed: c.Removed}}
		}
		all[client] = out
	}
	return slices.SortedFunc(maps.Values(all), func(x, y ClientReport) int {
		return cmp.Or(x.Requested.Compare(y.Requested), strings.Compare(x.Client, y.Client))
	}), nil
}

// removals returns the removals of each client in all reports, oldest first.
func (r *Reports) removals(ctx context.Context) (map[string][]Removal, error) {
	all := map[string][]Removal{}
	for e, err := range r.registry.bucket.List(ctx, reportsDir) {
		if err != nil {
			return nil, fmt.Errorf("list reports of deletion requests: %w", err)
		}
		c, _, err := r.report(ctx, e.Name)
		if err != nil {
			return nil, err
		}
		for client, m := range c.Clients {
			all[client] = append(all[client], m)
		}
	}
	return all, nil
}
