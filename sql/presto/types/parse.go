package types

import (
	"fmt"
	"strconv"
	"strings"
)

// parser reads types as Trino's typeof and DuckDB write them; both are the same but for
// names of types and what stands for an array.
type parser struct {
	text  string
	at    int
	kinds map[string]Kind
}

// trinoKinds are the types by name.
var trinoKinds = func() map[string]Kind {
	kinds := map[string]Kind{"int": Integer, "string": Varchar, "double precision": Double, "dec": Decimal}
	for k, name := range kindNames {
		kinds[strings.ToLower(name)] = Kind(k)
	}
	return kinds
}()

// duckKinds are DuckDB's types by name. Its types without one in Presto become the
// next wider: unsigned integers, and VARCHAR for enums and others is not among them.
var duckKinds = map[string]Kind{
	"boolean": Boolean, "tinyint": Tinyint, "smallint": Smallint, "integer": Integer, "bigint": Bigint, "float": Real, "double": Double,
	"utinyint": Smallint, "usmallint": Integer, "uinteger": Bigint,
	"decimal": Decimal, "varchar": Varchar, "blob": Varbinary, "json": JSON, "date": Date, "time": Time, "timestamp": Timestamp,
	"uuid": UUID, "map": Map, "struct": Row,
}

// Parse reads a type as typeof prints it, such as "array(row(x integer, varchar(3)))".
func Parse(text string) (Type, error) { return parseWith(text, trinoKinds) }

// FromDuckDB returns the type of a column that DuckDB has as text, such as "STRUCT(a INTEGER, b VARCHAR)[]".
func FromDuckDB(text string) (Type, error) { return parseWith(text, duckKinds) }

func parseWith(text string, kinds map[string]Kind) (Type, error) {
	p := &parser{text: text, kinds: kinds}
	t, err := p.typ()
	if err == nil && p.at < len(p.text) {
		err = fmt.Errorf("unexpected %q", p.text[p.at:])
	}
	if err != nil {
		return Type{}, fmt.Errorf("type %s: %w", text, err)
	}
	return t, nil
}

func (p *parser) typ() (Type, error) {
	name := strings.ToLower(p.name())
	for _, more := range []string{" with time zone", " day to second", " year to month", " precision"} {
		if len(p.text)-p.at >= len(more) && strings.EqualFold(p.text[p.at:p.at+len(more)], more) {
			name += more
			p.at += len(more)
		}
	}
	kind, ok := p.kinds[name]
	if !ok {
		return Type{}, fmt.Errorf("%q is not a type", name)
	}
	t := New(kind)
	if kind == Timestamp && p.isDuck() {
		t.Precision = 6
	}
	if p.next("(") {
		if err := p.params(&t); err != nil {
			return t, err
		}
	}
	if len(p.text)-p.at >= 15 && t.Kind == Timestamp && strings.EqualFold(p.text[p.at:p.at+15], " with time zone") {
		t.Kind = TimestampTZ
		p.at += 15
	}
	for p.next("[]") {
		t = ArrayOf(t)
	}
	want := map[Kind]int{Array: 1, Map: 2}[t.Kind]
	if want != 0 && len(t.Elems) != want || t.Kind == Row && len(t.Elems) == 0 {
		return t, fmt.Errorf("%s has %d parameters", name, len(t.Elems))
	}
	return t, nil
}

func (p *parser) isDuck() bool { return p.kinds["struct"] == Row }

// params reads what follows an opening bracket.
func (p *parser) params(t *Type) error {
	for n := 0; ; n++ {
		p.spaces()
		if err := p.param(t, n); err != nil {
			return err
		}
		p.spaces()
		if p.next(")") {
			return nil
		}
		if !p.next(",") {
			return fmt.Errorf("unexpected %q", p.text[p.at:])
		}
	}
}

func (p *parser) param(t *Type, n int) error {
	if p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		start := p.at
		for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			p.at++
		}
		v, err := strconv.Atoi(p.text[start:p.at])
		if n == 0 {
			t.Precision = v
		} else {
			t.Scale = v
		}
		return err
	}
	name := ""
	if t.Kind == Row {
		name = p.fieldName()
	}
	e, err := p.typ()
	t.Elems = append(t.Elems, e)
	if t.Kind == Row {
		t.Names = append(t.Names, name)
	}
	return err
}

// fieldName reads the name of a field if one stands before its type.
func (p *parser) fieldName() string {
	start := p.at
	name := p.name()
	if p.at < len(p.text) && p.text[p.at] == ' ' && p.kindFollows(p.at+1) {
		p.spaces()
		return name
	}
	p.at = start
	return ""
}

func (p *parser) kindFollows(at int) bool {
	q := &parser{text: p.text, at: at, kinds: p.kinds}
	_, ok := q.kinds[strings.ToLower(q.name())]
	return ok || strings.HasPrefix(strings.ToLower(p.text[at:]), "interval ")
}

// name reads a word, or one in double quotes.
func (p *parser) name() string {
	start := p.at
	if p.next(`"`) {
		var b strings.Builder
		for p.at < len(p.text) {
			if p.next(`""`) {
				b.WriteByte('"')
				continue
			}
			if p.next(`"`) {
				break
			}
			b.WriteByte(p.text[p.at])
			p.at++
		}
		return b.String()
	}
	for p.at < len(p.text) && !strings.ContainsRune("()[], \"", rune(p.text[p.at])) {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *parser) spaces() {
	for p.next(" ") {
	}
}

func (p *parser) next(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}
