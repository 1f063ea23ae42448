package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/schema/metric"
)

// Kind is the kind of a column type.
type Kind uint8

// The kinds of types: scalars first, then the nested ones.
const (
	Boolean Kind = iota
	Int          // 32-bit signed
	Long         // 64-bit signed
	Double
	String  // UTF-8
	Decimal // of Precision digits, Scale of them after the point
	Array
	Map
	Struct
	Binary    // any bytes; of no table, and ParseType does not know it
	Date      // days since 1970-01-01
	Timestamp // microseconds since 1970-01-01T00:00:00Z
)

// Scalar reports whether values of a kind have no parts.
func (k Kind) Scalar() bool { return k != Array && k != Map && k != Struct }

// Stored returns the kind of number that holds the values of a kind: dates are stored as Int, timestamps as Long.
func (k Kind) Stored() Kind {
	switch k {
	case Date:
		return Int
	case Timestamp:
		return Long
	}
	return k
}

var scalarNames = map[string]Kind{
	"boolean": Boolean, "int": Int, "long": Long, "double": Double, "string": String, "date": Date, "timestamp": Timestamp,
}

// Type is a column type. Values of every node may be null unless it is marked
// not null: array elements by ElemNotNull, struct members by Field.NotNull,
// map keys always.
type Type struct {
	Kind        Kind
	Precision   int     // Decimal only
	Scale       int     // Decimal only
	Key         *Type   // Map only: String or Int
	Elem        *Type   // Array element or Map value
	ElemNotNull bool    // Array only
	Fields      []Field // Struct only
	// Present marks a struct that every row has: a member that a row does not set is null, the struct never is. The
	// files do not say so, because a table may get such a struct later.
	Present bool
}

// Field is a struct member.
type Field struct {
	Name    string
	Type    Type
	NotNull bool

	Source string // name in the document, if the transform needs it and it differs
	Rule   Rule   // as of a column
	ID     bool   // as of a column
	Doc    string // one line

	Metric *metric.Definition // definition that has the member made; nil: none
}

// HasText reports whether values of the type are texts or have texts as parts.
func (t *Type) HasText() bool {
	if t == nil {
		return false
	}
	return t.Kind == String || t.Key.HasText() || t.Elem.HasText() ||
		slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Type.HasText() })
}

// MustType is ParseType for the literals of the table definitions.
func MustType(s string) Type {
	t, err := ParseType(s)
	if err != nil {
		panic(err)
	}
	return t
}

// ParseType reads a type such as "map<string,int>",
// "array<struct<engine:string,count:long> not null>" or "decimal(37,6)".
func ParseType(s string) (Type, error) {
	p := typeParser{rest: strings.TrimSpace(s)}
	t, err := p.parse()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("unexpected %q", p.rest)
	}
	if err != nil {
		return Type{}, fmt.Errorf("parse type %q: %w", s, err)
	}
	return t, nil
}

type typeParser struct{ rest string }

func (p *typeParser) accept(token string) bool {
	rest := strings.TrimLeft(p.rest, " ")
	if !strings.HasPrefix(rest, token) {
		return false
	}
	p.rest = strings.TrimLeft(rest[len(token):], " ")
	return true
}

func (p *typeParser) expect(token string) error {
	if !p.accept(token) {
		return fmt.Errorf("want %q at %q", token, p.rest)
	}
	return nil
}

// word reads up to the next delimiter.
func (p *typeParser) word() string {
	i := strings.IndexAny(p.rest, "<>(),: ")
	if i < 0 {
		i = len(p.rest)
	}
	w := p.rest[:i]
	p.rest = p.rest[i:]
	return w
}

func (p *typeParser) parse() (Type, error) {
	w := p.word()
	if k, ok := scalarNames[w]; ok {
		return Type{Kind: k}, nil
	}
	switch w {
	case "decimal":
		return p.parseDecimal()
	case "array":
		return p.parseArray()
	case "map":
		return p.parseMap()
	case "struct":
		return p.parseStruct()
	}
	return Type{}, fmt.Errorf("unknown type %q", w)
}

func (p *typeParser) parseDecimal() (Type, error) {
	if err := p.expect("("); err != nil {
		return Type{}, err
	}
	precision, err := strconv.Atoi(p.word())
	if err != nil {
		return Type{}, err
	}
	if err := p.expect(","); err != nil {
		return Type{}, err
	}
	scale, err := strconv.Atoi(p.word())
	if err != nil {
		return Type{}, err
	}
	if precision < 1 || precision > 38 || scale < 0 || scale > precision {
		return Type{}, fmt.Errorf("decimal(%d,%d) is out of range", precision, scale)
	}
	return Type{Kind: Decimal, Precision: precision, Scale: scale}, p.expect(")")
}

func (p *typeParser) parseArray() (Type, error) {
	if err := p.expect("<"); err != nil {
		return Type{}, err
	}
	elem, err := p.parse()
	if err != nil {
		return Type{}, err
	}
	return Type{Kind: Array, Elem: &elem, ElemNotNull: p.accept("not null")}, p.expect(">")
}

func (p *typeParser) parseMap() (Type, error) {
	if err := p.expect("<"); err != nil {
		return Type{}, err
	}
	key, err := p.parse()
	if err != nil {
		return Type{}, err
	}
	if key.Kind != String && key.Kind != Int {
		return Type{}, fmt.Errorf("a map key is a string or an int, not %s", key)
	}
	if err := p.expect(","); err != nil {
		return Type{}, err
	}
	elem, err := p.parse()
	if err != nil {
		return Type{}, err
	}
	return Type{Kind: Map, Key: &key, Elem: &elem}, p.expect(">")
}

func (p *typeParser) parseStruct() (Type, error) {
	if err := p.expect("<"); err != nil {
		return Type{}, err
	}
	t := Type{Kind: Struct}
	for {
		f := Field{Name: p.word()}
		if f.Name == "" {
			return Type{}, fmt.Errorf("want a member name at %q", p.rest)
		}
		if err := p.expect(":"); err != nil {
			return Type{}, err
		}
		var err error
		if f.Type, err = p.parse(); err != nil {
			return Type{}, err
		}
		f.NotNull = p.accept("not null")
		t.Fields = append(t.Fields, f)
		if p.accept(",") {
			continue
		}
		return t, p.expect(">")
	}
}

// String writes the type as ParseType reads it.
func (t Type) String() string {
	switch t.Kind {
	case Binary:
		return "binary"
	case Decimal:
		return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
	case Array:
		return "array<" + t.Elem.String() + notNull(t.ElemNotNull) + ">"
	case Map:
		return "map<" + t.Key.String() + "," + t.Elem.String() + ">"
	case Struct:
		members := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			members[i] = f.Name + ":" + f.Type.String() + notNull(f.NotNull)
		}
		return "struct<" + strings.Join(members, ",") + ">"
	}
	for name, k := range scalarNames {
		if k == t.Kind {
			return name
		}
	}
	return fmt.Sprintf("kind(%d)", t.Kind)
}

func notNull(b bool) string {
	if b {
		return " not null"
	}
	return ""
}
