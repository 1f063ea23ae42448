package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/pingmill/pingmill/schema"
)

// Schema prints the columns of a table. root is the location of the installation, "" if unknown.
func Schema(out io.Writer, t *schema.Table, root string) error {
	fmt.Fprintf(out, "%s %s: %s\n", t.Name, t.Version, t.Doc)
	if t.Use != "" {
		fmt.Fprintf(out, "For: %s\n", t.Use)
	}
	fmt.Fprintf(out, "One row per %s.\nMade from %s.\nRefreshed: %s.\n", t.Grain, madeFrom(t), t.Refresh)
	if !t.View {
		fmt.Fprintf(out, "Location: %s\n", LocationIn(t, root))
	}
	fmt.Fprintf(out, "Partitioned by: %v\n", t.PartitionKeys)
	for _, note := range t.Notes {
		fmt.Fprintf(out, "- %s\n", note)
	}
	fmt.Fprintln(out)
	var long strings.Builder // types, behind the columns
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range t.Columns {
		null := ""
		if c.NotNull {
			null = " not null"
		}
		typ := c.Type.String()
		if len(typ) > longestType {
			fmt.Fprintf(&long, "\n%s is %s\n", c.Name, typ)
			typ, _, _ = strings.Cut(typ, "<")
			typ += "<…>"
		}
		fmt.Fprintf(w, "%s\t%s%s\t%s\t%s\n", c.Name, typ, null, c.Doc, c.SourceText())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, long.String())
	return err
}

// longestType is the maximum length of a type in a column; longer ones follow below.
const longestType = 40

// LocationIn returns the location of a table, below root if it is known.
func LocationIn(t *schema.Table, root string) string {
	if root == "" {
		return t.Location()
	}
	return t.LocationIn(root)
}

// madeFrom returns the pings or tables from which a table is made.
func madeFrom(t *schema.Table) string {
	if t.DocType == "" {
		return strings.Join(t.Needs, ", ")
	}
	pings := t.DocType
	if t.AllTypes {
		pings = "all"
	}
	text := pings + " pings of the namespace " + t.Namespace
	if t.DocVersion != "" {
		text += ", version " + t.DocVersion
	}
	if t.Apps != nil {
		text += ", of the configured applications (" + strings.Join(t.Apps, ", ") + ")"
	}
	return text
}

type columnJSON struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable"`
	Doc      string `json:"doc"`
	Source   string `json:"source"`

	Fields []fieldJSON `json:"fields,omitempty"` // of a struct
}

// fieldJSON is a member of a struct.
type fieldJSON struct {
	Name   string      `json:"name"`
	Type   string      `json:"type"`
	Doc    string      `json:"doc,omitempty"`
	Fields []fieldJSON `json:"fields,omitempty"`
}

func fieldsJSON(t *schema.Type) (all []fieldJSON) {
	for _, f := range t.Fields {
		all = append(all, fieldJSON{f.Name, f.Type.String(), f.Doc, fieldsJSON(&f.Type)})
	}
	return all
}

// SchemaJSON prints a schema as JSON.
func SchemaJSON(out io.Writer, t *schema.Table, root string) error {
	cols := make([]columnJSON, len(t.Columns))
	for i, c := range t.Columns {
		cols[i] = columnJSON{c.Name, c.Type.String(), !c.NotNull, c.Doc, c.SourceText(), fieldsJSON(&c.Type)}
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(map[string]any{
		"table": t.Name, "version": t.Version, "location": LocationIn(t, root), "partitionKeys": t.PartitionKeys,
		"doc": t.Doc, "grain": t.Grain, "refresh": t.Refresh, "use": t.Use, "notes": t.Notes, "columns": cols,
	})
}
