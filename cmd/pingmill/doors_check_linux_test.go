package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func (q *questions) check(ctx context.Context, c checked) {
	q.mu.Lock()
	q.byDoor[c.door]++
	q.mu.Unlock()
	switch {
	case c.got.internal != "":
		q.internal.Add(1)
		q.t.Errorf("%s, %s, %s: an internal error: %s\n%.3000s", c.door, c.dialect, c.name, c.got.internal, c.sql)
	case c.attack && (c.got.refused != "" || c.any):
		q.refused.Add(1)
	case c.attack:
		q.attackPassed(c)
	case c.none && c.got.refused == "" && len(c.got.rows) == 0:
		q.refused.Add(1)
	case c.none:
		q.wrong.Add(1)
		q.t.Errorf("%s, %s: rows that are not granted: %s: %s", c.door, c.sql, c.got.refused, show(c.got.rows))
	case c.got.refused != "":
		q.internal.Add(1)
		q.t.Errorf("%s, %s, %s: refused: %s\n%.3000s", c.door, c.dialect, c.name, c.got.refused, c.sql)
	default:
		if len(c.got.rows) > 0 {
			q.filled.Add(1)
		} else {
			q.mu.Lock()
			q.empty = append(q.empty, c.name)
			q.mu.Unlock()
		}
		q.compare(ctx, c)
	}
}

// ownAnswers are statements that a protocol answers itself: PostgreSQL's, as its clients send them when they connect, and
// Trino's about transactions and prepared statements, of which the inner one meets the gate.
var ownAnswers = map[string]*regexp.Regexp{
	"PostgreSQL": regexp.MustCompile(`(?i)^\W*(set|reset|begin|start|commit|end|rollback|show|discard|deallocate|` +
		`select (version|current_setting|set_config|pg_|current_|txid)|.*(pg_catalog|information_schema|pg_))`),
	"Trino": regexp.MustCompile(`^(COMMIT|ROLLBACK|EXECUTE IMMEDIATE 'SELECT 1')$`),
}

// attackPassed judges an attack that was answered: what comes of it shows no file.
func (q *questions) attackPassed(c checked) {
	if own := ownAnswers[c.door]; own != nil && own.MatchString(c.sql) {
		q.refused.Add(1)
		return
	}
	q.wrong.Add(1)
	q.t.Errorf("%s, %s: an attack is answered: %s: %.500q", c.door, c.dialect, c.sql, fmt.Sprint(c.got.rows))
}

// statements returns the statements about the clock's present day.
func (q *questions) statements() (valid, attacks []posed) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if day := q.b.clock().Format("20060102"); q.day != day {
		q.day = day
		q.posed, q.attacks = statementsOf(q.t, q.b)
	}
	return q.posed, q.attacks
}

// compare looks for a state of the tables that gives the answer.
func (q *questions) compare(ctx context.Context, c checked) {
	r := q.b.recorder
	r.after(ctx, c.to)
	var tables []string
	for _, lt := range r.tables {
		if slices.ContainsFunc(append(lt.Schema.Aliases(), lt.Schema.Name), func(name string) bool { return strings.Contains(c.sql, name) }) {
			tables = append(tables, lt.Schema.Name)
		}
	}
	states := r.during(c.from, c.to, tables)
	lost, first := false, answerRows(nil)
	try := func(states []*lakeState) bool {
		for _, s := range states {
			rows, err := r.over(s, c.dialect, c.sql)
			if errors.Is(err, errNotRetained) {
				lost = true
				continue
			}
			if err != nil {
				q.t.Errorf("%s: over kept files: %v", c.sql, err)
				return true
			}
			if first == nil {
				first = rows
			}
			if same := sameRows(rows, c.got.rows, c.loose, strings.Contains(c.sql, "round(")); same {
				return true
			}
		}
		return false
	}
	switch {
	case try(states) && len(states) == 1:
		q.exact.Add(1)
	case len(states) > 1 && (try(states) || try(mixed(states))):
		q.between.Add(1)
	case lost:
		q.lost.Add(1)
	default:
		q.wrong.Add(1)
		q.t.Errorf("%s, %s, %s: none of %d states gives this answer: %s\n%.3000s\nfirst state: %s\n%s",
			c.door, c.dialect, c.name, len(states), show(c.got.rows), c.sql, show(first), states)
	}
}

func show(rows answerRows) string {
	all := canonical(rows)
	return fmt.Sprintf("%d rows: %.1500q", len(all), all[:min(len(all), 12)])
}

var (
	moment   = regexp.MustCompile(`(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|[+-]\d\d(?::\d\d)?| UTC)?`)
	midnight = regexp.MustCompile(`(\d{4}-\d\d-\d\d) 00:00:00(?:\.0+)?`)
	word     = regexp.MustCompile(`[^\s,\[\]{}()"'=:]+`)
)

// canonical writes rows as words, which no door writes otherwise, and sorts them.
func canonical(rows answerRows) []string {
	all := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for _, cell := range row {
			cell = midnight.ReplaceAllString(moment.ReplaceAllString(cell, "$1 $2"), "$1")
			for _, w := range word.FindAllString(cell, -1) {
				switch f, err := strconv.ParseFloat(w, 64); {
				case err == nil && !strings.ContainsAny(w, "nNiIxXpP_"):
					w = strconv.FormatFloat(f, 'g', 7, 64)
				case w == "t", w == "f":
					w = map[string]string{"t": "true", "f": "false"}[w]
				case strings.EqualFold(w, "null"), w == "(null)":
					continue
				}
				b.WriteString(w + " ")
			}
			b.WriteString("| ")
		}
		all[i] = b.String()
	}
	slices.Sort(all)
	return all
}

// sameRows compares results as bags of rows. Numbers may differ in their last digits, which depend on the order of sums, or by some
// percent. Rounded ones may differ by one in the last place: sums of hours are often halfway between two.
func sameRows(a, b answerRows, loose, rounded bool) bool {
	x, y := canonical(a), canonical(b)
	if len(x) != len(y) {
		return false
	}
	near := 1e-5
	if loose {
		near = 0.1
	}
	for i := range x {
		if x[i] != y[i] && !sameWords(strings.Fields(x[i]), strings.Fields(y[i]), near, rounded) {
			return false
		}
	}
	return true
}

func sameWords(a, b []string, near float64, rounded bool) bool {
	return slices.EqualFunc(a, b, func(a, b string) bool {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		apart := math.Abs(x - y)
		return a == b || err1 == nil && err2 == nil && (apart <= near*max(math.Abs(x), math.Abs(y)) || rounded && apart <= lastPlace(a, b))
	})
}

// lastPlace is one in the last place of the decimals of two numbers, or 0 if they have more than two or none.
func lastPlace(a, b string) float64 {
	_, a, _ = strings.Cut(a, ".")
	_, b, _ = strings.Cut(b, ".")
	switch max(len(a), len(b)) {
	case 1:
		return 0.1001
	case 2:
		return 0.01001
	}
	return 0
}

func (q *questions) String() string {
	return fmt.Sprintf("%v; results of one state %d, of one of several %d, %d of them with rows; attacks refused %d; "+
		"internal errors %d, wrong answers %d; %d of states that were not kept", q.byDoor, q.exact.Load(), q.between.Load(), q.filled.Load(),
		q.refused.Load(), q.internal.Load(), q.wrong.Load(), q.lost.Load())
}
