package table

import (
	"encoding/json"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The model computes the daily tables again, slowly and apart from the
// transforms: a map of columns for each group of rows, numbers of any size. The
// columns with a common rule stand in testdata/model.

// A day is rows of main_summary as decoded JSON, in order.
type day []map[string]any

// modelColumn is one line of testdata/model: name, type, rule and source.
type modelColumn struct{ name, typ, rule, source string }

var models = map[string][]modelColumn{}

func readModel(t testing.TB, table string) []modelColumn {
	t.Helper()
	if models[table] != nil {
		return models[table]
	}
	b, err := os.ReadFile("testdata/model/" + table + ".txt")
	require.NoError(t, err)
	var cols []modelColumn
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		cols = append(cols, modelColumn{f[0], f[1], f[2], f[3]})
	}
	models[table] = cols
	return cols
}

// approx is a double that need not be exact: an error is measured against the magnitude of its operands.
type approx struct{ value, magnitude float64 }

func number(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	r, _ := new(big.Rat).SetString(string(n))
	return r
}

// numbers returns the known values of a column.
func (d day) numbers(name string) (list []*big.Rat) {
	for _, row := range d {
		if n := number(row[name]); n != nil {
			list = append(list, n)
		}
	}
	return list
}

func total(list []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, n := range list {
		sum.Add(sum, n)
	}
	return sum
}

// fitting returns an integer as JSON, null when there was nothing to add or when it does not fit 64 bits.
func fitting(n *big.Rat, known bool) any {
	if !known || !n.Num().IsInt64() {
		return nil
	}
	return json.Number(n.Num().String())
}

func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// mean returns the exact mean.
func mean(list []*big.Rat) any {
	if len(list) == 0 {
		return nil
	}
	n := new(big.Rat).SetInt64(int64(len(list)))
	magnitude := new(big.Rat)
	for _, v := range list {
		magnitude.Add(magnitude, new(big.Rat).Abs(v))
	}
	return approx{float(new(big.Rat).Quo(total(list), n)), float(new(big.Rat).Quo(magnitude, n))}
}

// rounded returns n rounded half away from zero to some decimals.
func rounded(n *big.Rat, decimals int64) *big.Rat {
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil))
	half := big.NewRat(1, 2)
	if n.Sign() < 0 {
		half.Neg(half)
	}
	x := new(big.Rat).Mul(n, scale)
	x.Add(x, half)
	x.SetInt(new(big.Int).Quo(x.Num(), x.Denom()))
	return x.Quo(x, scale)
}

// doubles adds f of the known values of a column, in order.
func (d day) doubles(name string, f func(*big.Rat) float64) any {
	list := d.numbers(name)
	if len(list) == 0 {
		return nil
	}
	var a approx
	for _, n := range list {
		a.value += f(n)
		a.magnitude += max(f(n), -f(n))
	}
	return a
}

// first returns the first known value.
func (d day) first(name string) any {
	for _, row := range d {
		if row[name] != nil {
			return row[name]
		}
	}
	return nil
}

// common computes a column with a common rule.
func (d day) common(c modelColumn) any {
	list := d.numbers(c.source)
	switch c.rule {
	case "first":
		return d.first(c.source)
	case "sum":
		return fitting(total(list), len(list) > 0)
	case "mean":
		return mean(list)
	case "max":
		if len(list) == 0 {
			return nil
		}
		return fitting(slices.MaxFunc(list, (*big.Rat).Cmp), true)
	case "combined":
		a, b, _ := strings.Cut(c.source, "+")
		var both day
		for _, row := range d {
			if row[a] != nil && row[b] != nil {
				both = append(both, row)
			}
		}
		return fitting(total(append(both.numbers(a), both.numbers(b)...)), len(both) > 0)
	case "place":
		for _, row := range d {
			if row["country"] != nil && row["country"] != "??" {
				if row[c.source] == nil {
					return "??"
				}
				return row[c.source]
			}
		}
	case "searches":
		return fitting(d.searches(c.source), true)
	}
	return nil
}

// searches adds the positive counts of one part of the browser.
func (d day) searches(part string) *big.Rat {
	var counts []*big.Rat
	for _, row := range d {
		list, _ := row["search_counts"].([]any)
		for _, e := range list {
			s := e.(map[string]any)
			if n := number(s["count"]); n != nil && s["source"] == part && n.Sign() > 0 {
				counts = append(counts, n)
			}
		}
	}
	return total(counts)
}

// profileAge returns the first known age of the profile in days.
func (d day) profileAge() any {
	for _, row := range d {
		text, ok := row["subsession_start_date"].(string)
		created := number(row["profile_creation_date"])
		if !ok || creationText(row["profile_creation_date"]) == nil {
			continue
		}
		if n, ok := wantLocalDay(text); ok {
			return json.Number(new(big.Rat).Sub(new(big.Rat).SetInt64(n), created).Num().String())
		}
	}
	return nil
}

// sessions counts the rows that began a session.
func (d day) sessions() any {
	n := int64(0)
	for _, row := range d {
		if row["subsession_counter"] == json.Number("1") {
			n++
		}
	}
	return fitting(new(big.Rat).SetInt64(n), true)
}

// groups splits a day by a key, keeping order.
func (d day) groups(key func(map[string]any) string) map[string]day {
	m := map[string]day{}
	for _, row := range d {
		k := key(row)
		m[k] = append(m[k], row)
	}
	return m
}

// keyOf writes key columns of a row so that they can be compared.
func keyOf(names ...string) func(map[string]any) string {
	return func(row map[string]any) string {
		var key []any
		for _, n := range names {
			key = append(key, row[n])
		}
		return toJSON(key)
	}
}
