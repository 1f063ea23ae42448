package ingestion

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// StartEdge is the edge, for those who send pings to it.
type StartEdge struct {
	URL      string   `json:"url,omitempty" doc:"without a path; missing: it is not known here"`
	Here     bool     `json:"here" doc:"it runs in this process, and the counts are known"`
	Accepted int64    `json:"accepted" doc:"submissions since it started"`
	Refused  int64    `json:"refused" doc:"requests that were wrong, since it started"`
	Failed   int64    `json:"failed" doc:"requests that it could not take, since it started"`
	Unknown  []string `json:"unknown" nullable:"false" doc:"applications whose pings it refuses, because no setting names them"`
}

// The states of the row of a ping.
const (
	rowVisible = "visible"
	rowSoon    = "soon"
	rowLater   = "later"
	rowNone    = "none"
)

// StartPing is a submission that this process has decoded.
type StartPing struct {
	Arrived   *time.Time `json:"arrived,omitempty"`
	Namespace string     `json:"namespace"`
	Type      string     `json:"type"`
	Document  string     `json:"document,omitempty" doc:"of an accepted ping"`
	Class     string     `json:"class,omitempty" doc:"of a rejected submission"`
	Message   string     `json:"message,omitempty" doc:"why it was rejected, without what may identify a client"`
	Table     string     `json:"table,omitempty" doc:"the table with its row"`
	Row       string     `json:"row,omitempty" enum:"visible,soon,later,none" doc:"of an accepted ping: whether queries see its row now, soon, or when its day is over; none: no table has rows of such pings"`
	SQL       string     `json:"sql,omitempty" doc:"a query of its row"`
}

type startOutput struct {
	Body struct {
		Empty    bool      `json:"empty" doc:"no ping has arrived yet"`
		Edge     StartEdge `json:"edge"`
		Decoding bool      `json:"decoding" doc:"submissions are decoded in this process: the list has the newest"`
		Data     string    `json:"data" doc:"folder of the installation on the server"`
		// Applications have tables by their definitions.
		Applications []string    `json:"applications" nullable:"false" doc:"applications with the Glean SDK whose pings get rows, by their definitions"`
		Items        []StartPing `json:"items" nullable:"false" doc:"newest first, as far as you may read the tables of their types"`
		Hidden       int         `json:"hidden" doc:"pings that you may not see"`
	}
}

// start describes where pings go and what became of the newest ones, for operators.
func (i *Ingestion) start(ctx context.Context, _ *struct{}) (*startOutput, error) {
	out := &startOutput{}
	b := &out.Body
	b.Edge, b.Data, b.Decoding, b.Items = i.startEdge(), i.Data, i.Arrivals != nil, []StartPing{}
	if b.Decoding {
		i.Arrivals.watch()
		hidden, err := i.Forgotten.Hidden(ctx)
		if err != nil {
			return nil, err
		}
		all, published := i.Arrivals.newest()
		for n := range all {
			a := &all[n]
			switch person := access.From(ctx); {
			case a.class == "" && hidden != nil && hidden(string(a.meta.Text(ping.ClientID))):
			case a.class == "" && !i.reads(person, a.meta.Kind()):
				b.Hidden++
			default:
				b.Items = append(b.Items, i.startPing(person, a, published))
			}
		}
	}
	b.Empty, b.Applications = i.Empty(), []string{}
	for _, t := range i.Tables {
		if t.Grows() && t.Namespace != ping.Telemetry && access.From(ctx).Knows(t) && !slices.Contains(b.Applications, t.Namespace) {
			b.Applications = append(b.Applications, t.Namespace)
		}
	}
	return out, nil
}

func (i *Ingestion) startEdge() StartEdge {
	e := StartEdge{URL: i.Address, Here: i.Edge != nil, Unknown: []string{}}
	if !e.Here {
		return e
	}
	stats := i.Edge()
	for code, n := range stats.Responses {
		switch {
		case code < 300:
			e.Accepted += n
		case code < 500:
			e.Refused += n
		default:
			e.Failed += n
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stats.Namespaces)) {
		if stats.Namespaces[name].Refused > 0 {
			e.Unknown = append(e.Unknown, masked(name))
		}
	}
	return e
}

// startPing describes a decoded submission that the person may see.
func (i *Ingestion) startPing(person *access.Person, a *decodedOne, published func(string) time.Time) StartPing {
	p := StartPing{Arrived: arrival(&a.meta), Namespace: masked(a.meta.Namespace()), Type: masked(string(a.meta.Text(ping.DocTypeField)))}
	if a.class != "" {
		p.Class, p.Message = a.class, a.message
		return p
	}
	p.Document, p.Row = strings.ToValidUTF8(string(a.meta.Text(ping.DocumentID)), "?"), rowNone
	for _, t := range i.Tables {
		if !t.Grows() || t.Snapshots != nil || t.Kind() != a.meta.Kind() || !t.Takes(&a.meta) || !person.ReadsAll(t) {
			continue
		}
		p.Table, p.SQL, p.Row = t.Name, rowSQL(t, &a.meta), rowLater
		if t.Direct || slices.Contains(i.Live, t) {
			p.Row = rowSoon
			if published(t.Name).After(a.decoded) {
				p.Row = rowVisible
			}
			return p
		}
	}
	return p
}

// rowSQL returns a query of the row of a ping: by its document id, or else by its client, as far as the table has them.
func rowSQL(t *schema.Table, m *ping.Meta) string {
	sql := fmt.Sprintf("SELECT *\nFROM %s\nWHERE %s = '%s'", t.Name, t.PartitionKeys[0], t.PartitionValue(string(m.Day())))
	for _, by := range []struct{ column, value string }{
		{"document_id", string(m.Text(ping.DocumentID))}, {"client_id", string(m.Text(ping.ClientID))},
	} {
		if t.Index(by.column) >= 0 && by.value != "" {
			sql += fmt.Sprintf("\n  AND %s = '%s'", by.column, strings.ReplaceAll(by.value, "'", "''"))
			break
		}
	}
	return sql + "\nLIMIT 1"
}

// Empty reports whether no ping has ever arrived: the archive has and had none, and no row of one was published. It reports false
// until that is known.
func (i *Ingestion) Empty() bool {
	if !i.empty.Load() || i.Arrivals == nil {
		return i.empty.Load()
	}
	all, published := i.Arrivals.newest()
	return !slices.ContainsFunc(all, func(a decodedOne) bool {
		return a.class == "" && slices.ContainsFunc(i.Tables, func(t *schema.Table) bool {
			return t.Kind() == a.meta.Kind() && published(t.Name).After(a.decoded)
		})
	})
}

// look finds out whether the archive has or had a ping, once its loads are counted.
func (i *Ingestion) look(ctx context.Context) error {
	var some bool
	if err := i.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM counts WHERE class = '')`).Scan(&some); err != nil {
		return fmt.Errorf("look for pings: %w", err)
	}
	if !some {
		expired, err := archive.ExpiredDays(ctx, i.Archive, archive.KindPings)
		if err != nil {
			return fmt.Errorf("look for pings: %w", err)
		}
		some = len(expired) > 0
	}
	i.empty.Store(!some)
	if some && i.Arrivals != nil {
		i.Arrivals.rest()
	}
	return nil
}
