package engine

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/client"
)

// remoteTable returns a table as the server describes it, such as one of an application whose definitions only the server has.
func remoteTable(described client.Table) *schema.Table {
	t := &schema.Table{Name: described.Name, Doc: described.Doc}
	for _, c := range described.Columns {
		p := typeParser{rest: c.Type}
		typ, err := p.parse(0)
		if err != nil || p.rest != "" {
			typ = schema.Type{Kind: schema.Binary} // of a later version of the server
		}
		t.Columns = append(t.Columns, schema.Column{Name: c.Name, Doc: c.Doc, Type: typ})
	}
	return t
}

// maxNesting limits the depth of a type.
const maxNesting = 50

// typeParser reads types as DuckDB writes them.
type typeParser struct{ rest string }

var (
	typeWord    = lazy.Regexp(`^[A-Z]+`)
	typeName    = lazy.Regexp(`^"((?:[^"]|"")*)" |^([A-Za-z_][A-Za-z0-9_]*) `)
	typeDecimal = lazy.Regexp(`^\(([0-9]{1,2}),\s*([0-9]{1,2})\)`)
)

var duckDBKinds = map[string]schema.Kind{
	"BOOLEAN": schema.Boolean, "INTEGER": schema.Int, "BIGINT": schema.Long, "DOUBLE": schema.Double, "VARCHAR": schema.String,
	"BLOB": schema.Binary, "DATE": schema.Date, "TIMESTAMP": schema.Timestamp, "DECIMAL": schema.Decimal,
	"MAP": schema.Map, "STRUCT": schema.Struct,
}

func (p *typeParser) parse(depth int) (t schema.Type, err error) {
	if depth > maxNesting {
		return t, fmt.Errorf("a type is nested deeper than %d", maxNesting)
	}
	word := p.take(typeWord())[0]
	kind, known := duckDBKinds[word]
	if !known {
		return t, fmt.Errorf("unknown type at %.40q", word+p.rest)
	}
	t.Kind = kind
	switch kind {
	case schema.Decimal:
		digits := p.take(typeDecimal())
		t.Precision, _ = strconv.Atoi(digits[1])
		t.Scale, _ = strconv.Atoi(digits[2])
	case schema.Map:
		var key, value schema.Type
		p.skip("(")
		if key, err = p.parse(depth + 1); err != nil {
			return t, err
		}
		p.skip(", ")
		if value, err = p.parse(depth + 1); err != nil {
			return t, err
		}
		t.Key, t.Elem = &key, &value
		p.skip(")")
	case schema.Struct:
		for p.skip("(") || p.skip(", ") {
			name := p.take(typeName())
			field := schema.Field{Name: strings.ReplaceAll(name[1], `""`, `"`) + name[2]}
			if field.Type, err = p.parse(depth + 1); err != nil {
				return t, err
			}
			t.Fields = append(t.Fields, field)
		}
		if p.skip(")"); len(t.Fields) == 0 {
			return t, errors.New("a struct has no members")
		}
	}
	for p.skip("[]") {
		elem := t
		t = schema.Type{Kind: schema.Array, Elem: &elem}
	}
	return t, nil
}

// take removes what a pattern matches, and returns it with its groups, or empty texts.
func (p *typeParser) take(pattern *regexp.Regexp) []string {
	found := pattern.FindStringSubmatch(p.rest)
	if found == nil {
		return make([]string, pattern.NumSubexp()+1)
	}
	p.rest = p.rest[len(found[0]):]
	return found
}

func (p *typeParser) skip(text string) (skipped bool) {
	p.rest, skipped = strings.CutPrefix(p.rest, text)
	return skipped
}
