package pgwire

import (
	"slices"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/gate"
)

// aboutCatalog detects queries about PostgreSQL's catalog: those that name one of its schemas or tables, or that read
// no table and call a function about the server.
type aboutCatalog struct {
	named, from, server bool
	last                token
}

// add processes the next token.
func (a *aboutCatalog) add(t token) {
	if t.kind == word {
		name := t.name()
		a.named = a.named || strings.HasPrefix(name, "pg_") || name == "information_schema" || name == "regclass" && a.last.is("::")
		a.from = a.from || t.is("from")
		a.server = a.server || slices.Contains(aboutServer, name)
	}
	a.last = t
}

func (a *aboutCatalog) is() bool { return a.named || !a.from && a.server }

// aboutServer lists functions about the server and the session.
var aboutServer = []string{
	"version", "current_schema", "current_schemas", "current_database", "current_catalog", "current_user", "session_user", "user",
	"current_setting", "set_config", "current_role", "has_table_privilege", "has_schema_privilege", "has_database_privilege",
	"has_any_column_privilege", "has_column_privilege", "format_type", "obj_description", "col_description", "shobj_description",
	"inet_server_addr", "inet_server_port", "txid_current", "quote_ident", "to_regclass", "array_to_string",
}

// types maps PostgreSQL types that DuckDB does not know to DuckDB types, after :: and in CAST.
var types = map[string]string{
	"name": "VARCHAR", "regclass": "VARCHAR", "regtype": "VARCHAR", "regproc": "VARCHAR", "regprocedure": "VARCHAR", "regnamespace": "VARCHAR",
	"regrole": "VARCHAR", "oid": "BIGINT", "cstring": "VARCHAR", "xid": "BIGINT", "cid": "BIGINT", "int2vector": "VARCHAR",
	"oidvector":                         "VARCHAR",
	"information_schema.sql_identifier": "VARCHAR", "char": "VARCHAR", "bpchar": "VARCHAR", "jsonb": "JSON", "_text": "VARCHAR[]",
	"_oid": "BIGINT[]",
	"text": "VARCHAR", "_name": "VARCHAR[]", "pg_node_tree": "VARCHAR", "aclitem": "VARCHAR", "pg_lsn": "VARCHAR",
}

// rewriter rewrites a catalog query in DuckDB's SQL.
type rewriter struct {
	text   string
	tokens []token
	out    strings.Builder
	done   int // bytes of the text already written
}

// toDuckDB translates the parts that DuckDB lacks, token by token: names of system tables, functions and types,
// operators with a schema, collations, and patterns. PostgreSQL's ~ matches any part of a text, DuckDB's only the
// whole.
func toDuckDB(text string) string {
	r := &rewriter{text: text, tokens: slices.Collect(lex(text))}
	for i := 0; i < len(r.tokens); {
		i += r.step(i)
	}
	r.out.WriteString(text[r.done:])
	return r.out.String()
}

// at returns a token, or an empty one outside the text.
func (r *rewriter) at(i int) token {
	if i < 0 || i >= len(r.tokens) {
		return token{}
	}
	return r.tokens[i]
}

// replace writes by in the place of n tokens from token i on, or of those that the text has, and returns their number.
func (r *rewriter) replace(i, n int, by string) int {
	n = min(n, len(r.tokens)-i)
	r.out.WriteString(r.text[r.done:r.tokens[i].from])
	r.out.WriteString(by)
	r.done = r.tokens[i+n-1].to
	return n
}

// step translates the construct that begins at token i and returns its number of tokens.
func (r *rewriter) step(i int) int {
	t := r.at(i)
	switch {
	case t.is("operator") && r.at(i+1).is("("):
		return r.operator(i)
	case t.is("collate"):
		n := 2
		if r.at(i + 2).is(".") {
			n = 4
		}
		return r.replace(i, n, "")
	case t.kind == text && r.at(i+1).is("::") && (r.at(i+2).is("regclass") || r.at(i+2).is("pg_catalog") && r.at(i+4).is("regclass")):
		n := 3 // a name that is cast to regclass becomes the table's oid
		if r.at(i + 2).is("pg_catalog") {
			n = 5
		}
		return r.replace(i, n, "pgc.regclass_of("+quote(t.literal())+")")
	case t.is("cast") && r.at(i+1).is("(") && r.at(i+2).kind == text && r.at(i+3).is("as") && r.at(i+4).is("regclass") && r.at(i+5).is(")"):
		return r.replace(i, 6, "pgc.regclass_of("+quote(r.at(i+2).literal())+")")
	case t.is("as") && r.at(i+1).is("regclass") && r.at(i+2).is(")"):
		return r.replace(i, 2, "AS VARCHAR")
	case t.is("::"):
		return r.cast(i)
	case t.is("~", "!~", "~*", "!~*") && r.at(i+1).kind == text && r.at(i+1).text != "":
		return r.pattern(i)
	case t.kind == word && !r.at(i-1).is("."):
		return r.name(i)
	}
	return 1
}

// operator replaces OPERATOR(pg_catalog.~) by the operator.
func (r *rewriter) operator(i int) int {
	n := 2
	for !r.at(i+n).is(")") && i+n < len(r.tokens)-1 {
		n++
	}
	op := r.at(i + n - 1).text
	if strings.HasSuffix(op, "~") && r.at(i+n+1).kind == text {
		r.replace(i, n+1, op)
		r.out.WriteString(" " + whole(r.at(i+n+1)))
		r.done = r.at(i + n + 1).to
		return n + 2
	}
	return r.replace(i, n+1, op)
}

func (r *rewriter) pattern(i int) int {
	op := strings.TrimSuffix(r.at(i).text, "*")
	return r.replace(i, 2, op+" "+whole(r.at(i+1)))
}

// whole turns a pattern for a part of a text into one for the whole text.
func whole(t token) string {
	p := t.literal()
	if strings.HasPrefix(p, "^") {
		p = p[1:]
	} else {
		p = ".*" + p
	}
	if strings.HasSuffix(p, "$") {
		p = p[:len(p)-1]
	} else {
		p += ".*"
	}
	return quote("(?s)" + p)
}

// cast translates the type after ::.
func (r *rewriter) cast(i int) int {
	n := 1
	if r.at(i+1).is("pg_catalog", "information_schema") && r.at(i+2).is(".") {
		n = 3
	}
	name := r.at(i + n).name()
	if by, ok := types[name]; ok {
		return r.replace(i, n+1, "::"+by)
	}
	if n > 1 {
		return r.replace(i, n+1, "::"+r.at(i+n).text)
	}
	return 1
}

// name translates the name of a system table or function.
func (r *rewriter) name(i int) int {
	t := r.at(i)
	switch name := t.name(); {
	case name == "pg_catalog" && r.at(i+1).is("."):
		last := r.at(i + 2)
		if by, ok := types[last.name()]; ok && !r.at(i+3).is("(") {
			return r.replace(i, 3, by)
		}
		if r.at(i+3).is("(") && !ownFunction(last.name()) {
			return r.replace(i, 3, last.text)
		}
		return r.replace(i, 1, "pgc")
	case name == "information_schema" && r.at(i+1).is("."):
		return r.replace(i, 1, "pgi")
	case r.at(i+1).is("(") && ownFunction(name):
		return r.replace(i, 1, "pgc."+name)
	case strings.HasPrefix(name, "pg_") && !r.at(i+1).is("(") && ownTable(name):
		if r.at(i + 1).is(".") { // the qualifier of a column
			return 1
		}
		return r.replace(i, 1, "pgc."+name)
	case (name == "current_user" || name == "session_user" || name == "current_role" || name == "user") && !r.at(i+1).is("(", ".") &&
		r.at(i-1).kind != word:
		return r.replace(i, 1, "pgc.session_name()")
	case name == "current_catalog" || name == "current_schema" && !r.at(i+1).is("("):
		return r.replace(i, 1, map[string]string{"current_catalog": "pgc.current_database()", "current_schema": "pgc.current_schema()"}[name])
	}
	return 1
}

// made finds the objects that systemSchema creates.
var made = lazy.Regexp(`CREATE (TABLE|VIEW|MACRO) (pg[ci]\.\w+)`)

// systemGrants lists the tables and functions that a catalog query may use.
var systemGrants = sync.OnceValue(func() (g gate.Grants) {
	for _, m := range made().FindAllStringSubmatch(systemSchema+sessionSchema, -1) {
		if m[1] == "MACRO" {
			g.Functions = append(g.Functions, m[2])
		} else {
			g.Tables = append(g.Tables, m[2])
		}
	}
	return g
})

// ownTable reports whether a table is a system table.
func ownTable(name string) bool { return slices.Contains(systemGrants().Tables, "pgc."+name) }

// ownFunction reports whether a function is a macro of the system schema.
func ownFunction(name string) bool { return slices.Contains(systemGrants().Functions, "pgc."+name) }
