package column

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"sort"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// AppendJSONRow adds a row from an object decoded with json.Number: members by
// column name, absent ones null, the forms that RowWriter writes. Members that
// are no columns are ignored. After an error the batch is as it was before.
func (b *Batch) AppendJSONRow(row map[string]any) error {
	for i := range b.Columns {
		if err := checkColumn(&b.Columns[i], row[b.Columns[i].Name]); err != nil {
			return err
		}
	}
	for i, c := range b.Columns {
		if v := row[c.Name]; v != nil {
			b.appendJSON(b.Start(i), 0, v)
		}
	}
	b.EndRow()
	return nil
}

func checkColumn(c *schema.Column, v any) error {
	if v == nil {
		if c.NotNull {
			return fmt.Errorf("column %s is null but required", c.Name)
		}
		return nil
	}
	if err := check(c.Type, v); err != nil {
		return fmt.Errorf("column %s: %w", c.Name, err)
	}
	return nil
}

// check says whether a value fits a type, so that appending it cannot fail
// half-way.
func check(t schema.Type, v any) error {
	bad := fmt.Errorf("%v is not of type %s", v, t)
	switch t.Kind {
	case schema.Array:
		list, ok := v.([]any)
		if !ok {
			return bad
		}
		for _, e := range list {
			if err := checkMember(*t.Elem, t.ElemNotNull, e); err != nil {
				return err
			}
		}
		return nil
	case schema.Map, schema.Struct:
		members, ok := v.(map[string]any)
		if !ok {
			return bad
		}
		return checkMembers(t, members)
	}
	if _, err := scalar(t, v); err != nil {
		return bad
	}
	return nil
}

func checkMembers(t schema.Type, members map[string]any) error {
	for k, m := range members {
		if t.Kind == schema.Map {
			if err := checkMember(*t.Elem, false, m); err != nil {
				return err
			}
			if _, err := mapKey(t, k); err != nil {
				return err
			}
		}
	}
	for _, f := range t.Fields {
		if err := checkMember(f.Type, f.NotNull, members[f.Name]); err != nil {
			return fmt.Errorf("member %s: %w", f.Name, err)
		}
	}
	return nil
}

func checkMember(t schema.Type, notNull bool, v any) error {
	if v == nil {
		if notNull {
			return fmt.Errorf("null where %s is required", t)
		}
		return nil
	}
	return check(t, v)
}

// mapKey reads a key. An integer has one form only, or two keys of a map could
// be the same.
func mapKey(t schema.Type, k string) (any, error) {
	if t.Key.Kind == schema.String {
		return k, nil
	}
	n, err := scalar(*t.Key, json.Number(k))
	if err == nil && strconv.FormatInt(n.(int64), 10) != k {
		err = fmt.Errorf("%s is not of type %s", k, *t.Key)
	}
	return n, err
}

// parseDecimal reads plain decimals: a sign, digits and no more fraction digits
// than the scale.
func parseDecimal(s string, t schema.Type) (Int128, bool) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if len(s) > 64 || whole == "" || point && fraction == "" || len(fraction) > t.Scale || strings.Trim(whole+fraction, "0123456789") != "" {
		return Int128{}, false
	}
	n, _ := new(big.Int).SetString(whole+fraction+strings.Repeat("0", t.Scale-len(fraction)), 10)
	if n.BitLen() > 127 {
		return Int128{}, false
	}
	d := Int128OfBig(n)
	if negative {
		d = d.Negate()
	}
	return d, len(n.String()) <= t.Precision
}

// scalar turns a decoded value into the Go value of a scalar type.
func scalar(t schema.Type, v any) (any, error) {
	bad := fmt.Errorf("%v is not of type %s", v, t)
	num, isNum := v.(json.Number)
	str, isStr := v.(string)
	switch t.Kind {
	case schema.Boolean:
		if b, ok := v.(bool); ok {
			return b, nil
		}
	case schema.Int, schema.Long:
		n, err := strconv.ParseInt(string(num), 10, 64)
		if err != nil || t.Kind == schema.Int && (n < math.MinInt32 || n > math.MaxInt32) {
			return nil, bad
		}
		return n, nil
	case schema.Double:
		if isNum {
			return num.Float64()
		}
	case schema.Decimal:
		if isNum {
			str = string(num)
		}
		if d, ok := parseDecimal(str, t); ok && (isNum || isStr) {
			return d, nil
		}
	case schema.String:
		if isStr {
			return str, nil
		}
	}
	return nil, bad
}

// appendJSON writes a checked value at n.
func (b *Batch) appendJSON(n *Node, rep int16, v any) {
	if v == nil {
		b.Null(n, rep)
		return
	}
	switch n.Type.Kind {
	case schema.Array:
		list := v.([]any)
		for i, e := range list {
			b.appendJSON(n.Elem, n.ElemRep(i, rep), e)
		}
		if len(list) == 0 {
			b.Empty(n, rep)
		}
	case schema.Map:
		b.appendJSONMap(n, rep, v.(map[string]any))
	case schema.Struct:
		for i, f := range n.Fields {
			b.appendJSON(f, rep, v.(map[string]any)[n.FieldNames[i]])
		}
	default:
		s, _ := scalar(n.Type, v)
		b.appendScalar(n, rep, s)
	}
}

// appendJSONMap writes the entries in the order of their keys.
func (b *Batch) appendJSONMap(n *Node, rep int16, members map[string]any) {
	keys := make([]string, 0, len(members))
	for k := range members {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for i, k := range keys {
		at := n.ElemRep(i, rep)
		key, _ := mapKey(n.Type, k)
		b.appendScalar(n.Key, at, key)
		b.appendJSON(n.Elem, at, members[k])
	}
	if len(keys) == 0 {
		b.Empty(n, rep)
	}
}

func (b *Batch) appendScalar(n *Node, rep int16, v any) {
	switch v := v.(type) {
	case bool:
		b.Bool(n, rep, v)
	case int64:
		if n.Type.Kind == schema.Int {
			b.Int(n, rep, int32(v))
		} else {
			b.Long(n, rep, v)
		}
	case float64:
		b.Double(n, rep, v)
	case Int128:
		b.Decimal(n, rep, v)
	case string:
		b.Str(n, rep, []byte(v))
	}
}
