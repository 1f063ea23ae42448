package columnar

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// add appends a value to a column of type t and returns its approximate size in bytes. The builder of a struct makes its type with each
// call of its method Type.
func add(b array.Builder, t arrow.DataType, v any) (int, error) {
	if v == nil {
		b.AppendNull()
		return 4, nil
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		return addText(b, v)
	case *array.BinaryBuilder:
		return addBytes(b, v)
	case *array.ListBuilder:
		return addList(b, t.(*arrow.ListType), v)
	case *array.StructBuilder:
		return addStruct(b, t.(*arrow.StructType), v)
	case *array.MapBuilder:
		return addMap(b, t.(*arrow.MapType), v)
	case *array.Decimal128Builder:
		n, err := decimalOf(v, t.(*arrow.Decimal128Type).Precision)
		if err != nil {
			return 0, err
		}
		b.Append(n)
		return 16, nil
	}
	if addNumber(b, v) {
		return 8, nil
	}
	s, ok := v.(string)
	if !ok {
		return 0, fmt.Errorf("a value of kind %T where %s is wanted", v, t)
	}
	return 8, addTime(b, s)
}

func addText(b *array.StringBuilder, v any) (int, error) {
	s, ok := v.(string)
	if !ok {
		s = fmt.Sprint(v)
	}
	b.Append(strings.ToValidUTF8(s, "\ufffd"))
	return len(s) + 4, nil
}

// addBytes appends bytes, or text in which \x00 stands for a byte.
func addBytes(b *array.BinaryBuilder, v any) (int, error) {
	data, ok := v.([]byte)
	if s, text := v.(string); text {
		data, ok = Unescape(s), true
	}
	if !ok {
		return 0, fmt.Errorf("a value of kind %T where bytes are wanted", v)
	}
	b.Append(data)
	return len(data) + 4, nil
}

// Unescape decodes bytes as DuckDB, and Rows, write them: \x00 for a byte that is no character.
func Unescape(s string) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], `\x`) && len(s) >= i+4 {
			if c, err := strconv.ParseUint(s[i+2:i+4], 16, 8); err == nil {
				out = append(out, byte(c))
				i += 3
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}

func addList(b *array.ListBuilder, t *arrow.ListType, v any) (size int, err error) {
	list, ok := v.([]any)
	if !ok {
		return 0, fmt.Errorf("a value of kind %T where a list is wanted", v)
	}
	b.Append(true)
	for _, e := range list {
		n, err := add(b.ValueBuilder(), t.Elem(), e)
		if err != nil {
			return 0, err
		}
		size += n
	}
	return size + 4, nil
}

func addStruct(b *array.StructBuilder, t *arrow.StructType, v any) (size int, err error) {
	m, ok := v.(map[string]any)
	if !ok {
		return 0, fmt.Errorf("a value of kind %T where a struct is wanted", v)
	}
	b.Append(true)
	for i := range t.NumFields() {
		f := t.Field(i)
		n, err := add(b.FieldBuilder(i), f.Type, m[f.Name])
		if err != nil {
			return 0, err
		}
		size += n
	}
	return size, nil
}

// addMap appends a map from a list of entries, each with key and value.
func addMap(b *array.MapBuilder, t *arrow.MapType, v any) (size int, err error) {
	list, ok := v.([]any)
	if !ok {
		return 0, fmt.Errorf("a value of kind %T where a map is wanted", v)
	}
	b.Append(true)
	for _, e := range list {
		entry, _ := e.(map[string]any)
		if entry["key"] == nil {
			return 0, errors.New("a map with an entry that has no key")
		}
		n, err := add(b.KeyBuilder(), t.KeyType(), entry["key"])
		if err != nil {
			return 0, err
		}
		m, err := add(b.ItemBuilder(), t.ItemType(), entry["value"])
		if err != nil {
			return 0, err
		}
		size += n + m
	}
	return size + 4, nil
}

// addNumber appends a number or a boolean. It returns false if the value has another kind or does not fit.
func addNumber(b array.Builder, v any) bool {
	switch v := v.(type) {
	case bool:
		b, ok := b.(*array.BooleanBuilder)
		if ok {
			b.Append(v)
		}
		return ok
	case float32:
		return addFloat(b, float64(v))
	case float64:
		return addFloat(b, v)
	case uint64:
		if b, ok := b.(*array.Uint64Builder); ok {
			b.Append(v)
			return true
		}
		return v <= math.MaxInt64 && addInteger(b, int64(v))
	case int8:
		return addInteger(b, int64(v))
	case int16:
		return addInteger(b, int64(v))
	case int32:
		return addInteger(b, int64(v))
	case int64:
		return addInteger(b, v)
	case uint8:
		return addInteger(b, int64(v))
	case uint16:
		return addInteger(b, int64(v))
	case uint32:
		return addInteger(b, int64(v))
	}
	return false
}

func addFloat(b array.Builder, v float64) bool {
	switch b := b.(type) {
	case *array.Float32Builder:
		b.Append(float32(v))
	case *array.Float64Builder:
		b.Append(v)
	default:
		return false
	}
	return true
}

// addInteger appends an integer that DuckDB returned as a value of the column's type.
func addInteger(b array.Builder, v int64) bool {
	switch b := b.(type) {
	case *array.Int8Builder:
		b.Append(int8(v))
	case *array.Int16Builder:
		b.Append(int16(v))
	case *array.Int32Builder:
		b.Append(int32(v))
	case *array.Int64Builder:
		b.Append(v)
	case *array.Uint8Builder:
		b.Append(uint8(v))
	case *array.Uint16Builder:
		b.Append(uint16(v))
	case *array.Uint32Builder:
		b.Append(uint32(v))
	default:
		return false
	}
	return true
}

// decimalOf parses a decimal from a whole number, or from its text with all digits of the scale.
func decimalOf(v any, precision int32) (d decimal128.Num, err error) {
	var n *big.Int
	switch v := v.(type) {
	case *big.Int:
		n = v
	case string:
		var ok bool
		if n, ok = new(big.Int).SetString(strings.Replace(v, ".", "", 1), 10); !ok {
			return d, fmt.Errorf("%q is no decimal", v)
		}
	default:
		return d, fmt.Errorf("a value of kind %T where a decimal is wanted", v)
	}
	if most := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil); n.CmpAbs(most) >= 0 {
		return d, fmt.Errorf("%s has more than %d digits, the most that Arrow has: CAST(… AS VARCHAR) gives it as text", n, precision)
	}
	return decimal128.FromBigInt(n), nil
}
