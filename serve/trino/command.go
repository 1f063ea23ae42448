package trino

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// kind is a kind of statement that is answered here.
type kind struct {
	words []string
	do    func(c *call, t tokens) (*result, error) // t is what follows the words
}

// kinds returns the statements that change or show the client's session, which the client keeps, and those about prepared
// statements.
func kinds() []kind {
	return []kind{
		{[]string{"USE"}, (*call).use},
		{[]string{"SET", "SESSION"}, (*call).setSession},
		{[]string{"RESET", "SESSION"}, (*call).resetSession},
		{[]string{"SET", "TIME", "ZONE"}, (*call).setZone},
		{[]string{"SHOW", "SESSION"}, (*call).showSession},
		{[]string{"SHOW", "CREATE", "TABLE"}, (*call).showCreate},
		{[]string{"PREPARE"}, (*call).prepare},
		{[]string{"DEALLOCATE", "PREPARE"}, (*call).deallocate},
		{[]string{"DESCRIBE", "INPUT"}, (*call).describeInput},
		{[]string{"DESCRIBE", "OUTPUT"}, (*call).describeOutput},
		{[]string{"START", "TRANSACTION"}, func(*call, tokens) (*result, error) {
			return done("START TRANSACTION", "X-Trino-Started-Transaction-Id", random()), nil
		}},
		{[]string{"COMMIT"}, ended("COMMIT")},
		{[]string{"ROLLBACK"}, ended("ROLLBACK")},
		{[]string{"CALL"}, (*call).killQuery},
	}
}

// ended ends a transaction. Nothing can be written, so it means nothing: each query reads what is published when it begins.
func ended(word string) func(*call, tokens) (*result, error) {
	return func(*call, tokens) (*result, error) { return done(word, "X-Trino-Clear-Transaction-Id", "true"), nil }
}

// isCommand reports whether a statement is answered here.
func isCommand(t tokens) bool {
	return slices.ContainsFunc(kinds(), func(k kind) bool { return t.begins(k.words...) })
}

// command answers a statement of kinds, and puts the statement that an EXECUTE names in the place of its text. It returns
// nil if the text is another statement.
func (c *call) command() (*result, error) {
	t := tokensOf(c.text)
	if t.begins("EXECUTE") {
		if err := c.expand(t); err != nil {
			return nil, err
		}
		if t = tokensOf(c.text); t.begins("EXECUTE") || t.begins("PREPARE") || t.begins("DEALLOCATE") {
			return nil, &problem{notSupported, "a prepared statement cannot be about prepared statements"}
		}
	}
	for _, k := range kinds() {
		if t.begins(k.words...) {
			if slices.ContainsFunc(t.list, func(k lexer.Token) bool { return k.Open || k.Is(t.text, ";") }) && k.words[0] != "PREPARE" {
				return nil, &problem{syntaxError, "there is more than one statement, or a quote is missing"}
			}
			return k.do(c, t.from(len(k.words)))
		}
	}
	return nil, nil
}

// done returns the result of a statement that is no query, with a header that changes the client's session.
func done(update, name, value string) *result {
	r := &result{update: update, headers: map[string]string{}}
	if name != "" {
		r.headers[name] = value
	}
	return r
}

// listing returns a result of texts.
func listing(names []string, rows fixed) *result {
	r := &result{names: names, rows: rows}
	for range names {
		r.types = append(r.types, types.New(types.Varchar))
	}
	return r
}

func wrong(want string) error { return &problem{syntaxError, "want " + want} }

// use answers USE [catalog.]schema.
func (c *call) use(t tokens) (*result, error) {
	parts, n := t.path()
	if n == 0 || n != len(t.list) || len(parts) > 2 {
		return nil, wrong("USE schema or USE catalog.schema")
	}
	schema := parts[len(parts)-1]
	if len(parts) == 2 && parts[0] != bi.Catalog && parts[0] != systemCatalog {
		return nil, &problem{noCatalog, "there is no catalog " + parts[0]}
	}
	if schema != bi.Schema && !isSystemSchema(schema) {
		return nil, &problem{noSchema, "there is no schema " + schema}
	}
	r := done("USE", "X-Trino-Set-Schema", schema)
	if len(parts) == 2 {
		r.headers["X-Trino-Set-Catalog"] = parts[0]
	}
	return r, nil
}

// runTime is the property of a session that limits the time of each of its statements.
const runTime = "query_max_run_time"

// maxDuration is the longest time that a property can have.
const maxDuration = 100 * 24 * time.Hour

// duration reads a time as Trino writes it: 1.5h, 30s.
func duration(text string) (time.Duration, error) {
	n := strings.LastIndexAny(text, "0123456789.") + 1
	units := map[string]time.Duration{"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	unit, ok := units[strings.TrimSpace(text[n:])]
	value, err := strconv.ParseFloat(strings.TrimSpace(text[:n]), 64)
	if !ok || err != nil || value <= 0 || value*float64(unit) > float64(maxDuration) {
		return 0, &problem{wrongProperty, fmt.Sprintf("want a time such as 30s or 1.5h of at most 100d, not %.100q", text)}
	}
	return time.Duration(value * float64(unit)), nil
}

// setSession answers SET SESSION name = 'value'.
func (c *call) setSession(t tokens) (*result, error) {
	parts, n := t.path()
	value, ok := t.literal(n + 1)
	if n == 0 || t.at(n) != "=" || len(t.list) != n+2 {
		return nil, wrong("SET SESSION name = 'value'")
	}
	if name := strings.Join(parts, "."); name != runTime || !ok {
		return nil, &problem{wrongProperty, fmt.Sprintf("there is no property %.100q with such a value: SHOW SESSION lists all", name)}
	}
	if _, err := duration(value); err != nil {
		return nil, err
	}
	return done("SET SESSION", "X-Trino-Set-Session", header(runTime, value)), nil
}

func (c *call) resetSession(t tokens) (*result, error) {
	parts, n := t.path()
	if n == 0 || n != len(t.list) || strings.Join(parts, ".") != runTime {
		return nil, &problem{wrongProperty, "there is no such property: SHOW SESSION lists all"}
	}
	return done("RESET SESSION", "X-Trino-Clear-Session", runTime), nil
}

// setZone refuses other zones than UTC, in which all times are.
func (c *call) setZone(t tokens) (*result, error) {
	if zone, ok := t.literal(0); ok && len(t.list) == 1 && strings.EqualFold(zone, "UTC") || t.at(0) == "LOCAL" && len(t.list) == 1 {
		return done("SET TIME ZONE", "", ""), nil
	}
	return nil, &problem{notSupported, "the zone of all sessions is UTC: write x AT TIME ZONE 'Europe/Berlin'"}
}

func (c *call) showSession(t tokens) (*result, error) {
	if len(t.list) > 0 {
		return nil, wrong("SHOW SESSION")
	}
	value := c.st.client.properties[runTime]
	return listing([]string{"Name", "Value", "Default", "Type", "Description"},
		fixed{{runTime, value, "", "varchar", "The longest time of a statement, from its arrival to its end"}}), nil
}

// killQuery answers CALL system.runtime.kill_query(query_id => 'id', message => 'why') for the person's own queries.
func (c *call) killQuery(t tokens) (*result, error) {
	parts, n := t.path()
	if strings.Join(parts, ".") != "system.runtime.kill_query" || t.at(n) != "(" || t.at(len(t.list)-1) != ")" {
		return nil, &problem{code{29, "PROCEDURE_NOT_FOUND"}, "the only procedure is system.runtime.kill_query"}
	}
	list, err := tokens{t.text, t.list[n+1 : len(t.list)-1]}.arguments()
	if err != nil {
		return nil, err
	}
	id, ok := list[0].literal(0)
	for _, a := range list {
		if a.at(0) == "QUERY_ID" && a.at(1) == "=>" {
			id, ok = a.literal(2)
		}
	}
	if !ok {
		return nil, wrong("CALL system.runtime.kill_query(query_id => 'id', message => 'why')")
	}
	c.mu.Lock()
	st := c.statements[id]
	c.mu.Unlock()
	if st != nil && st.person == c.person.ID {
		st.abort()
	} else if err := c.Executor.Cancel(context.WithoutCancel(c.st.ctx), c.person, id); errors.Is(err, queryservice.ErrNotFound) {
		return nil, &problem{notFound, "there is no query " + strconv.Quote(id)}
	} else if err != nil {
		return nil, err
	}
	return done("CALL", "", ""), nil
}

// prepare answers PREPARE name FROM statement: the client keeps it, and sends it with each of its statements.
func (c *call) prepare(t tokens) (*result, error) {
	name, ok := t.name(0)
	if !ok || t.at(1) != "FROM" || len(t.list) < 3 {
		return nil, wrong("PREPARE name FROM statement")
	}
	statement := tokensOf(t.from(2).written())
	if statement.begins("PREPARE") || statement.begins("EXECUTE") || statement.begins("DEALLOCATE") {
		return nil, &problem{notSupported, "a prepared statement cannot be about prepared statements"}
	}
	if err := statement.check(); err != nil {
		return nil, &unplaced{err}
	}
	coded := packed(statement.text)
	if len(coded) > maxPrepared {
		return nil, &problem{notSupported, fmt.Sprintf("a prepared statement has at most %d bytes: use EXECUTE IMMEDIATE", maxPrepared)}
	}
	return done("PREPARE", "X-Trino-Added-Prepare", header(name, "")+coded), nil
}

// maxPrepared is the longest prepared statement, which has to fit into the head of a request.
const maxPrepared = 32 << 10

func (c *call) deallocate(t tokens) (*result, error) {
	name, ok := t.name(0)
	if !ok || len(t.list) != 1 {
		return nil, wrong("DEALLOCATE PREPARE name")
	}
	if _, err := c.prepared(name); err != nil {
		return nil, err
	}
	return done("DEALLOCATE", "X-Trino-Deallocated-Prepare", strings.TrimSuffix(header(name, ""), "=")), nil
}

// prepared returns a prepared statement of the client.
func (c *call) prepared(name string) (tokens, error) {
	text, ok := c.st.client.prepared[name]
	if !ok {
		for _, n := range slices.Sorted(maps.Keys(c.st.client.prepared)) { // clients may keep the case in which it was written
			if strings.EqualFold(n, name) {
				return tokensOf(c.st.client.prepared[n]), nil
			}
		}
		return tokens{}, &problem{notFound, fmt.Sprintf("Prepared statement not found: %.100s", name)}
	}
	return tokensOf(text), nil
}

// expand answers EXECUTE name [USING values] and EXECUTE IMMEDIATE 'statement' [USING values].
func (c *call) expand(t tokens) (err error) {
	var statement tokens
	n := 2
	if text, ok := t.literal(2); t.at(1) == "IMMEDIATE" && ok {
		statement, n = tokensOf(text), 3
	} else {
		name, ok := t.name(1)
		if !ok {
			return wrong("EXECUTE name or EXECUTE IMMEDIATE 'statement'")
		}
		if statement, err = c.prepared(name); err != nil {
			return err
		}
	}
	var values []tokens
	switch rest := t.from(n); {
	case rest.at(0) == "USING":
		if values, err = rest.from(1).arguments(); err != nil {
			return err
		}
	case len(rest.list) > 0:
		return wrong("USING and values after the statement")
	}
	c.replaced = true
	c.text, err = statement.bind(values)
	return err
}
