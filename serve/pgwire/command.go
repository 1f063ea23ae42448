package pgwire

import (
	"context"
	"io"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
)

// answer is the result of a command: rows, if it has columns, and a command tag.
type answer struct {
	fields []field
	rows   rows   // nil: none
	tag    string // the command tag, before the number of rows
	// readable returns queryservice.ErrNotFound if the person may not read the rows any more; nil: anybody may.
	readable func(context.Context, *access.Person) error
}

// rows iterates over rows; next returns io.EOF after the last.
type rows interface {
	next() ([]any, error)
	close()
}

// fixed holds rows in memory.
type fixed [][]any

func (f *fixed) next() ([]any, error) {
	if len(*f) == 0 {
		return nil, io.EOF
	}
	row := (*f)[0]
	*f = (*f)[1:]
	return row, nil
}

func (f *fixed) close() {}

// run executes a command. ctx must live as long as its result.
func (c *session) run(ctx context.Context, cmd command) (*answer, error) {
	first := cmd.at(0)
	if c.status == 'E' && !first.is("rollback", "commit", "end", "abort") {
		return nil, &failure{code: "25P02", message: "current transaction is aborted, commands ignored until end of transaction block"}
	}
	if k := c.kindOf(cmd); k != nil {
		return k.do(c, cmd)
	}
	if cmd.catalog {
		return c.system(ctx, cmd)
	}
	return c.query(ctx, cmd)
}

// kind is a kind of command that is not a query.
type kind struct {
	words []string
	when  func(c *session, cmd command) bool // nil: always
	do    func(c *session, cmd command) (*answer, error)
}

// kindOf returns the kind of a command, or nil if it is a query.
func (c *session) kindOf(cmd command) *kind {
	for i, k := range commands {
		if cmd.at(0).is(k.words...) && (k.when == nil || k.when(c, cmd)) {
			return &commands[i]
		}
	}
	return nil
}

// fields returns the columns of a portal. Of a query it plans only if planned is set, and otherwise starts it. Other
// commands do not run yet.
func (c *session) fields(ctx context.Context, p *portal, planned bool) ([]field, error) {
	if p.empty {
		return nil, nil
	}
	if k := c.kindOf(p.command); k != nil {
		if p.at(0).is("show") {
			name, _ := c.find(p.shown())
			return []field{textField(name)}, nil
		}
		return nil, nil
	}
	if planned && !p.catalog {
		s, err := c.server.Executor.Schema(ctx, c.person, bi.Request{SQL: p.text, Dialect: c.dialect()})
		if err != nil {
			return nil, &placed{err, p.text, p.from}
		}
		return fieldsOf(s), nil
	}
	if err := c.begin(ctx, p); err != nil {
		return nil, err
	}
	return p.answer.fields, nil
}

// commands lists the kinds of commands. Nothing can be written, so a transaction is only a state: each query reads
// what is published when it begins.
var commands = []kind{
	{[]string{"begin", "start"}, nil, func(c *session, _ command) (*answer, error) { c.status = 'T'; return &answer{tag: "BEGIN"}, nil }},
	{[]string{"commit", "end"}, nil, (*session).commit},
	{[]string{"rollback", "abort"}, nil, func(c *session, cmd command) (*answer, error) {
		if !cmd.has("to") {
			c.status = 'I'
		}
		return &answer{tag: "ROLLBACK"}, nil
	}},
	{[]string{"savepoint"}, nil, done("SAVEPOINT")},
	{[]string{"release"}, nil, done("RELEASE")},
	{[]string{"set"}, nil, (*session).setting},
	{[]string{"reset"}, nil, func(c *session, cmd command) (*answer, error) {
		if name := cmd.at(1); name.is("all") {
			c.settings = maps.Clone(c.begun)
			return &answer{tag: "RESET"}, nil
		}
		return &answer{tag: "RESET"}, c.set(cmd.at(1).name(), "")
	}},
	{[]string{"show"}, (*session).isSetting, (*session).show},
	{[]string{"discard"}, nil, func(c *session, cmd command) (*answer, error) {
		if !cmd.at(1).is("all") {
			return &answer{tag: "DISCARD"}, nil
		}
		c.forget()
		c.settings = maps.Clone(c.begun)
		return &answer{tag: "DISCARD ALL"}, nil
	}},
	{[]string{"deallocate"}, nil, func(c *session, cmd command) (*answer, error) {
		if last := cmd.at(len(cmd.head) - 1); last.is("all") {
			c.forget()
		} else {
			c.closeStatement(last.name())
		}
		return &answer{tag: "DEALLOCATE"}, nil
	}},
	{[]string{"close"}, nil, done("CLOSE CURSOR")},
	{[]string{"listen", "unlisten", "notify", "lock", "vacuum", "analyze", "copy", "declare", "fetch", "move", "prepare", "execute", "call",
		"do"}, nil, refused},
	{[]string{"insert", "update", "delete", "merge", "truncate", "create", "drop", "alter", "grant", "revoke", "comment"}, nil,
		func(_ *session, cmd command) (*answer, error) {
			return nil, &failure{code: "25006", message: "cannot execute " + strings.ToUpper(cmd.at(0).text) + ": there are only queries here"}
		}},
}

func done(tag string) func(*session, command) (*answer, error) {
	return func(*session, command) (*answer, error) { return &answer{tag: tag}, nil }
}

func refused(_ *session, cmd command) (*answer, error) {
	return nil, unsupported(strings.ToUpper(cmd.at(0).text) + " is not supported: there are only queries here")
}

// at returns one of the first tokens, or an empty token.
func (cmd command) at(i int) token {
	if i < 0 || i >= len(cmd.head) {
		return token{}
	}
	return cmd.head[i]
}

// has reports whether a keyword is among the first tokens.
func (cmd command) has(keyword string) bool {
	for _, t := range cmd.head {
		if t.is(keyword) {
			return true
		}
	}
	return false
}

func (c *session) commit(command) (*answer, error) {
	tag := "COMMIT"
	if c.status == 'E' {
		tag = "ROLLBACK"
	}
	c.status = 'I'
	return &answer{tag: tag}, nil
}

// setting executes SET name = value and SET name TO value. SET SESSION CHARACTERISTICS and SET TRANSACTION have no
// effect.
func (c *session) setting(cmd command) (*answer, error) {
	i := 1
	if cmd.at(i).is("session", "local") && !cmd.at(i+1).is("characteristics", "authorization", "=", "to") {
		i++
	}
	if cmd.at(i).is("transaction") || cmd.at(i+1).is("characteristics") {
		if cmd.has("write") {
			return nil, &failure{code: "25006", message: "transactions are read only"}
		}
		return &answer{tag: "SET"}, nil
	}
	name, rest := cmd.at(i).name(), i+1
	switch {
	case cmd.at(i).is("time") && cmd.at(i+1).is("zone"):
		name, rest = "timezone", i+2
	case cmd.at(i).is("names"):
		name = "client_encoding"
	case cmd.at(rest).is("=", "to"):
		rest++
	default:
		return nil, &failure{code: "42601", message: "want SET name = value"}
	}
	var values []string
	for _, t := range cmd.head[min(rest, len(cmd.head)):] {
		if t.kind == text {
			values = append(values, t.literal())
		} else if t.kind != mark {
			values = append(values, t.name())
		}
	}
	return &answer{tag: "SET"}, c.set(name, strings.Join(values, ", "))
}

// shown returns the name of the setting that SHOW reads.
func (cmd command) shown() string {
	if cmd.at(1).is("transaction") && cmd.at(2).is("isolation") {
		return "transaction_isolation"
	}
	if cmd.at(1).is("time") && cmd.at(2).is("zone") {
		return "TimeZone"
	}
	return cmd.at(1).name()
}

// isSetting reports whether SHOW reads a setting. The dialects also have SHOW TABLES and the like.
func (c *session) isSetting(cmd command) bool {
	_, ok := c.find(cmd.shown())
	return ok
}

func (c *session) show(cmd command) (*answer, error) {
	name, _ := c.find(cmd.shown())
	return &answer{fields: []field{textField(name)}, rows: &fixed{{c.settings[name].value}}, tag: "SHOW"}, nil
}

// forget closes the session's portals and statements.
func (c *session) forget() {
	c.closePortals()
	for name := range c.statements {
		c.closeStatement(name)
	}
}

// query runs a statement with the executor.
func (c *session) query(ctx context.Context, cmd command) (*answer, error) {
	r, err := c.server.Executor.Run(ctx, c.person, bi.Request{SQL: cmd.text, Dialect: c.dialect()})
	if err != nil {
		return nil, &placed{err, cmd.text, cmd.from}
	}
	return c.arrowAnswer(&stream{Reader: r, memory: r.Memory, close: r.Close, readable: func(ctx context.Context, p *access.Person) error {
		return c.server.Executor.Readable(ctx, p, r.ID)
	}})
}

// simple executes the statements of a simple query message.
func (c *session) simple(ctx context.Context, sql string) error {
	all, err := split(sql)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		c.b.Send(&pgproto3.EmptyQueryResponse{})
		return nil
	}
	for i, cmd := range all {
		p := &portal{statement: &statement{command: cmd}}
		var err error
		if i > 0 {
			err = c.authenticate(ctx)
		}
		if err == nil {
			err = c.begin(ctx, p)
		}
		if err == nil && len(p.answer.fields) > 0 {
			err = c.sendFields(p, p.answer.fields)
		}
		if err == nil {
			err = c.sendRows(ctx, p, 0)
		}
		p.close()
		if err == nil && i%maxUnanswered == maxUnanswered-1 {
			err = c.b.Flush()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
