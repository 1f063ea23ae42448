package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/query"
)

// parquetNode is an element of a parquet schema in the order of the file.
type parquetNode struct {
	name, repetition, physical string
	children                   int
}

func (n parquetNode) String() string {
	return fmt.Sprintf("%s %s %s/%d", n.name, n.repetition, n.physical, n.children)
}

var physicalNames = map[schema.Kind]string{
	schema.Boolean: "BOOLEAN", schema.Int: "INT32", schema.Long: "INT64", schema.Double: "DOUBLE",
	schema.String: "BYTE_ARRAY", schema.Decimal: "FIXED_LEN_BYTE_ARRAY",
}

// expectedNodes returns the elements that a column of a type must have.
func expectedNodes(name string, t schema.Type, notNull bool) []parquetNode {
	repetition := "OPTIONAL"
	if notNull {
		repetition = "REQUIRED"
	}
	group := func(children int, parts ...[]parquetNode) []parquetNode {
		all := []parquetNode{{name, repetition, "", children}}
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	switch t.Kind {
	case schema.Array:
		return group(1, []parquetNode{{"list", "REPEATED", "", 1}}, expectedNodes("element", *t.Elem, t.ElemNotNull))
	case schema.Map:
		return group(1, []parquetNode{{"key_value", "REPEATED", "", 2}}, expectedNodes("key", *t.Key, true),
			expectedNodes("value", *t.Elem, false))
	case schema.Struct:
		var members [][]parquetNode
		for _, f := range t.Fields {
			members = append(members, expectedNodes(f.Name, f.Type, f.NotNull))
		}
		return group(len(t.Fields), members...)
	}
	return []parquetNode{{name, repetition, physicalNames[t.Kind], 0}}
}

// referenceNodes returns the elements of a table by the reference's schemas; the columns come from the default probe
// set.
func referenceNodes(t *testing.T, table *schema.Table) []parquetNode {
	t.Helper()
	b, err := os.ReadFile("../../schema/testdata/reference_schemas.json")
	require.NoError(t, err)
	var all map[string]struct {
		Columns []struct {
			Name, Type, Dynamic string
			Nullable            *bool
		}
	}
	require.NoError(t, json.Unmarshal(b, &all))
	var nodes []parquetNode
	for _, c := range all[table.Name].Columns {
		if c.Dynamic != "" {
			for _, d := range table.Columns {
				if strings.HasPrefix(d.Name, strings.TrimSuffix(c.Dynamic, "s")+"_") {
					nodes = append(nodes, expectedNodes(d.Name, d.Type, false)...)
				}
			}
			continue
		}
		typ, err := schema.ParseType(c.Type)
		require.NoError(t, err)
		nodes = append(nodes, expectedNodes(c.Name, typ, c.Nullable != nil && !*c.Nullable)...)
	}
	if table.Name == "clients_daily" { // its partition column follows the listing
		nodes = append(nodes, expectedNodes("submission_date_obj", schema.Type{Kind: schema.String}, false)...)
	}
	return nodes
}

func compareNodes(t *testing.T, reader, file string, got, want []parquetNode) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s reads %s: element %d is %v, want %v", reader, file, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s reads %s: %d elements, want %d", reader, file, len(got), len(want))
	}
}

// duckdbNodes reads a file's schema with DuckDB.
func duckdbNodes(t *testing.T, db *query.DB, file string) []parquetNode {
	t.Helper()
	rows, err := db.Query(context.Background(),
		"SELECT name, repetition_type, coalesce(CASE WHEN num_children > 0 THEN '' ELSE type END, ''), "+
			"coalesce(num_children, 0)::INTEGER FROM parquet_schema('"+file+"')")
	require.NoError(t, err)
	defer rows.Close()
	var nodes []parquetNode
	for {
		row, err := rows.Next()
		if err != nil {
			break
		}
		repetition, _ := row[1].(string)
		nodes = append(nodes, parquetNode{row[0].(string), repetition, row[2].(string), int(row[3].(int64))})
	}
	if len(nodes) == 0 {
		t.Fatalf("DuckDB reads no schema from %s", file)
	}
	return nodes[1:] // without the root
}

// parquetGoNodes reads a file's schema with another maker's reader.
func parquetGoNodes(t *testing.T, file string) []parquetNode {
	t.Helper()
	p := parquetFile(t, file)
	var nodes []parquetNode
	for _, e := range p.Metadata().Schema[1:] {
		n := parquetNode{name: e.Name, repetition: "REQUIRED", children: int(e.NumChildren.V)}
		if e.RepetitionType.Valid {
			n.repetition = e.RepetitionType.V.String()
		}
		if n.children == 0 && e.Type.Valid {
			n.physical = e.Type.V.String()
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// onePartFile finds a parquet file of a table.
func onePartFile(t *testing.T, data string, table *schema.Table) string {
	t.Helper()
	root := map[schema.Root]string{schema.StorageRoot: "lake", schema.PipelineRoot: "pipeline",
		schema.RestrictedRoot: "restricted"}[table.Root]
	found := ""
	err := filepath.WalkDir(filepath.Join(data, root, table.Prefix()), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".parquet") {
			found = path
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatalf("no file of %s: %v", table.Name, err)
	}
	return found
}
