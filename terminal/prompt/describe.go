package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/prompt/screen"
)

// describe implements \d: it lists the tables, or the columns of one.
func (s *Session) describe(ctx context.Context, arg string) error {
	arg = strings.TrimSuffix(arg, ";")
	if arg == "" {
		return s.tables(ctx)
	}
	name, pattern, narrowed := strings.Cut(strings.ReplaceAll(arg, " ", "."), ".")
	t, err := s.table(name)
	if err != nil {
		return err
	}
	if !narrowed {
		return s.columns(ctx, t, "*", false)
	}
	return s.columns(ctx, t, pattern, !strings.ContainsAny(pattern, "*?["))
}

// describeMore implements \d+.
func (s *Session) describeMore(ctx context.Context, arg string) error {
	name, pattern, narrowed := strings.Cut(strings.ReplaceAll(strings.TrimSuffix(arg, ";"), " ", "."), ".")
	if name == "" {
		return s.tables(ctx)
	}
	t, err := s.table(name)
	if err != nil {
		return err
	}
	if !narrowed {
		pattern = "*"
	}
	return s.columns(ctx, t, pattern, true)
}

// table returns the table with a name, which may end with the version.
func (s *Session) table(name string) (*schema.Table, error) {
	name = strings.ToLower(strings.Trim(name, `"`))
	for _, stored := range s.Site.Tables {
		for _, t := range stored.WithViews() {
			if name == t.Name || slices.Contains(t.Aliases(), name) {
				return t, nil
			}
		}
	}
	return nil, fmt.Errorf(`no table %s: \d lists them`, name)
}

func (s *Session) tables(ctx context.Context) error {
	var totals map[string]site.Total
	if s.Server == "" {
		var err error
		if totals, err = s.Site.Totals(ctx); err != nil {
			return err
		}
	}
	var rows [][]string
	for _, t := range s.Site.Tables {
		n := totals[t.Name]
		row := []string{t.Name, "", "", "", "", t.Doc}
		switch {
		case n.Denied:
			row[1] = "denied"
		case n.Days > 0:
			row[1], row[2] = n.First, n.Last
			row[3], row[4] = humanize.Comma(n.Rows), humanize.Bytes(uint64(n.Bytes))
		}
		rows = append(rows, row)
		for _, v := range t.Views {
			rows = append(rows, []string{v.Name, row[1], row[2], "", "", v.Doc})
		}
	}
	return s.page(ctx, func(out io.Writer) {
		width, _ := s.size()
		screen.Columns(out, width, []string{"table", "from", "to", ">rows", ">size", "what"}, rows)
	})
}

// longestType is the maximum length of a type in a list of columns.
const longestType = 32

// columns lists the columns of a table whose names match pattern. more adds the source and the complete type.
func (s *Session) columns(ctx context.Context, t *schema.Table, pattern string, more bool) error {
	var list []schema.Column
	for _, c := range t.Columns {
		if like(pattern, c.Name) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return fmt.Errorf(`no column of %s is like %s: \d %s lists them`, t.Name, pattern, t.Name)
	}
	return s.page(ctx, func(out io.Writer) {
		if more {
			wholeColumns(out, t, list)
			return
		}
		width, height := s.size()
		if len(list) > height {
			width = 0 // the pager shows the rest of a line
		}
		rows := make([][]string, len(list))
		for i, c := range list {
			typ := c.Type.String()
			if len(typ) > longestType {
				typ, _, _ = strings.Cut(typ, "<")
				typ += "<…>"
			}
			rows[i] = []string{c.Name, typ, mark(t, c), c.Doc}
		}
		fmt.Fprintf(out, "%s: %s\n", t.Name, cli.Safe(t.Doc))
		if t.Grain != "" { // a server does not describe it
			fmt.Fprintf(out, "One row per %s.\n", t.Grain)
		}
		fmt.Fprintln(out)
		screen.Columns(out, width, []string{"column", "type", "", "what"}, rows)
	})
}

// mark returns the remark on a column in a list.
func mark(t *schema.Table, c schema.Column) string {
	for _, k := range t.PartitionKeys {
		if k == c.Name {
			return "partition"
		}
	}
	if c.NotNull {
		return "not null"
	}
	return ""
}

// wholeColumns writes all details of columns.
func wholeColumns(out io.Writer, t *schema.Table, list []schema.Column) {
	for i, c := range list {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, c.Name)
		for _, line := range [][2]string{{"type", c.Type.String()}, {"", mark(t, c)}, {"", c.Doc}, {"from", c.SourceText()}} {
			if line[1] != "" {
				fmt.Fprintln(out, "  "+cli.Safe(strings.TrimSpace(line[0]+" "+line[1])))
			}
		}
	}
}

// like reports whether a name matches a pattern with * and ?. A pattern without them matches a part of the name.
func like(pattern, name string) bool {
	pattern, name = strings.ToLower(strings.Trim(pattern, `"`)), strings.ToLower(name)
	if name == pattern {
		return true
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// partitions implements \dp.
func (s *Session) partitions(ctx context.Context, arg string) error {
	if arg == "" {
		return errors.New(`\dp TABLE`)
	}
	t, err := s.table(strings.TrimSuffix(arg, ";"))
	if err != nil {
		return err
	}
	if s.Server != "" {
		return fmt.Errorf("the partitions of a server's tables are in its catalog: %s/catalog/%s", s.Server, t.Name)
	}
	lt, err := s.Site.Table(t.Name)
	if err != nil {
		return err
	}
	list, damaged, err := lt.Published(ctx)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, m := range list {
		rows = append(rows, []string{t.PartitionDir(m.Day), fmt.Sprint(len(m.Files)), humanize.Comma(m.Rows), humanize.Bytes(uint64(m.Bytes))})
	}
	for _, d := range damaged {
		s.print("%v", d)
	}
	return s.page(ctx, func(out io.Writer) {
		width, _ := s.size()
		screen.Columns(out, width, []string{"partition", ">files", ">rows", ">size"}, rows)
	})
}

// describeFunctions implements \df.
func (s *Session) describeFunctions(ctx context.Context, pattern string) error {
	all := s.functions()
	if all == nil {
		return errors.New("the functions of DuckDB are in its documentation: duckdb.org/docs/stable/sql/functions/overview")
	}
	pattern = strings.TrimSuffix(pattern, "(")
	var lines []string
	for _, f := range all {
		if pattern != "" && !like(pattern, f.Name) {
			continue
		}
		for _, form := range f.Forms {
			lines = append(lines, f.Name+strings.Replace(form.Signature, " ->", " →", 1))
		}
		lines = append(lines, "    "+f.Doc)
	}
	if len(lines) == 0 {
		return fmt.Errorf(`no function is like %s: * stands for any characters, as in \df *%s*`, pattern, strings.Trim(pattern, "*?"))
	}
	return s.page(ctx, func(out io.Writer) {
		for _, text := range lines {
			fmt.Fprintln(out, cli.Safe(text))
		}
	})
}
