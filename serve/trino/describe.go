package trino

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/query/view"
	"github.com/pingmill/pingmill/sql/queryservice"
)

var (
	bigint  = types.New(types.Bigint)
	varchar = types.New(types.Varchar)
)

// describeInput answers DESCRIBE INPUT name with the parameters of a prepared statement. Their types depend on the values.
func (c *call) describeInput(t tokens) (*result, error) {
	statement, err := c.described(t)
	if err != nil {
		return nil, err
	}
	rows := fixed{}
	for n := range statement.parameters() {
		rows = append(rows, []any{int64(n), "unknown"})
	}
	return &result{names: []string{"Position", "Type"}, types: []types.Type{types.New(types.Integer), varchar}, rows: rows}, nil
}

func (c *call) described(t tokens) (tokens, error) {
	name, ok := t.name(0)
	if !ok || len(t.list) != 1 {
		return tokens{}, wrong("the name of a prepared statement")
	}
	return c.prepared(name)
}

// describeOutput answers DESCRIBE OUTPUT name with the columns of a prepared statement, which does not run.
func (c *call) describeOutput(t tokens) (*result, error) {
	statement, err := c.described(t)
	if err != nil {
		return nil, err
	}
	names := []string{"Column Name", "Catalog", "Schema", "Table", "Type", "Type Size", "Aliased"}
	texts := []types.Type{varchar, varchar, varchar, varchar, varchar}
	r := &result{names: names, types: append(texts, types.New(types.Integer), types.New(types.Boolean))}
	rows := fixed{}
	columns, err := c.output(statement)
	for _, column := range columns {
		t, _ := types.Parse(column.Type) // a type that is not known has no size
		rows = append(rows, []any{column.Name, "", "", "", column.Type, sizes[t.Kind], false})
	}
	r.rows = rows
	return r, err
}

// sizes are the bytes of values of types that have a size.
var sizes = map[types.Kind]int64{
	types.Boolean: 1, types.Tinyint: 1, types.Smallint: 2, types.Integer: 4, types.Bigint: 8, types.Real: 4, types.Double: 8, types.Date: 4,
	types.Time: 8, types.Timestamp: 8, types.TimestampTZ: 8, types.IntervalDay: 8, types.IntervalYear: 4,
}

// output returns the columns of a statement.
func (c *call) output(statement tokens) ([]queryservice.ResultColumn, error) {
	if isCommand(statement) {
		return nil, nil
	}
	text, err := statement.probe()
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(text)
	if err != nil {
		return nil, &unplaced{err}
	}
	if aboutCatalog(tree) {
		translation, err := c.translate(text, tree)
		if err != nil {
			return nil, &unplaced{err}
		}
		var list []queryservice.ResultColumn
		for _, column := range translation.Columns {
			list = append(list, queryservice.ResultColumn{Name: column.Name, Type: column.Type.String()})
		}
		return list, nil
	}
	plan, err := c.Executor.Plan(c.st.ctx, c.person, queryservice.Request{SQL: text, Whole: true})
	if err != nil {
		return nil, &unplaced{err}
	}
	return plan.Columns, nil
}

// showCreate answers SHOW CREATE TABLE name with the columns that the person may read.
func (c *call) showCreate(t tokens) (*result, error) {
	parts, n := t.path()
	if n == 0 || n != len(t.list) {
		return nil, wrong("SHOW CREATE TABLE table")
	}
	tree, err := syntax.Parse("SHOW COLUMNS FROM " + t.written())
	if err == nil {
		_, err = c.translate("SHOW COLUMNS FROM "+t.written(), tree) // that there is such a table
	}
	if err != nil {
		var e *syntax.Error
		if errors.As(err, &e) {
			err = &unplaced{err}
		}
		return nil, err
	}
	table := c.granted().Table(parts[len(parts)-1])
	if table == nil && len(parts) > 1 {
		table = c.granted().Table(strings.Join(parts[len(parts)-2:], "."))
	}
	if table == nil {
		return nil, &problem{noTable, "there is no table " + parts[len(parts)-1]}
	}
	lines := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		lines[i] = "   " + view.QuoteName(column.Name) + " " + column.Type.String()
		if column.Comment != "" {
			lines[i] += " COMMENT " + view.QuoteText(column.Comment)
		}
	}
	ddl := fmt.Sprintf("CREATE TABLE %s.%s.%s (\n%s\n)", bi.Catalog, bi.Schema, view.QuoteName(table.Name), strings.Join(lines, ",\n"))
	return listing([]string{"Create Table"}, fixed{{ddl}}), nil
}
