package metric

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// shares are the percentiles of numbers and distributions.
var shares = []struct{ name, share string }{{"p25", "0.25"}, {"median", "0.5"}, {"p75", "0.75"}, {"p95", "0.95"}}

// percentiles returns the columns of the percentiles of value; weight is a column, or "" if all count the same.
func (w *writer) percentiles(value, weight string) (columns []string) {
	for _, s := range shares {
		call := fmt.Sprintf("approx_percentile(%s, %s)", value, s.share)
		if weight != "" { // with an accuracy it is a bucket, without one a value between two
			call = fmt.Sprintf("approx_percentile(%s, %s, %s, 0.01)", value, weight, s.share)
		}
		columns, w.measures = append(columns, call+" AS "+s.name), append(w.measures, s.name)
	}
	return columns
}

// counted returns the columns pings and clients of rows of pings.
func (w *writer) counted() []string {
	if w.hasClients {
		return []string{"count(*) AS pings", "count(DISTINCT client) AS clients"}
	}
	return []string{"count(*) AS pings"}
}

// sums returns the columns pings and clients of rows of clients, or of pings unless each client counts once.
func (w *writer) sums() []string {
	if w.Clients {
		return []string{"sum(pings) AS pings", "count(*) AS clients"}
	}
	return w.counted()
}

func (w *writer) fewOf() string {
	if w.Clients {
		return w.few("", "count(*)")
	}
	return w.few("count(*)", "count(DISTINCT client)")
}

// finish writes the final SELECT with a row for each group.
func (w *writer) finish(columns ...string) {
	w.last = "SELECT\n  " + strings.Join(slices.Concat([]string{"day"}, w.keys, columns), ",\n  ") + "\nFROM " + w.from + "\nGROUP BY " +
		w.group()
}

// counts counts pings or events, clients, and what labels count.
func (w *writer) counts() {
	columns, first := w.counted(), "pings"
	if w.shape == Events {
		columns[0], first = "count(*) AS events", "events"
	}
	w.measures = []string{first}
	if w.shape == Labels {
		columns, w.measures = append(columns, "sum(value) AS total"), []string{"total", first}
	}
	if w.Clients {
		w.measures = append([]string{"clients"}, w.measures...)
	} else if w.hasClients {
		w.measures = append(w.measures, "clients")
	}
	w.finish(append(columns, w.fewOfPings())...)
}

// fewOfPings marks groups by the clients of rows of pings.
func (w *writer) fewOfPings() string { return w.few("count(*)", "count(DISTINCT client)") }

// numbers sums up numbers and finds percentiles: of pings, or of the sums of clients.
func (w *writer) numbers() {
	if w.Clients {
		aggregate := "sum(value)"
		if w.largest {
			aggregate = "max(value)"
		}
		w.add("of_client", "SELECT "+w.group("client", aggregate+" AS value", "count(*) AS pings")+"\nFROM "+w.from+
			"\nWHERE client IS NOT NULL\nGROUP BY "+w.group("client"))
	}
	columns := append(w.sums(), "sum(value) AS total", "avg(value) AS mean")
	columns = append(columns, w.percentiles("value", "")...)
	w.measures = append(w.measures, "mean", "total")
	w.preferMedian()
	w.finish(append(columns, w.fewOf())...)
}

// preferMedian makes the median the first measure.
func (w *writer) preferMedian() {
	i := slices.Index(w.measures, "median")
	w.measures = slices.Insert(slices.Delete(w.measures, i, i+1), 0, "median")
}

// rates divides numerators by denominators: of all, or the mean of the rates of clients.
func (w *writer) rates() {
	rate := "sum(numerator) / nullif(sum(denominator), 0)"
	columns := []string{"sum(numerator) AS numerator", "sum(denominator) AS denominator"}
	if w.Clients {
		w.add("of_client", "SELECT "+w.group("client", "sum(numerator) AS numerator", "sum(denominator) AS denominator", "count(*) AS pings")+
			"\nFROM "+w.from+"\nWHERE client IS NOT NULL\nGROUP BY "+w.group("client"))
		rate = "avg(numerator / nullif(denominator, 0))"
	}
	w.measures = []string{"rate", "numerator", "denominator"}
	w.finish(slices.Concat(w.sums(), columns, []string{rate + " AS rate", w.fewOf()})...)
}

// distributions adds up the samples of buckets and finds the buckets of percentiles. If each client counts once, the
// weight of all samples of a client is the same, and large, because a weight is at least 1.
func (w *writer) distributions() {
	rows, hasSum := w.from, slices.Contains(w.rest, "total")
	totals := w.counted()
	if hasSum {
		totals = append(totals, "sum(total) AS total")
	}
	w.add("totals", "SELECT "+w.group(append(totals, w.fewOfPings())...)+"\nFROM "+rows+"\nGROUP BY "+w.group())
	const bucket = "TRY_CAST(u.bucket AS double)"
	from := "\nFROM " + rows + "\nCROSS JOIN UNNEST(buckets) AS u (bucket, n)\nWHERE n > 0\n  AND " + bucket + " IS NOT NULL"
	if w.Clients {
		w.add("of_client", "SELECT "+w.group("client", bucket+" AS bucket", "sum(n * 1e0) AS n")+from+"\n  AND client IS NOT NULL\nGROUP BY "+
			w.group("client", bucket))
		w.add("shares", "SELECT *, n / sum(n) OVER (PARTITION BY "+w.group("client")+") AS share\nFROM of_client")
		w.add("samples", "SELECT "+w.group("bucket", "sum(n) AS n", "greatest(1e9 * sum(share), 1e0) AS weight")+"\nFROM shares\nGROUP BY "+
			w.group("bucket"))
	} else {
		w.add("samples", "SELECT "+w.group(bucket+" AS bucket", "sum(n * 1e0) AS n", "sum(n * 1e0) AS weight")+from+"\nGROUP BY "+w.group(bucket))
	}
	spread := append([]string{"sum(n) AS samples"}, w.percentiles("bucket", "weight")...)
	w.add("spread", "SELECT "+w.group(spread...)+"\nFROM samples\nGROUP BY "+w.group())
	on := make([]string, 0, len(w.keys)+1)
	columns := []string{}
	for _, key := range append([]string{"day"}, w.keys...) {
		on, columns = append(on, "spread."+key+" = totals."+key), append(columns, "totals."+key)
	}
	columns = append(columns, "pings")
	if w.hasClients {
		columns = append(columns, "clients")
	}
	columns = append(columns, "samples")
	if hasSum {
		columns, w.measures = append(columns, "total", "total / nullif(samples, 0) AS mean"), append(w.measures, "mean", "total")
	}
	for _, s := range shares {
		columns = append(columns, s.name)
	}
	w.measures = append(w.measures, "samples")
	w.preferMedian()
	w.last = "SELECT\n  " + strings.Join(append(columns, "few"), ",\n  ") + "\nFROM totals\nLEFT JOIN spread ON " + strings.Join(on, " AND ")
}

var plain = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// names returns a path of names in SQL.
func names(path string) string {
	parts := strings.Split(path, ".")
	for i, p := range parts {
		if !plain.MatchString(p) || slices.Contains(syntax.Keywords(), strings.ToUpper(p)) {
			parts[i] = `"` + strings.ReplaceAll(p, `"`, `""`) + `"`
		}
	}
	return strings.Join(parts, ".")
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
