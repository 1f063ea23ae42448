package parquet

// Logical refines what the values of a leaf mean to readers. The zero value refines nothing.
type Logical uint8

// The refinements, with the kind of leaf that each of them is for.
const (
	Unrefined     Logical = iota
	Float32               // Int: the bits of a 32-bit float
	Date                  // Int: days since 1970
	Int8                  // Int
	Int16                 // Int
	Uint8                 // Int
	Uint16                // Int
	Uint32                // Int: the bits of an unsigned number
	Uint64                // Long: the bits of an unsigned number
	TimeMicros            // Long: microseconds since midnight
	LocalMillis           // Long: a timestamp without a time zone
	LocalMicros           // Long: a timestamp without a time zone
	LocalNanos            // Long: a timestamp without a time zone
	InstantMicros         // Long: microseconds since 1970 in UTC
)

// logicals describes the refinements in the format's terms.
var logicals = [...]struct {
	kind      int  // the member of the union of logical types; 0: none
	converted int  // the older annotation; 0: none
	bits      int  // of an integer
	signed    bool // of an integer
	utc       bool // of a time
	unit      int  // the member of the union of time units
	unordered bool // the order of the values is not that of the leaf's kind
}{
	Float32:       {unordered: true},
	Date:          {kind: logicalDate, converted: 6},
	Int8:          {kind: logicalInteger, converted: 15, bits: 8, signed: true},
	Int16:         {kind: logicalInteger, converted: 16, bits: 16, signed: true},
	Uint8:         {kind: logicalInteger, converted: 11, bits: 8},
	Uint16:        {kind: logicalInteger, converted: 12, bits: 16},
	Uint32:        {kind: logicalInteger, converted: 13, bits: 32, unordered: true},
	Uint64:        {kind: logicalInteger, converted: 14, bits: 64, unordered: true},
	TimeMicros:    {kind: logicalTime, converted: 8, utc: true, unit: unitMicros},
	LocalMillis:   {kind: logicalTimestamp, unit: unitMillis},
	LocalMicros:   {kind: logicalTimestamp, unit: unitMicros},
	LocalNanos:    {kind: logicalTimestamp, unit: unitNanos},
	InstantMicros: {kind: logicalTimestamp, converted: 10, utc: true, unit: unitMicros},
}

// physical returns the parquet type that stores values of a kind with this refinement.
func (l Logical) physical(kind int) int {
	if l == Float32 {
		return typeFloat
	}
	return kind
}

// write writes the annotations of a schema element.
func (l Logical) write(s *schemaWriter) {
	annotation := &logicals[l]
	if annotation.converted > 0 {
		s.i32(6, annotation.converted)
	}
	switch annotation.kind {
	case logicalDate:
		s.logical(annotation.kind, func() {})
	case logicalInteger:
		s.logical(annotation.kind, func() {
			s.i8(1, int8(annotation.bits))
			s.flag(2, annotation.signed)
		})
	case logicalTime, logicalTimestamp:
		s.logical(annotation.kind, func() {
			s.flag(1, annotation.utc)
			s.begin(2)
			s.begin(annotation.unit)
			s.end()
			s.end()
		})
	}
}
