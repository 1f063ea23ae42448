package prompt

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/prompt/line"
)

// offers holds the completions of a word.
type offers struct {
	word string // as it is typed
	list []line.Offer
}

// offers returns the completions of the word at the end of before; after is the rest of the statement.
func (s *Session) offers(before, after string) (string, []line.Offer) {
	o := s.complete(before, after)
	return o.word, o.list
}

// complete returns the completions of the word at the end of before; after is the rest of the statement.
func (s *Session) complete(before, after string) offers {
	if command := strings.TrimLeft(before, " \n"); strings.HasPrefix(command, `\`) {
		return s.completeCommand(command)
	}
	tokens := slices.Collect(lexer.Scan(s.Dialect, before))
	word := ""
	if n := len(tokens); n > 0 && tokens[n-1].End == len(before) {
		switch t := tokens[n-1]; {
		case t.Kind == lexer.Word:
			word, tokens = t.Text(before), tokens[:n-1]
		case t.Open || t.Kind == lexer.Number:
			return offers{} // inside of a string or comment
		}
	}
	o := offers{word: word}
	names := s.namesIn(before + " " + after)
	n := len(tokens)
	switch {
	case n == 0 || tokens[n-1].Is(before, ";"):
		for _, k := range statementWords {
			o.add(matchCase(k, word), "")
		}
	case n > 1 && tokens[n-1].Is(before, "."):
		if t := names[strings.ToLower(strings.Trim(tokens[n-2].Text(before), `"`))]; t != nil {
			o.columns(t)
		}
	case afterTableWord(before, tokens):
		o.tables(s.Site.Tables)
	default:
		s.completeExpression(&o, names)
	}
	return o
}

// leastWord is the number of typed characters from which on columns of all tables are offered.
const leastWord = 2

// completeExpression offers everything allowed in an expression, with the columns of the named tables.
func (s *Session) completeExpression(o *offers, names map[string]*schema.Table) {
	for _, stored := range s.Site.Tables {
		for _, t := range stored.WithViews() {
			if names[t.Name] == t || len(names) == 0 && len(o.word) >= leastWord && t == stored {
				o.columns(t)
			}
		}
	}
	o.tables(s.Site.Tables)
	for _, f := range s.functions() {
		o.add(f.Name+"(", f.Doc)
	}
	for _, k := range keywords {
		o.add(matchCase(k, o.word), "")
	}
}

// matchCase writes a keyword in the case of the typed word.
func matchCase(keyword, word string) string {
	if word != "" && word == strings.ToLower(word) {
		return strings.ToLower(keyword)
	}
	return keyword
}

// add adds a completion if it begins with the word.
func (o *offers) add(text, about string) {
	if len(text) < len(o.word) || !strings.EqualFold(text[:len(o.word)], o.word) {
		return
	}
	if !slices.ContainsFunc(o.list, func(c line.Offer) bool { return c.Text == text }) {
		o.list = append(o.list, line.Offer{Text: text, About: about})
	}
}

func (o *offers) tables(tables []*schema.Table) {
	for _, stored := range tables {
		for _, t := range stored.WithViews() {
			o.add(t.Name, t.Doc)
		}
	}
}

func (o *offers) columns(t *schema.Table) {
	for _, c := range t.Columns {
		o.add(c.Name, c.Type.String()+", "+c.Doc)
	}
}

// namesIn returns the tables that a text names, by name and alias.
func (s *Session) namesIn(text string) map[string]*schema.Table {
	names := map[string]*schema.Table{}
	tokens := slices.Collect(lexer.Scan(s.Dialect, text))
	for i, token := range tokens {
		if token.Kind != lexer.Word && token.Kind != lexer.Quoted {
			continue
		}
		t, err := s.table(token.Text(text))
		if err != nil {
			continue
		}
		names[t.Name], names[strings.ToLower(token.Text(text))] = t, t
		next := i + 1
		if next < len(tokens) && tokens[next].Is(text, "as") {
			next++
		}
		if next < len(tokens) && tokens[next].Kind == lexer.Word && !slices.Contains(keywords, strings.ToUpper(tokens[next].Text(text))) {
			names[strings.ToLower(tokens[next].Text(text))] = t
		}
	}
	return names
}

// afterTableWord reports whether a table name follows.
func afterTableWord(text string, tokens []lexer.Token) bool {
	if len(tokens) == 0 {
		return false
	}
	last := tokens[len(tokens)-1]
	for _, w := range []string{"from", "join", "describe", "desc"} {
		if last.Is(text, w) {
			return true
		}
	}
	return false
}

// completeCommand completes a line that begins with a backslash.
func (s *Session) completeCommand(text string) offers {
	name, arg, inArg := strings.Cut(text[1:], " ")
	if !inArg {
		o := offers{word: text}
		for _, c := range commands() {
			o.add(`\`+c.name, c.doc)
		}
		return o
	}
	arg = strings.TrimLeft(arg, " ")
	for _, c := range commands() {
		if c.name != name && c.name != otherNames[name] {
			continue
		}
		if name == "export" && strings.Contains(arg, " ") {
			_, sql, _ := strings.Cut(arg, " ")
			return s.complete(sql, "")
		}
		return s.completeArgument(c.kind, arg)
	}
	return offers{}
}

func (s *Session) completeArgument(kind argument, arg string) offers {
	o := offers{word: arg}
	switch kind {
	case aTable:
		if name, _, dotted := strings.Cut(arg, "."); dotted {
			if t, err := s.table(name); err == nil {
				for _, c := range t.Columns {
					o.add(name+"."+c.Name, c.Type.String()+", "+c.Doc)
				}
			}
			return o
		}
		o.tables(s.Site.Tables)
	case aFile:
		o.files(s.path(arg), arg)
	case aFunction:
		for _, f := range s.functions() {
			o.add(f.Name, f.Doc)
		}
	case aFormat:
		for _, f := range query.Formats {
			o.add(string(f), "")
		}
	case aDialect:
		o.add(string(query.Presto), "")
		o.add(string(query.DuckDB), "")
	case onOff:
		for _, w := range []string{"on", "off", "auto"} {
			o.add(w, "")
		}
	}
	return o
}

// files offers the files of a folder; typed is path as it was typed.
func (o *offers) files(path, typed string) {
	dir, _ := filepath.Split(path)
	shown, _ := filepath.Split(typed)
	entries, err := os.ReadDir(filepath.Clean("./" + dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return
	}
	for _, e := range entries {
		name := shown + e.Name()
		if e.IsDir() {
			name += "/"
		}
		if !strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(filepath.Base(typed), ".") {
			o.add(cli.Safe(name), "")
		}
	}
}
