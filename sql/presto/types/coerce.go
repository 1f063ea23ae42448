package types

// MaxPrecision is the number of digits of the longest decimal.
const MaxPrecision = 38

// wholeDigits holds the number of digits of the integer types.
var wholeDigits = map[Kind]int{Tinyint: 3, Smallint: 5, Integer: 10, Bigint: 19}

// AsDecimal returns the decimal to which an integer type is coerced; a decimal is itself.
func (t Type) AsDecimal() Type {
	if t.Whole() {
		return DecimalOf(wholeDigits[t.Kind], 0)
	}
	return t
}

// Common returns the type to which values of both types are coerced, as Trino has it for operators, CASE, ARRAY[…] and
// UNION; false if there is none.
func Common(a, b Type) (Type, bool) {
	switch {
	case a.Equal(b) || b.Kind == Unknown:
		return a, true
	case a.Kind == Unknown:
		return b, true
	case a.Kind == b.Kind:
		return sameKind(a, b)
	}
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch {
	case a.Whole() && b.Whole(), a.Numeric() && b.Kind == Double, a.Whole() && b.Kind == Real:
		return b, true
	case a.Is(Real, Double) && b.Kind == Decimal:
		return a, true
	case a.Whole() && b.Kind == Decimal:
		return commonDecimal(a.AsDecimal(), b), true
	case a.Kind == Real && b.Kind == Double:
		return b, true
	case a.Kind == Varchar && b.Kind == Char:
		if a.Precision == Unbounded {
			return a, true
		}
		return Type{Kind: Char, Precision: max(a.Precision, b.Precision)}, true
	case a.Kind == Date && b.Is(Timestamp, TimestampTZ):
		return b, true
	case a.Kind == Timestamp && b.Kind == TimestampTZ:
		return Type{Kind: TimestampTZ, Precision: max(a.Precision, b.Precision)}, true
	}
	return Type{}, false
}

func sameKind(a, b Type) (Type, bool) {
	switch a.Kind {
	case Decimal:
		return commonDecimal(a, b), true
	case Varchar:
		if a.Precision == Unbounded || b.Precision == Unbounded {
			return VarcharOf(Unbounded), true
		}
		return VarcharOf(max(a.Precision, b.Precision)), true
	case Char, Time, Timestamp, TimestampTZ:
		return Type{Kind: a.Kind, Precision: max(a.Precision, b.Precision)}, true
	case Array, Map, Row:
		return commonElems(a, b)
	}
	return a, a.Equal(b)
}

func commonElems(a, b Type) (Type, bool) {
	if len(a.Elems) != len(b.Elems) {
		return Type{}, false
	}
	t := Type{Kind: a.Kind, Elems: make([]Type, len(a.Elems))}
	if a.Kind == Row {
		t.Names = make([]string, len(a.Elems))
	}
	for i := range a.Elems {
		var ok bool
		if t.Elems[i], ok = Common(a.Elems[i], b.Elems[i]); !ok {
			return Type{}, false
		}
		if a.Kind == Row && a.Names[i] == b.Names[i] {
			t.Names[i] = a.Names[i]
		}
	}
	return t, true
}

func commonDecimal(a, b Type) Type {
	scale := max(a.Scale, b.Scale)
	whole := max(a.Precision-a.Scale, b.Precision-b.Scale)
	return DecimalOf(min(MaxPrecision, whole+scale), scale)
}

// Coerces reports whether a value of type from becomes one of type to by
// itself.
func Coerces(from, to Type) bool {
	if from.Kind == Char && to.Kind == Varchar {
		return to.Precision == Unbounded || to.Precision >= from.Precision
	}
	if from.Kind == Row && to.Kind == Row || from.Kind == Array && to.Kind == Array || from.Kind == Map && to.Kind == Map {
		if len(from.Elems) != len(to.Elems) {
			return false
		}
		for i := range from.Elems {
			if !Coerces(from.Elems[i], to.Elems[i]) {
				return false
			}
		}
		return true
	}
	t, ok := Common(from, to)
	return ok && t.Equal(to)
}

// Comparable reports whether = takes values of the type.
func (t Type) Comparable() bool {
	if t.Is(HyperLogLog, TDigest, QDigest) {
		return false
	}
	for _, e := range t.Elems {
		if !e.Comparable() {
			return false
		}
	}
	return true
}

// Orderable reports whether < takes values of the type.
func (t Type) Orderable() bool {
	if t.Is(Map, JSON) || !t.Comparable() {
		return false
	}
	for _, e := range t.Elems {
		if !e.Orderable() {
			return false
		}
	}
	return true
}

// Has reports whether t, or a type in it, is of one of the kinds.
func (t Type) Has(kinds ...Kind) bool {
	if t.Is(kinds...) {
		return true
	}
	for _, e := range t.Elems {
		if e.Has(kinds...) {
			return true
		}
	}
	return false
}

// DecimalResult returns the type of a op b, for + - * / and %. Its scale may be more than a decimal can have.
func DecimalResult(op string, a, b Type) Type {
	scale := max(a.Scale, b.Scale)
	whole := max(a.Precision-a.Scale, b.Precision-b.Scale)
	precision := whole + scale + 1
	switch op {
	case "*":
		precision, scale = a.Precision+b.Precision, a.Scale+b.Scale
	case "/":
		precision = a.Precision + b.Scale + max(b.Scale-a.Scale, 0)
	case "%":
		precision = min(a.Precision-a.Scale, b.Precision-b.Scale) + scale
	}
	return DecimalOf(min(MaxPrecision, precision), scale)
}
