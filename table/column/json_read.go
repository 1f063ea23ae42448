package column

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// AppendJSONRow adds a row from an object decoded with json.Number: members by
// column name, absent ones null, the forms that RowWriter writes. Members that
// are no columns are ignored. After an error the batch is as it was before.
func (b *Batch) AppendJSONRow(row map[string]any) error {
	for i := range b.Columns {
		if err := b.appendColumn(i, row[b.Columns[i].Name]); err != nil {
			b.DropRow()
			return err
		}
	}
	b.EndRow()
	return nil
}

func (b *Batch) appendColumn(i int, v any) error {
	c := &b.Columns[i]
	switch {
	case v != nil:
		if err := b.appendJSON(b.Start(i), 0, v); err != nil {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
	case c.NotNull:
		return fmt.Errorf("column %s is null but required", c.Name)
	}
	return nil
}

func mismatch(t schema.Type, v any) error { return fmt.Errorf("%v is not of type %s", v, t) }

// appendJSON writes a decoded value at n.
func (b *Batch) appendJSON(n *Node, rep int16, v any) error {
	if v == nil {
		if !n.Nullable {
			return fmt.Errorf("null where %s is required", n.Type)
		}
		b.Null(n, rep)
		return nil
	}
	switch n.Type.Kind {
	case schema.Array:
		list, ok := v.([]any)
		if !ok {
			return mismatch(n.Type, v)
		}
		for i, e := range list {
			if err := b.appendJSON(n.Elem, n.ElemRep(i, rep), e); err != nil {
				return err
			}
		}
		if len(list) == 0 {
			b.Empty(n, rep)
		}
		return nil
	case schema.Map, schema.Struct:
		members, ok := v.(map[string]any)
		if !ok {
			return mismatch(n.Type, v)
		}
		return b.appendMembers(n, rep, members)
	}
	return b.appendScalar(n, rep, v)
}

// appendMembers writes the entries of a map in the order of their keys, or the
// members of a struct.
func (b *Batch) appendMembers(n *Node, rep int16, members map[string]any) error {
	for i, f := range n.Fields {
		if err := b.appendJSON(f, rep, members[n.FieldNames[i]]); err != nil {
			return fmt.Errorf("member %s: %w", n.FieldNames[i], err)
		}
	}
	if n.Key == nil {
		return nil
	}
	for i, k := range slices.Sorted(maps.Keys(members)) {
		at := n.ElemRep(i, rep)
		if err := b.appendKey(n.Key, at, k); err != nil {
			return err
		}
		if err := b.appendJSON(n.Elem, at, members[k]); err != nil {
			return err
		}
	}
	if len(members) == 0 {
		b.Empty(n, rep)
	}
	return nil
}

// appendKey writes a key of a map. An integer has one form only, or two keys of a
// map could be the same.
func (b *Batch) appendKey(n *Node, rep int16, k string) error {
	if n.Type.Kind == schema.String {
		return b.appendScalar(n, rep, k)
	}
	if i, err := strconv.ParseInt(k, 10, 64); err == nil && strconv.FormatInt(i, 10) != k {
		return mismatch(n.Type, k)
	}
	return b.appendScalar(n, rep, json.Number(k))
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

// appendScalar writes a decoded value of a scalar type.
func (b *Batch) appendScalar(n *Node, rep int16, v any) error {
	num, _ := v.(json.Number)
	str, isText := v.(string)
	switch n.Type.Kind {
	case schema.Boolean:
		if v, ok := v.(bool); ok {
			b.Bool(n, rep, v)
			return nil
		}
	case schema.Int:
		if i, err := strconv.ParseInt(string(num), 10, 32); err == nil {
			b.Int(n, rep, int32(i))
			return nil
		}
	case schema.Long:
		if i, err := num.Int64(); err == nil {
			b.Long(n, rep, i)
			return nil
		}
	case schema.Date:
		if day, ok := ParseDate(str); ok {
			b.Int(n, rep, day)
			return nil
		}
	case schema.Timestamp:
		if at, ok := ParseTimestamp(str); ok {
			b.Long(n, rep, at)
			return nil
		}
	case schema.Double:
		if f, err := num.Float64(); err == nil {
			b.Double(n, rep, f)
			return nil
		}
	case schema.Decimal:
		if d, ok := parseDecimal(str+string(num), n.Type); ok { // it is one of the two
			b.Decimal(n, rep, d)
			return nil
		}
	case schema.String:
		if isText {
			b.Str(n, rep, []byte(str))
			return nil
		}
	}
	return mismatch(n.Type, v)
}
