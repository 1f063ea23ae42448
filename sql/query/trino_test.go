package query

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/gate"
	"github.com/pingmill/pingmill/sql/presto"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// trinoCase is a query with the answer of Trino 435: sql/presto/testdata/trino/README.md.
type trinoCase struct {
	SQL     string      `json:"sql"`
	Columns [][2]string `json:"columns"`
	Rows    [][]any     `json:"rows"`
	Error   string      `json:"error"`
	Refused string      `json:"refused"`
	Lenient string      `json:"lenient"` // why an answer stands where Trino has an error
	Ordered bool        `json:"ordered"`
	Near    float64     `json:"near"`
}

// TestTrino: every query answers as Trino does, fails as it does, or is refused with the words that the case has.
func TestTrino(t *testing.T) {
	files, err := filepath.Glob("../presto/testdata/trino/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	db, err := Open(context.Background(), nil, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.register(context.Background(), strings.Join(gate.Functions(), " ")); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
				var c trinoCase
				if err := json.Unmarshal([]byte(line), &c); err != nil {
					t.Fatalf("line %d: %v", i+1, err)
				}
				c.check(t, db)
			}
		})
	}
}

func (c *trinoCase) check(t *testing.T, db *DB) {
	t.Helper()
	columns, rows, err := prestoRows(db, c.SQL)
	switch {
	case c.Refused != "":
		if err == nil || !strings.Contains(err.Error(), c.Refused) {
			t.Errorf("%s\n  want refusal: %s\n  got: %v %v", c.SQL, c.Refused, rows, err)
		}
	case c.Error != "":
		if err == nil && c.Lenient == "" {
			t.Errorf("%s\n  want error: %s\n  got: %v", c.SQL, c.Error, rows)
		}
	case err != nil:
		t.Errorf("%s\n  want: %v\n  got error: %v", c.SQL, c.Rows, err)
	default:
		for i, col := range columns {
			// A column without a name has that of its expression here.
			named := col.Name == c.Columns[i][0] || strings.HasPrefix(c.Columns[i][0], "_col")
			if !named || untyped(col.Type.String()) != untyped(c.Columns[i][1]) {
				t.Errorf("%s\n  want column: %v\n  got: %s %s", c.SQL, c.Columns[i], col.Name, col.Type)
			}
		}
		if !c.same(rows) {
			t.Errorf("%s\n  want: %v\n  got: %v", c.SQL, c.Rows, rows)
		}
	}
}

var lengths = regexp.MustCompile(`(var)?char\(\d+\)`)

// untyped returns a type without what is not kept here: the lengths of texts, and types of nulls.
func untyped(t string) string {
	return strings.ReplaceAll(lengths.ReplaceAllString(t, "varchar"), " ", "")
}

// prestoRows runs a query in Presto's SQL.
func prestoRows(db *DB, sql string) ([]presto.Column, [][]any, error) {
	translation, err := presto.Translate(sql, presto.NewCatalog())
	if err != nil {
		return nil, nil, err
	}
	ctx := context.Background()
	conn, err := db.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	if _, err := gate.Judge(translation.SQL, gate.Grants{Functions: functions.Internal}, parser(ctx, conn)); err != nil {
		return nil, nil, fmt.Errorf("gate: %w\n  in %s", err, translation.SQL)
	}
	rows, err := conn.QueryContext(ctx, translation.SQL, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("%w\n  in %s", err, translation.SQL)
	}
	defer rows.Close()
	var all [][]any
	for {
		row, err := fetch(rows, len(translation.Columns))
		if errors.Is(err, io.EOF) {
			return translation.Columns, all, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%w\n  in %s", err, translation.SQL)
		}
		plain := make([]any, len(row))
		for i, v := range row {
			plain[i] = trinoValue(v, translation.Columns[i].Type)
		}
		all = append(all, plain)
	}
}

// trinoValue writes a value as the cases do.
func trinoValue(v driver.Value, t types.Type) any {
	if _, isText := v.(string); t.Kind == types.JSON && v != nil && !isText { // decoded by the driver
		text, err := json.Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	switch v := v.(type) {
	case nil:
		return nil
	case float64:
		return number(v)
	case float32:
		f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		return number(f)
	case []byte:
		if t.Kind == types.UUID {
			id := duckdb.UUID(v)
			return id.String()
		}
		return hex.EncodeToString(v)
	case time.Time:
		return timeText(v, t)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = trinoValue(x, t.Elem())
		}
		return out
	case map[string]any:
		out := make([]any, len(t.Elems))
		for i, e := range t.Elems {
			out[i] = trinoValue(v[t.Field(i)], e)
		}
		return out
	case duckdb.OrderedMap:
		out := map[string]any{}
		for _, k := range v.Keys() {
			x, _ := v.Get(k)
			key := fmt.Sprint(trinoValue(k, t.Elem()))
			if t.Elem().Is(types.Double, types.Real) && !strings.ContainsAny(key, ".eN") {
				key += ".0"
			}
			out[key] = trinoValue(x, t.Value())
		}
		return out
	case duckdb.Decimal:
		return decimalText(v)
	case bool, string:
		return v
	}
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	f := reflect.ValueOf(v)
	if f.CanInt() {
		return float64(f.Int())
	}
	return fmt.Sprint(v)
}

// timeText has as many digits of the second as the type.
func timeText(v time.Time, t types.Type) string {
	layout := map[types.Kind]string{types.Date: "2006-01-02", types.Time: "15:04:05", types.Timestamp: "2006-01-02 15:04:05"}[t.Kind]
	if t.Kind != types.Date && t.Precision > 0 {
		layout += "." + strings.Repeat("0", t.Precision)
	}
	return v.Format(layout)
}

// decimalText has all places.
func decimalText(d duckdb.Decimal) string {
	s := fmt.Sprintf("%0*d", int(d.Scale)+1, new(big.Int).Abs(d.Value))
	if at := len(s) - int(d.Scale); d.Scale > 0 {
		s = s[:at] + "." + s[at:]
	}
	if d.Value.Sign() < 0 {
		s = "-" + s
	}
	return s
}

func number(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.Replace(fmt.Sprint(f), "Inf", "Infinity", 1), "+")
	}
	return f
}

// same compares rows, without regard to their order unless it is part of the question.
func (c *trinoCase) same(rows [][]any) bool {
	if len(rows) != len(c.Rows) {
		return false
	}
	left := append([][]any(nil), rows...)
	for _, want := range c.Rows {
		at := -1
		for i, got := range left {
			if c.equal(any(want), any(got)) {
				at = i
				break
			}
			if c.Ordered {
				break
			}
		}
		if at < 0 {
			return false
		}
		left = append(left[:at], left[at+1:]...)
	}
	return true
}

// equal compares values: doubles to the last digits, or to what the case says.
func (c *trinoCase) equal(want, got any) bool {
	switch want := want.(type) {
	case float64:
		f, ok := got.(float64)
		return ok && math.Abs(f-want) <= max(c.Near, 1e-13)*math.Abs(want)+1e-16
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			return false
		}
		for i := range want {
			if !c.equal(want[i], g[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(want) {
			return false
		}
		for k, v := range want {
			if x, ok := g[k]; !ok || !c.equal(v, x) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, got)
}
