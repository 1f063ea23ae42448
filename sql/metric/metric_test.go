package metric_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema/dictionary"
	"github.com/pingmill/pingmill/sql/metric"
	"github.com/pingmill/pingmill/sql/query"
)

// ask returns the columns and rows of a query, numbers with six digits.
func runQuery(t *testing.T, db *query.DB, sql string) (columns []string, result [][]string) {
	t.Helper()
	rows, err := db.QueryIn(t.Context(), query.Presto, sql)
	require.NoError(t, err, sql)
	defer rows.Close()
	var b bytes.Buffer
	_, err = rows.Write(&b, query.FormatCSV, query.WriteOptions{})
	require.NoError(t, err, sql)
	all, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	for _, line := range all[1:] {
		for i, v := range line {
			if x, err := strconv.ParseFloat(v, 64); err == nil {
				line[i] = digits(x)
			}
		}
	}
	return all[0], all[1:]
}

func digits(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// group holds what a test knows of a group: pings, clients, values with their weights.
type group struct {
	pings   int
	clients map[string]bool
	values  map[string][]weighted // by client
	total   float64
}

type weighted struct{ value, weight float64 }

// at returns the first value of all that has more than a share of the weight below and at it.
func at(all []weighted, share float64) float64 {
	slices.SortFunc(all, func(a, b weighted) int { return int(math.Copysign(1, a.value-b.value)) })
	total, so := 0.0, 0.0
	for _, w := range all {
		total += w.weight
	}
	for _, w := range all {
		if so += w.weight; so > share*total+1e-9 {
			return w.value
		}
	}
	return all[len(all)-1].value
}

// groups collects the pings by day, channel and what each value adds: add is called with a function that adds to a group.
func groups(all []*sent, by bool, values func(s *sent, add func(key string, total float64, values ...weighted))) map[string]*group {
	found := map[string]*group{}
	for _, s := range all {
		values(s, func(key string, total float64, values ...weighted) {
			name := s.day[:4] + "-" + s.day[4:6] + "-" + s.day[6:]
			if by {
				name += "|" + s.channel
			}
			if key != "" {
				name += "|" + key
			}
			g := found[name]
			if g == nil {
				g = &group{clients: map[string]bool{}, values: map[string][]weighted{}}
				found[name] = g
			}
			g.pings++
			g.total += total
			g.clients[s.client] = true
			g.values[s.client] = append(g.values[s.client], values...)
		})
	}
	return found
}

// lines writes groups as a result; columns returns the columns behind the number of pings and clients.
func lines(found map[string]*group, columns func(g *group) []float64) (result [][]string) {
	for _, name := range slices.Sorted(maps.Keys(found)) {
		g := found[name]
		line := append(strings.Split(name, "|"), digits(float64(g.pings)), digits(float64(len(g.clients))))
		for _, x := range columns(g) {
			line = append(line, digits(x))
		}
		result = append(result, append(line, fmt.Sprint(len(g.clients) < metric.FewClients)))
	}
	return result
}

// quartiles returns the percentiles of weighted values.
func quartiles(all []weighted) (out []float64) {
	for _, share := range []float64{0.25, 0.5, 0.75, 0.95} {
		out = append(out, at(all, share))
	}
	return out
}

// all returns the values of all clients.
func (g *group) all() (out []weighted) {
	for _, v := range g.values {
		out = append(out, v...)
	}
	return out
}

// perClient returns a value for each client.
func (g *group) perClient(reduce func([]weighted) float64) (out []weighted) {
	for _, v := range g.values {
		out = append(out, weighted{reduce(v), 1})
	}
	return out
}

func sum(all []weighted) (x float64) {
	for _, w := range all {
		x += w.value * w.weight
	}
	return x
}

func largest(all []weighted) float64 {
	return slices.MaxFunc(all, func(a, b weighted) int { return int(math.Copysign(1, a.value-b.value)) }).value
}

func summary(all []weighted) []float64 {
	total := sum(all)
	return append([]float64{total, total / float64(len(all))}, quartiles(all)...)
}

// samples returns the buckets of a distribution.
func samples(d any) (sum float64, all []weighted) {
	fields := d.(labels)
	for bucket, n := range fields["values"].(labels) {
		at, _ := strconv.ParseFloat(bucket, 64)
		if n.(int) > 0 {
			all = append(all, weighted{at, float64(n.(int))})
		}
	}
	return float64(fields["sum"].(int)), all
}

func weight(all []weighted) (n float64) {
	for _, w := range all {
		n += w.weight
	}
	return n
}

// spread returns the columns of a distribution.
func spread(clients bool) func(g *group) []float64 {
	return func(g *group) []float64 {
		all := g.all()
		n := weight(all)
		if clients {
			all = nil
			for _, v := range g.values {
				for _, w := range v {
					all = append(all, weighted{w.value, w.weight / weight(v)})
				}
			}
		}
		return append([]float64{n, g.total, g.total / n}, quartiles(all)...)
	}
}

// number returns the number of a metric as the only value.
func number(typ, id string, value func(any) float64) func(s *sent, add func(string, float64, ...weighted)) {
	return func(s *sent, add func(string, float64, ...weighted)) {
		if v := s.at(typ, id); v != nil {
			add("", value(v), weighted{value(v), 1})
		}
	}
}

func integer(v any) float64 { return float64(v.(int)) }

func seconds(v any) float64 {
	fields := v.(labels)
	return float64(fields["value"].(int)) * map[string]float64{"millisecond": 0.001, "second": 1, "minute": 60}[fields["time_unit"].(string)]
}

func none(*group) []float64 { return nil }

// TestNumbers: the queries give the numbers that loops over the pings give.
func TestNumbers(t *testing.T) {
	all := population()
	s, db := loaded(t, all)
	d := dictionary.New(s.Tables)
	require.NotEmpty(t, cases)
	for _, tt := range cases {
		for _, by := range []string{"", "channel"} {
			t.Run(strings.Join([]string{tt.path, by, fmt.Sprint(tt.clients), tt.extra}, " "), func(t *testing.T) {
				e, p := d.Find("app_metrics", tt.path)
				require.NotNil(t, e)
				q := metric.Question{Entry: e, Place: p, From: first8, To: last8, By: by, Clients: tt.clients, Extra: tt.extra}
				a, err := q.Write()
				require.NoError(t, err)
				columns, rows := runQuery(t, db, a.SQL)
				for _, m := range append(slices.Clone(a.Keys), a.Measures...) {
					require.Contains(t, columns, m)
				}
				want := lines(groups(all, by != "", tt.values), tt.measures)
				require.Equal(t, want, rows, a.SQL)
			})
		}
	}
}
