package ingestion

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

type seriesInput struct {
	From time.Time `query:"from" doc:"default: a day before to"`
	To   time.Time `query:"to" doc:"default: now, or when the last submission arrived if that is more than a day ago"`
}

// IngestionSeries holds the arrivals of one outcome over time.
type IngestionSeries struct {
	Outcome string  `json:"outcome" doc:"ping, duplicate or error"`
	Class   string  `json:"class,omitempty" doc:"of errors"`
	Total   int64   `json:"total"`
	Values  []int64 `json:"values" doc:"submissions in each step"`
}

// IngestionKind holds the arrivals of one document type.
type IngestionKind struct {
	Namespace  string  `json:"namespace"`
	Type       string  `json:"type"`
	Pings      int64   `json:"pings"`
	Duplicates int64   `json:"duplicates"`
	Errors     int64   `json:"errors"`
	Values     []int64 `json:"values" doc:"submissions in each step, whatever became of them"`
}

type seriesOutput struct {
	Body struct {
		From   time.Time         `json:"from"`
		To     time.Time         `json:"to"`
		Step   int64             `json:"step" doc:"seconds"`
		Series []IngestionSeries `json:"series"`
		Kinds  []IngestionKind   `json:"kinds" doc:"most first"`
		First  *time.Time        `json:"first,omitempty" doc:"arrival of the oldest submission that is counted"`
		Last   *time.Time        `json:"last,omitempty"`
		Left   int64             `json:"left" doc:"loads of the archive that are not counted yet"`
	}
}

// steps lists the possible widths of a chart's steps in seconds. A chart has a few hundred steps.
var steps = []int64{minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour}

const (
	maxSteps  = 400
	maxTypes  = 50
	duplicate = "duplicate" // a class of rejected submissions, shown as an outcome
)

func (i *Ingestion) series(ctx context.Context, in *seriesInput) (*seriesOutput, error) {
	var out seriesOutput
	b := &out.Body
	var err error
	if b.First, b.Last, err = i.span(ctx); err != nil {
		return nil, err
	}
	if b.To = in.To; b.To.IsZero() {
		if b.To = i.Now(); b.Last != nil && i.Now().Sub(*b.Last) > 24*time.Hour {
			b.To = b.Last.Add(time.Minute)
		}
	}
	if b.From = in.From; b.From.IsZero() {
		b.From = b.To.Add(-24 * time.Hour)
	}
	if !b.From.Before(b.To) {
		return nil, huma.Error422UnprocessableEntity("from is not before to")
	}
	b.Step = stepOf(b.From, b.To, i.Now().Add(-keepMinutes))
	b.From = time.Unix(b.From.Unix()-b.From.Unix()%b.Step, 0).UTC()
	b.To = b.To.UTC()
	b.Left = i.left.loads.Load()
	n := (b.To.Unix()-b.From.Unix()-1)/b.Step + 1
	if n > maxSteps {
		return nil, huma.Error422UnprocessableEntity("this is too long: at most 400 days")
	}
	sums := newSums(int(n))
	width := int64(hour)
	if b.Step < hour {
		width = minute
	}
	rows, err := i.db.QueryContext(ctx, `SELECT (start - ?) / ?, class, namespace, type, sum(n) FROM counts
		WHERE width = ? AND start >= ? AND start < ? GROUP BY 1, 2, 3, 4`, b.From.Unix(), b.Step, width, b.From.Unix(), b.To.Unix())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var at, n int64
		var k kindOf
		if err := rows.Scan(&at, &k.class, &k.namespace, &k.docType, &n); err != nil {
			return nil, err
		}
		sums.add(int(at), k, n)
	}
	b.Series, b.Kinds = sums.series, sums.sorted()
	return &out, rows.Err()
}

// stepOf returns the smallest step that keeps a chart below maxSteps. Before minutes there are no counts by minute, so
// it is an hour or more.
func stepOf(from, to, minutes time.Time) int64 {
	for _, s := range steps {
		if (s >= hour || !from.Before(minutes)) && int64(to.Sub(from)/time.Second)/s < maxSteps*3/4 {
			return s
		}
	}
	return steps[len(steps)-1]
}

// span returns the arrival times of the first and the last counted submission.
func (i *Ingestion) span(ctx context.Context) (first, last *time.Time, err error) {
	var oldest, newest sql.NullInt64
	err = i.db.QueryRowContext(ctx,
		`SELECT (SELECT min(start) FROM counts WHERE width = 3600 AND start > 0), (SELECT max(last) FROM files)`).Scan(&oldest, &newest)
	at := func(s sql.NullInt64) *time.Time {
		if !s.Valid || s.Int64 == 0 {
			return nil
		}
		t := time.Unix(s.Int64, 0).UTC()
		return &t
	}
	return at(oldest), at(newest), err
}

// sums accumulates the series.
type sums struct {
	n      int
	series []IngestionSeries
	kinds  map[[2]string]*IngestionKind
}

func newSums(n int) *sums {
	s := &sums{n: n, kinds: map[[2]string]*IngestionKind{}}
	for _, outcome := range []string{"ping", duplicate} {
		s.series = append(s.series, IngestionSeries{Outcome: outcome, Values: make([]int64, n)})
	}
	return s
}

func (s *sums) add(at int, k kindOf, n int64) {
	if at < 0 || at >= s.n {
		return
	}
	series := s.forClass(k.class)
	series.Total += n
	series.Values[at] += n
	name := [2]string{k.namespace, k.docType}
	kind := s.kinds[name]
	if kind == nil {
		kind = &IngestionKind{Namespace: k.namespace, Type: k.docType, Values: make([]int64, s.n)}
		s.kinds[name] = kind
	}
	kind.Values[at] += n
	switch k.class {
	case "":
		kind.Pings += n
	case duplicate:
		kind.Duplicates += n
	default:
		kind.Errors += n
	}
}

// forClass returns the series of a class, and adds it if it is missing.
func (s *sums) forClass(class string) *IngestionSeries {
	switch class {
	case "":
		return &s.series[0]
	case duplicate:
		return &s.series[1]
	}
	i := slices.IndexFunc(s.series, func(o IngestionSeries) bool { return o.Class == class })
	if i < 0 {
		i = len(s.series)
		s.series = append(s.series, IngestionSeries{Outcome: "error", Class: class, Values: make([]int64, s.n)})
	}
	return &s.series[i]
}

// sorted returns the most frequent kinds; the others are summed up in one.
func (s *sums) sorted() []IngestionKind {
	all := []IngestionKind{}
	for _, k := range s.kinds {
		all = append(all, *k)
	}
	total := func(k IngestionKind) int64 { return k.Pings + k.Duplicates + k.Errors }
	slices.SortFunc(all, func(x, y IngestionKind) int {
		if d := total(y) - total(x); d != 0 {
			return int(d)
		}
		return slices.Compare([]string{x.Namespace, x.Type}, []string{y.Namespace, y.Type})
	})
	if len(all) <= maxTypes {
		return all
	}
	rest := IngestionKind{Namespace: otherKind, Type: otherKind, Values: make([]int64, s.n)}
	for _, k := range all[maxTypes:] {
		rest.Pings, rest.Duplicates, rest.Errors = rest.Pings+k.Pings, rest.Duplicates+k.Duplicates, rest.Errors+k.Errors
		for at, n := range k.Values {
			rest.Values[at] += n
		}
	}
	return append(all[:maxTypes:maxTypes], rest)
}
