// Package duckdb makes tables with SQL of DuckDB, for comparison in benchmarks.
package duckdb

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// typeTree is a STRUCT type of DuckDB that names only the wanted members.
type typeTree struct {
	leaf string
	sub  map[string]*typeTree
}

func (t *typeTree) add(leaf string, path ...string) {
	for _, name := range path {
		if t.sub == nil {
			t.sub = map[string]*typeTree{}
		}
		if t.sub[name] == nil {
			t.sub[name] = &typeTree{}
		}
		t = t.sub[name]
	}
	if len(t.sub) == 0 {
		t.leaf = leaf
	}
}

func (t *typeTree) String() string {
	if len(t.sub) == 0 {
		return t.leaf
	}
	names := slices.Sorted(maps.Keys(t.sub))
	for i, n := range names {
		names[i] = quoted(n) + " " + t.sub[n].String()
	}
	return "STRUCT(" + strings.Join(names, ", ") + ")"
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Text returns a text as SQL has it.
func Text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

var (
	addonStruct = "STRUCT(blocklisted BOOLEAN, \"name\" VARCHAR, userDisabled BOOLEAN, appDisabled BOOLEAN, \"version\" VARCHAR, " +
		"\"scope\" INTEGER, \"type\" VARCHAR, foreignInstall BOOLEAN, hasBinaryComponents BOOLEAN, installDay INTEGER, " +
		"updateDay INTEGER, signedState INTEGER, isSystem BOOLEAN, isWebExtension BOOLEAN, multiprocessCompatible BOOLEAN)"
	countHistogram = "STRUCT(\"sum\" BIGINT)"
)

// nestedSources are the computed columns that DuckDB can read as they
// are in the ping; columns that need more than a cast are left out in its favour.
var nestedSources = map[string]string{
	"antivirus": "VARCHAR[]", "antispyware": "VARCHAR[]", "firewall": "VARCHAR[]",
	"attribution":   "STRUCT(source VARCHAR, medium VARCHAR, campaign VARCHAR, content VARCHAR)",
	"active_addons": "MAP(VARCHAR, " + addonStruct + ")",
	"active_theme":  strings.Replace(addonStruct, "STRUCT(", "STRUCT(id VARCHAR, ", 1),
	"experiments":   "MAP(VARCHAR, STRUCT(branch VARCHAR))",
	"search_counts": "MAP(VARCHAR, " + countHistogram + ")",
}

// MainSummary is main_summary in DuckDB's fastest form: read_ndjson with the types
// of exactly the wanted paths, written as parquet. It makes fewer columns than
// pingmill: the ones that only a cast makes.
func MainSummary(t *schema.Table, input, output string) string {
	meta, ping, exprs := Paths(t)
	return fmt.Sprintf("COPY (SELECT %s FROM read_ndjson(%s, columns = {meta: %s, ping: %s}, ignore_errors = true, maximum_object_size = "+
		"67108864)) "+
		"TO %s (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 10000)",
		strings.Join(exprs, ", "), Text(input), Text(meta), Text(ping), Text(output))
}

// Paths returns the types of the paths that main_summary is made from, in meta and in the ping, and the columns at
// them.
func Paths(t *schema.Table) (meta, ping string, exprs []string) {
	metas, pings := &typeTree{}, &typeTree{}
	for i := range t.Columns {
		c := &t.Columns[i]
		path, leaf, ok := sqlSource(c)
		if !ok {
			continue
		}
		root := pings
		if path[0] == "meta" {
			root = metas
			root.add(leaf, path[1:]...)
		} else {
			root.add(leaf, path...)
			path = append([]string{"ping"}, path...)
		}
		for j, name := range path {
			path[j] = quoted(name)
		}
		exprs = append(exprs, strings.Join(path, ".")+" AS "+quoted(c.Name))
	}
	return metas.String(), pings.String(), exprs
}

// sqlSource returns the path of a column and DuckDB's type there.
func sqlSource(c *schema.Column) (path []string, leaf string, ok bool) {
	path = strings.Split(c.Source, "/")
	typ, _ := schema.TypeIn("duckdb", c.Type)
	switch c.Rule {
	case schema.RulePath, schema.RuleInteger, schema.RuleText:
		if c.Arg != "" {
			path = append(path, c.Arg)
		}
		return path, typ, true
	case schema.RulePartition:
		return path, typ, true
	case schema.RuleSum:
		return append(path, "sum"), "BIGINT", true
	case schema.RuleKeyedSum:
		return append(path, c.Arg, "sum"), "BIGINT", true
	case schema.RuleScalar:
		if c.Scalar.Keyed {
			path[len(path)-1] = "keyedScalars"
		}
		return append(path, c.Arg), typ, true
	case schema.RuleHistogram:
		return histogramSource(c, path)
	case schema.RuleFunc:
		if leaf, ok = nestedSources[c.Name]; ok {
			return path, leaf, true
		}
	}
	return nil, "", false
}

func histogramSource(c *schema.Column, path []string) ([]string, string, bool) {
	const values = "MAP(VARCHAR, INTEGER)"
	if c.Histogram.Keyed {
		path[len(path)-1] = "keyedHistograms"
		return append(path, c.Arg), "MAP(VARCHAR, STRUCT(\"values\" " + values + "))", true
	}
	return append(path, c.Arg, "values"), values, true
}
