package queries

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// Completion holds the names that an editor can complete.
type Completion struct {
	Tables    []CompletionTable    `json:"tables" nullable:"false" doc:"those that you may read"`
	Functions []CompletionFunction `json:"functions" nullable:"false" doc:"of Presto's SQL"`
	Keywords  []string             `json:"keywords" nullable:"false"`
}

// CompletionTable is a table with the columns that the person may read.
type CompletionTable struct {
	Name    string             `json:"name"`
	Doc     string             `json:"doc"`
	Columns []CompletionColumn `json:"columns" nullable:"false"`
}

// CompletionColumn is a column of a table.
type CompletionColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Doc  string `json:"doc,omitempty"`
}

// CompletionFunction is a function of SQL.
type CompletionFunction struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind" enum:"scalar,aggregate,window"`
	Signatures []string `json:"signatures" nullable:"false"`
	Doc        string   `json:"doc"`
}

type completed struct {
	Tag   string `header:"ETag"`
	Cache string `header:"Cache-Control"`
	Body  Completion
}

func (c Config) completion(ctx context.Context, in *struct {
	Have string `header:"If-None-Match" maxLength:"1000"`
}) (*completed, error) {
	out := &completed{Cache: "private, no-cache",
		Body: Completion{Tables: tables(c.Tables, access.From(ctx)), Functions: allFunctions(), Keywords: syntax.Keywords()}}
	text, err := json.Marshal(out.Body)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	if out.Tag = `"` + hex.EncodeToString(sum[:8]) + `"`; out.Tag == in.Have {
		return nil, huma.ErrorWithHeaders(huma.Status304NotModified(), http.Header{"ETag": {out.Tag}})
	}
	return out, nil
}

// tables returns the tables that a person may read.
func tables(all []*schema.Table, p *access.Person) []CompletionTable {
	list, seen := []CompletionTable{}, []*schema.Table{}
	for _, t := range p.Visible(all) {
		seen = append(seen, t.WithViews()...)
	}
	for _, v := range catalog.Tables(all, p) {
		t, err := schema.Find(seen, v.Name)
		if err != nil {
			continue // it is derived from a visible table
		}
		item := CompletionTable{Name: t.Name, Doc: cmp.Or(t.Doc, t.Grain)}
		for _, column := range v.Columns {
			i := t.Index(column.Name)
			item.Columns = append(item.Columns, CompletionColumn{Name: column.Name, Type: column.Type, Doc: t.Columns[i].Doc})
		}
		list = append(list, item)
	}
	return list
}

var kinds = map[functions.Kind]string{functions.Scalar: "scalar", functions.Aggregate: "aggregate", functions.Window: "window"}

func allFunctions() []CompletionFunction {
	list := []CompletionFunction{}
	for _, name := range slices.Sorted(maps.Keys(functions.All())) {
		f := functions.All()[name]
		item := CompletionFunction{Name: f.Name, Kind: kinds[f.Kind], Doc: f.Doc, Signatures: []string{}}
		for _, form := range f.Forms {
			item.Signatures = append(item.Signatures, form.Signature)
		}
		list = append(list, item)
	}
	return list
}
