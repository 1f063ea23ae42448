package ingestion

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Bounds of a search for a document id. There is no index by document id: a search decodes the ids of a day, some 30
// bytes for each ping, and the metadata of the load that has it.
const (
	maxLookups  = 2 // of a person at once
	maxSearch   = 20 * time.Second
	maxIDs      = 20_000_000 // of pings
	maxRejected = 1_000_000  // of rejected submissions, whose metadata are read
)

type findInput struct {
	Document string `path:"document" minLength:"1" maxLength:"200"`
	Day      string `query:"day" required:"true" doc:"UTC day of the arrival, YYYYMMDD"`
}

type findOutput struct {
	Body struct {
		Items    []FoundPing `json:"items" nullable:"false" doc:"duplicates are rejected submissions"`
		Looked   int64       `json:"looked" doc:"submissions that were looked at"`
		Complete bool        `json:"complete" doc:"false: the search was ended, because the day is too large"`
	}
}

// FoundPing is a submission in the archive.
type FoundPing struct {
	Outcome   string      `json:"outcome" enum:"accepted,rejected"`
	Class     string      `json:"class,omitempty"`
	Message   string      `json:"message,omitempty" doc:"why it was rejected, without what may identify a client"`
	Namespace string      `json:"namespace"`
	Type      string      `json:"type"`
	Arrived   *time.Time  `json:"arrived,omitempty"`
	Load      string      `json:"load,omitempty" doc:"the load that has it"`
	Meta      []MetaValue `json:"meta,omitempty" doc:"of an accepted ping: what ingestion added"`
	Tables    []string    `json:"tables,omitempty" doc:"tables that you may read and that have rows of such pings"`
	SQL       string      `json:"sql,omitempty" doc:"a query of the number of its rows in these tables"`
}

// MetaValue is a member of the metadata.
type MetaValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// reads reports whether a person may see single pings of a kind: the types whose tables they read with all columns and rows. For
// pings without a table a grant of all tables counts.
func (i *Ingestion) reads(p *access.Person, kind ping.DocType) bool {
	table := &schema.Table{Name: string(kind)}
	for _, t := range i.Tables {
		if t.Kind() == kind && t.DocType != "" && !t.Internal() {
			table = t
			break
		}
	}
	return p.ReadsAll(table)
}

// search is the state of a search for a document.
type search struct {
	*Ingestion

	in     *findInput
	person *access.Person
	hidden func(client string) bool // nil: no client waits to be removed
	looked int64
	items  []FoundPing
}

var errBound = errors.New("the search has reached its bounds")

// find searches a day of the archive. A person without the right to read a type's pings finds none of them.
func (i *Ingestion) find(ctx context.Context, in *findInput) (*findOutput, error) {
	if _, err := job.ParseDay(in.Day); err != nil {
		return nil, huma.Error422UnprocessableEntity(err.Error())
	}
	hidden, err := i.Forgotten.Hidden(ctx)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeoutCause(ctx, maxSearch, errBound)
	defer cancel()
	s := &search{Ingestion: i, in: in, person: access.From(ctx), hidden: hidden, items: []FoundPing{}}
	err = s.run(bounded)
	out := &findOutput{}
	out.Body.Items, out.Body.Looked, out.Body.Complete = s.items, s.looked, err == nil
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.Is(err, errBound) && !errors.Is(context.Cause(bounded), errBound):
		return nil, err
	}
	return out, nil
}

func (s *search) run(ctx context.Context) error {
	kinds, err := archive.DocTypes(ctx, s.Archive, ping.Day(s.in.Day))
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		if !s.reads(s.person, kind) {
			continue
		}
		if err := s.pings(ctx, kind); err != nil {
			return err
		}
	}
	for _, day := range []string{s.in.Day, ""} { // "": without a known day
		if err := s.rejected(ctx, ping.Day(day)); err != nil {
			return err
		}
	}
	return nil
}

// pings searches the pings of a kind, load by load.
func (s *search) pings(ctx context.Context, kind ping.DocType) error {
	day, err := archive.OpenDay(ctx, s.Archive, ping.Day(s.in.Day), kind)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, load := range day.Loads() {
		part := day.OfLoads(func(l string) bool { return l == load })
		has := false
		for id, err := range part.Documents(ctx, nil) {
			if err != nil {
				return err
			}
			if s.looked++; s.looked > maxIDs {
				return errBound
			}
			has = has || s.is(id)
		}
		if !has {
			continue
		}
		for m, err := range part.Metas(ctx) {
			if err != nil {
				return err
			}
			if s.is(m.Text(ping.DocumentID)) && (s.hidden == nil || !s.hidden(string(m.Text(ping.ClientID)))) {
				s.items = append(s.items, s.accepted(m, kind, load))
			}
		}
	}
	return nil
}

func (s *search) is(id []byte) bool { return strings.EqualFold(string(id), s.in.Document) }

// accepted describes a ping of the archive.
func (s *search) accepted(m *ping.Meta, kind ping.DocType, load string) FoundPing {
	f := FoundPing{Outcome: "accepted", Namespace: m.Namespace(), Type: string(m.Text(ping.DocTypeField)), Load: load, Arrived: arrival(m)}
	for field := range ping.NumMetaFields {
		value := string(m.Text(field))
		if n, ok := m.Int(field); field.IsInt() && ok {
			value = fmt.Sprint(n)
		}
		if m.Has(field) {
			f.Meta = append(f.Meta, MetaValue{field.Name(), strings.ToValidUTF8(value[:min(len(value), longestMessage)], "?")})
		}
	}
	var counts []string
	for _, t := range s.tablesOf(kind) {
		f.Tables = append(f.Tables, t.Name)
		counts = append(counts, fmt.Sprintf("SELECT '%s' AS \"table\", count(*) AS \"rows\"\nFROM %s\nWHERE %s = '%s'\n  AND document_id = '%s'",
			t.Name, t.Name,
			t.PartitionKeys[0], t.PartitionValue(s.in.Day), strings.ReplaceAll(string(m.Text(ping.DocumentID)), "'", "''")))
	}
	f.SQL = strings.Join(counts, "\nUNION ALL\n")
	return f
}

// tablesOf returns the readable tables that have rows of pings of a kind, found by their document id.
func (s *search) tablesOf(kind ping.DocType) (all []*schema.Table) {
	made := map[string]bool{}    // from these pings
	for _, t := range s.Tables { // each follows its inputs
		stream := t.Index("document_type") >= 0 && strings.HasPrefix(string(kind), t.Namespace+"/") // has pings of all types
		made[t.Name] = t.DocType != "" && t.Kind() == kind || stream || slices.ContainsFunc(t.Needs, func(n string) bool { return made[n] })
		columns, may := s.person.Reads(t)
		if made[t.Name] && may && t.Snapshots == nil && t.Index("document_id") >= 0 &&
			(columns == nil || slices.Contains(columns, "document_id")) {
			all = append(all, t)
		}
	}
	return all
}

// rejected searches the rejected submissions of a day.
func (s *search) rejected(ctx context.Context, day ping.Day) error {
	errs, err := archive.OpenErrors(ctx, s.Archive, day)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n := 0
	for r, err := range errs.Heads(ctx) {
		if err != nil {
			return err
		}
		if n++; n > maxRejected {
			return errBound
		}
		s.looked++
		if s.is(r.Meta.Text(ping.DocumentID)) || r.Meta.Text(ping.DocumentID) == nil &&
			slices.ContainsFunc(strings.Split(r.Path, "/"), func(p string) bool { return s.is([]byte(p)) }) {
			s.items = append(s.items, FoundPing{
				Outcome: "rejected", Class: r.Class, Message: masked(r.Message), Namespace: masked(r.Meta.Namespace()),
				Type: masked(string(r.Meta.Text(ping.DocTypeField))), Arrived: arrival(&r.Meta),
			})
		}
	}
	return nil
}

func arrival(m *ping.Meta) *time.Time {
	ns, ok := m.Int(ping.Timestamp)
	if !ok {
		return nil
	}
	at := time.Unix(0, ns).UTC().Truncate(time.Second)
	return &at
}
