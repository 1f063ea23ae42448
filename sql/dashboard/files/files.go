// Package files writes dashboards and saved queries as files for people and version control, and reads them: a dashboard is
// YAML, and a query is SQL that begins with YAML in a comment.
package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/saved"
)

// File is a file with its path in a folder, with slashes.
type File struct {
	Path string `json:"path" maxLength:"300"`
	Text string `json:"text" maxLength:"1000000"`
}

// Problem says what is wrong with a file, or what could not be taken of it.
type Problem struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Dashboard is a dashboard with its id and the name of its owner, "" for none.
type Dashboard struct {
	ID    string
	Owner string
	dashboard.Doc
}

// Query is a saved query with its id and the name of its owner, "" for none.
type Query struct {
	ID    string
	Owner string
	saved.Doc
}

// Bundle is a set of dashboards and queries.
type Bundle struct {
	Dashboards []Dashboard
	Queries    []Query
}

// The folders and endings of files. An id is the name of its file.
const (
	dashboardsDir, dashboardsEnd = "dashboards", ".yaml"
	queriesDir, queriesEnd       = "queries", ".sql"
)

// Limits of what is read.
const (
	maxFile  = 1 << 20
	maxDepth = 30 // of nested YAML
)

var idForm = lazy.Regexp(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// DashboardPath and QueryPath return the path of the file of an id.
func DashboardPath(id string) string { return path.Join(dashboardsDir, id+dashboardsEnd) }

func QueryPath(id string) string { return path.Join(queriesDir, id+queriesEnd) }

// ID returns the id in the path of a file of ours, and whether it is a dashboard.
func ID(name string) (id string, isDashboard, ok bool) {
	base := path.Base(name)
	for _, end := range []string{dashboardsEnd, ".yml", queriesEnd} {
		if id, found := strings.CutSuffix(base, end); found {
			return id, end != queriesEnd, idForm().MatchString(id)
		}
	}
	return "", false, false
}

// Files returns the files of a bundle, in the order of their paths.
func (b *Bundle) Files() ([]File, error) {
	var all []File
	for _, d := range b.Dashboards {
		text, err := d.Text()
		if err != nil {
			return nil, err
		}
		all = append(all, File{DashboardPath(d.ID), text})
	}
	for _, q := range b.Queries {
		text, err := q.Text()
		if err != nil {
			return nil, err
		}
		all = append(all, File{QueryPath(q.ID), text})
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// owned is a doc with its owner first.
type owned struct {
	Owner string `json:"owner,omitempty"`
}

// Text returns the file of a dashboard.
func (d *Dashboard) Text() (string, error) {
	return yamlText(struct {
		owned
		dashboard.Doc
	}{owned{d.Owner}, d.Doc})
}

// The lines around the YAML of a query's file.
const begin, end = "/*---\n", "---*/\n"

// head is a saved query without its SQL.
type head struct {
	owned
	saved.Doc
	SQL string `json:"sql,omitempty"` // hides the one of Doc
}

// Text returns the file of a query.
func (q *Query) Text() (string, error) {
	text, err := yamlText(head{owned: owned{q.Owner}, Doc: q.Doc})
	if err != nil {
		return "", err
	}
	return begin + strings.ReplaceAll(text, "*/", `*\x2F`) + end + q.SQL + "\n", nil
}

// Read reads files. It leaves out those that cannot be read, and says why.
func Read(all []File) (b Bundle, problems []Problem) {
	seen := map[string]bool{}
	for _, f := range all {
		id, isDashboard, ok := ID(f.Path)
		var err error
		switch key := fmt.Sprint(isDashboard, id); {
		case !ok:
			err = errors.New("want ID.yaml of a dashboard or ID.sql of a query; an id has small letters, digits, - and _")
		case len(f.Text) > maxFile:
			err = fmt.Errorf("it is larger than %d bytes", maxFile)
		case seen[key]:
			err = errors.New("another file has the same id")
		case isDashboard:
			var d Dashboard
			if d, err = ReadDashboard(f.Text); err == nil {
				d.ID = id
				b.Dashboards = append(b.Dashboards, d)
			}
			seen[key] = true
		default:
			var q Query
			if q, err = ReadQuery(f.Text); err == nil {
				q.ID = id
				b.Queries = append(b.Queries, q)
			}
			seen[key] = true
		}
		if err != nil {
			problems = append(problems, Problem{f.Path, err.Error()})
		}
	}
	return b, problems
}

// ReadDashboard reads the text of a dashboard's file.
func ReadDashboard(text string) (d Dashboard, err error) {
	var in struct {
		owned
		dashboard.Doc
	}
	if err := readYAML(text, &in); err != nil {
		return d, err
	}
	d.Owner, d.Doc = in.Owner, in.Doc
	for i := range d.Widgets {
		d.Widgets[i].Refused = false
	}
	return d, d.Clean()
}

// ReadQuery reads the text of a query's file.
func ReadQuery(text string) (q Query, err error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	rest, found := strings.CutPrefix(text, begin)
	meta, sql, closed := strings.Cut(rest, "\n"+end)
	if !found || !closed {
		return q, fmt.Errorf("want YAML with a title between the lines %s and %s", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	var in head
	if err := readYAML(meta, &in); err != nil {
		return q, err
	}
	if in.SQL != "" {
		return q, errors.New("its SQL follows the YAML")
	}
	q.Owner, q.Doc = in.Owner, in.Doc
	q.SQL = strings.TrimSuffix(sql, "\n")
	return q, q.Clean()
}

// yamlText writes a value as YAML, with the names, order and omissions of its JSON.
func yamlText(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return "", err
	}
	block(&node)
	var b bytes.Buffer
	out := yaml.NewEncoder(&b)
	out.SetIndent(2)
	if err := errors.Join(out.Encode(&node), out.Close()); err != nil {
		return "", err
	}
	return b.String(), nil
}

// block makes a tree of YAML easy to read and to compare by lines: no braces but around short lists, texts of several lines as
// such.
func block(n *yaml.Node) {
	n.Style = 0
	switch {
	case n.Kind == yaml.SequenceNode && !slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return c.Kind != yaml.ScalarNode }):
		n.Style = yaml.FlowStyle
	case n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "*/"):
		n.Style = yaml.DoubleQuotedStyle // which has escapes
	case n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "\n"):
		n.Style = yaml.LiteralStyle
	}
	for _, c := range n.Content {
		block(c)
	}
}

// readYAML reads YAML as the JSON that it stands for. Unknown names are errors.
func readYAML(text string, to any) error {
	if len(text) > maxFile {
		return fmt.Errorf("it is larger than %d bytes", maxFile)
	}
	in := yaml.NewDecoder(strings.NewReader(text))
	var node, more yaml.Node
	if err := in.Decode(&node); err != nil {
		return fmt.Errorf("it is no YAML: %w", err)
	}
	if err := in.Decode(&more); !errors.Is(err, io.EOF) {
		return errors.New("it has more than one document")
	}
	if err := plain(&node, 0); err != nil {
		return err
	}
	var v any
	if err := node.Decode(&v); err != nil {
		return fmt.Errorf("it is no YAML: %w", err)
	}
	doc, err := json.Marshal(v)
	if err != nil {
		return errors.New("it has a name that is no text")
	}
	out := json.NewDecoder(bytes.NewReader(doc))
	out.DisallowUnknownFields()
	if err := out.Decode(to); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return fmt.Errorf("%s cannot be a %s", wrong.Field, wrong.Value)
		}
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// plain refuses aliases, which can stand for large texts, and makes times texts.
func plain(n *yaml.Node, depth int) error {
	switch {
	case depth > maxDepth:
		return errors.New("its YAML is nested too deeply")
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return fmt.Errorf("line %d: anchors and aliases are not possible", n.Line)
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp":
		n.Tag = "!!str"
	}
	for _, c := range n.Content {
		if err := plain(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}
