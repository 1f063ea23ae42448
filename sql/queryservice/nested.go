package queryservice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/query"
)

// SavedQuery is a saved query that another query reads as a table, query_ID.
type SavedQuery struct {
	Title      string
	Owner      string // id of the person; "" for one that comes with the program
	SQL        string
	Dialect    query.Dialect
	Parameters []params.Parameter
}

const (
	savedPrefix = "query_"
	maxNested   = 10 // saved queries within each other
	maxSaved    = 50 // saved queries that a query reads
)

// reference is a name of a saved query in a text.
type reference struct {
	id string
	at int
}

// references returns the words of a text that may name saved queries, each once.
func references(d query.Dialect, sql string) (all []reference) {
	for _, t := range lexer.Tokens(d, sql) {
		name := strings.ToLower(t.Name(sql))
		if t.Kind != lexer.Word && t.Kind != lexer.Quoted || !strings.HasPrefix(name, savedPrefix) {
			continue
		}
		id := strings.TrimPrefix(name, savedPrefix)
		if !slices.ContainsFunc(all, func(r reference) bool { return r.id == id }) {
			all = append(all, reference{id, t.Start})
		}
	}
	return all
}

// nesting collects the saved queries that a request reads as tables, those before the ones that read them.
type nesting struct {
	d       *Service
	person  *access.Person
	request *Request
	dialect query.Dialect
	text    *params.Expanded
	ref     int      // byte of text that led to the present query
	chain   []string // ids of the queries around the present one
	parts   []savedPart
}

// savedPart is the definition of a saved query as a table. Its SQL is "" if the person may not see the query, or there is none.
type savedPart struct {
	id, title, sql string
	ref            int
}

// insertSaved defines the saved queries that a request reads as tables, in WITH before its statement: as if the person had written
// them there. A query that the person may not see is as one that does not exist: its name stays the name of no table.
func insertSaved(ctx context.Context, d *Service, p *access.Person, request *Request, text *params.Expanded) error {
	dialect := request.Dialect
	if d.SavedQuery == nil || !strings.Contains(strings.ToLower(text.SQL), savedPrefix) {
		return nil
	}
	pos, separator, ok := withPlace(dialect, text.SQL)
	if !ok {
		return nil
	}
	n := &nesting{d: d, person: p, request: request, dialect: dialect, text: text}
	for _, r := range references(dialect, text.SQL) {
		n.ref = r.at
		if err := n.visit(ctx, r.id); err != nil {
			return err
		}
	}
	n.parts = slices.DeleteFunc(n.parts, func(s savedPart) bool { return s.sql == "" })
	for i := range n.parts {
		n.parts[i].ref = text.Offset(n.parts[i].ref)
	}
	for i, s := range n.parts {
		before, after := "", ",\n"
		if separator == "" && i == 0 {
			before = "WITH "
		}
		if i == len(n.parts)-1 {
			after = separator + "\n"
		}
		part := before + `"` + savedPrefix + s.id + "\" AS (\n" + s.sql + "\n)" + after
		if !text.Insert(pos, part, s.ref, fmt.Sprintf("the saved query “%s”", s.title)) {
			return &Failure{Kind: "Too large", Message: "the query is too large with the saved queries that it reads"}
		}
		pos += len(part)
	}
	return nil
}

// visit adds the query with an id, after those that it reads itself.
func (n *nesting) visit(ctx context.Context, id string) error {
	if slices.Contains(n.chain, id) {
		return n.fail("%s%s reads itself", savedPrefix, id)
	}
	if slices.ContainsFunc(n.parts, func(s savedPart) bool { return s.id == id }) {
		return nil
	}
	if len(n.parts) >= maxSaved {
		return n.fail("the query reads more than %d saved queries", maxSaved)
	}
	s, err := n.d.SavedQuery(ctx, n.person, id)
	if errors.Is(err, ErrNotFound) {
		n.parts = append(n.parts, savedPart{id: id})
		return nil
	}
	if err != nil {
		return err
	}
	if len(n.chain) >= maxNested {
		return n.fail("more than %d saved queries are within each other", maxNested)
	}
	sql, err := n.define(ctx, id, s)
	if err != nil {
		return err
	}
	n.chain = append(n.chain, id)
	for _, r := range references(n.dialect, sql) {
		if err := n.visit(ctx, r.id); err != nil {
			return err
		}
	}
	n.chain = n.chain[:len(n.chain)-1]
	n.parts = append(n.parts, savedPart{id: id, title: s.Title, sql: sql, ref: n.ref})
	return nil
}

// define returns the only statement of a saved query, with the defaults of its parameters.
func (n *nesting) define(ctx context.Context, id string, s *SavedQuery) (string, error) {
	if n.request.Scheduled && s.Owner != "" && s.Owner != n.person.ID {
		return "", n.fail("%s%s is of somebody else, who could change what the schedule runs: fork it", savedPrefix, id)
	}
	if s.Dialect != n.dialect {
		return "", n.fail("%s%s is in the other dialect, %s", savedPrefix, id, s.Dialect)
	}
	statements := lexer.All(s.Dialect, s.SQL)
	if len(statements) != 1 {
		return "", n.fail("%s%s has %d statements: only one can be a table", savedPrefix, id, len(statements))
	}
	request := Request{SQL: statements[0].SQL, Dialect: s.Dialect, Declared: s.Parameters}
	in := params.Input{SQL: request.SQL, Dialect: s.Dialect, Declared: s.Parameters, Today: day(n.d.Now())}
	var err error
	if in.Newest, err = n.d.newestDay(ctx, n.person, &request); err != nil {
		return "", err
	}
	text, err := params.Expand(in)
	var wrong *params.Error
	if errors.As(err, &wrong) {
		return "", n.fail("%s%s: %s", savedPrefix, id, wrong.Message)
	}
	if err != nil {
		return "", err
	}
	if !closed(s.Dialect, text.SQL) {
		return "", n.fail("%s%s has brackets or quotes that are not closed", savedPrefix, id)
	}
	return text.SQL, nil
}

func (n *nesting) fail(format string, args ...any) error {
	f := &Failure{Kind: "Saved query", Message: fmt.Sprintf(format, args...)}
	f.Line, f.Column, f.Text = n.text.PlaceOf(n.ref)
	return f
}

// closed reports whether a text can be in brackets: it ends no bracket that it does not begin, and leaves none and no quote open.
func closed(d query.Dialect, sql string) bool {
	depth := 0
	for t := range lexer.Scan(d, sql) {
		switch {
		case t.Open && t.Kind != lexer.Comment, t.Open && strings.HasPrefix(t.Text(sql), "/*"):
			return false
		case t.Is(sql, "("):
			depth++
		case t.Is(sql, ")"):
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// withPlace returns the byte of a statement before which tables can be defined, and what is written between them and the rest: a comma
// behind a WITH of the statement, else nothing. It returns false for statements that read no tables.
func withPlace(d query.Dialect, sql string) (pos int, separator string, ok bool) {
	tokens := lexer.Tokens(d, sql)
	is := func(words ...string) bool {
		return len(tokens) > 0 && slices.ContainsFunc(words, func(w string) bool { return tokens[0].Is(sql, w) })
	}
	if is("explain") {
		if tokens = tokens[1:]; is("analyze") {
			tokens = tokens[1:]
		}
		if is("(") && len(tokens) > 1 && !tokens[1].Is(sql, "select") && !tokens[1].Is(sql, "with") && !tokens[1].Is(sql, "(") {
			for len(tokens) > 0 && !is(")") {
				tokens = tokens[1:]
			}
			tokens = tokens[min(1, len(tokens)):]
		}
	}
	switch {
	case is("with"):
		at := tokens[0]
		if tokens = tokens[1:]; is("recursive") {
			at = tokens[0]
		}
		return at.End, ",", true
	case is("select", "(", "from", "values", "table"):
		return tokens[0].Start, "", true
	}
	return 0, "", false
}
