package redash

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/params"
)

// converted is the SQL of a query with its parameters.
type converted struct {
	sql        string
	parameters []params.Parameter
	names      map[string]string // names of parameters in Redash, and here
	options    map[string]int64  // queries with the values of parameters, by the name here
	notes      []string

	quoted, bare map[string]bool // names of parameters inside and outside of quotes
}

var (
	placeForm   = lazy.Regexp(`\{\{\s*([^{}\s][^{}]*?)\s*\}\}`)
	otherLetter = lazy.Regexp(`[^A-Za-z0-9_]+`)
)

// named returns the name of a parameter here.
func named(name string) string {
	name = strings.Trim(otherLetter().ReplaceAllString(name, "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "p_" + name
	}
	return name[:min(len(name), 64)]
}

// convert converts the SQL of a query. Redash replaces places by text. Here a place is a literal, so one in quotes loses them.
func convert(sql string, declared []parameter) *converted {
	c := &converted{names: map[string]string{}, options: map[string]int64{}, quoted: map[string]bool{}, bare: map[string]bool{}}
	ranges, days := map[string]bool{}, map[string]bool{}
	for _, p := range declared {
		name := named(p.Name)
		if slices.ContainsFunc(c.parameters, func(o params.Parameter) bool { return o.Name == name }) {
			c.notes = append(c.notes, fmt.Sprintf("two parameters are named %s", name))
			continue
		}
		c.names[p.Name] = name
		own := c.parameter(&p, name)
		c.parameters = append(c.parameters, own)
		ranges[name], days[name] = own.Kind == params.Days, own.Kind == params.Day
	}
	sql = placeForm().ReplaceAllStringFunc(sql, func(place string) string {
		full := placeForm().FindStringSubmatch(place)[1]
		if strings.ContainsAny(full[:1], "#^/!&>") {
			c.notes = append(c.notes, "conditions and other tags of Mustache cannot be converted: "+place)
		}
		name, member := full, ""
		if i := strings.LastIndexByte(full, '.'); i > 0 && (full[i+1:] == "start" || full[i+1:] == "end") {
			name, member = full[:i], full[i+1:]
		}
		name = named(name)
		switch {
		case member == "start":
			name += ".from.dashed"
		case member == "end":
			name += ".to.dashed"
		case days[name]:
			name += ".dashed"
		}
		return "{{" + name + "}}"
	})
	var b strings.Builder
	last := 0
	for t := range lexer.Scan(lexer.Presto, sql) {
		b.WriteString(sql[last:t.Start])
		b.WriteString(c.token(t.Kind, t.Text(sql)))
		last = t.End
	}
	b.WriteString(sql[last:])
	c.sql = strings.TrimSpace(b.String())
	c.kinds(declared)
	return c
}

// token returns a token with places as literals of their own, and notes where places are.
func (c *converted) token(kind lexer.Kind, text string) string {
	places := placeForm().FindAllStringSubmatchIndex(text, -1)
	if len(places) == 0 || kind == lexer.Comment {
		return text
	}
	for _, p := range places {
		name, _, _ := strings.Cut(text[p[2]:p[3]], ".")
		if kind == lexer.Text {
			c.quoted[name] = true
		} else {
			c.bare[name] = true
		}
	}
	if kind == lexer.Quoted {
		c.notes = append(c.notes, "a parameter cannot be part of a quoted name: "+text)
	}
	if kind != lexer.Text || text[0] != '\'' || !strings.HasSuffix(text, "'") {
		return text
	}
	inner := text[1 : len(text)-1]
	var parts []string
	last := 0
	for _, p := range placeForm().FindAllStringIndex(inner, -1) {
		if p[0] > last {
			parts = append(parts, "'"+inner[last:p[0]]+"'")
		}
		parts, last = append(parts, inner[p[0]:p[1]]), p[1]
	}
	if last < len(inner) {
		parts = append(parts, "'"+inner[last:]+"'")
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, " || ") + ")"
}

// kinds changes the kinds of parameters by their places: a number in quotes is a text, and a text outside of quotes is a number if
// its value is one.
func (c *converted) kinds(declared []parameter) {
	for i := range c.parameters {
		p := &c.parameters[i]
		quoted, bare := c.quoted[p.Name], c.bare[p.Name]
		switch {
		case p.Kind == params.Number && quoted && !bare:
			p.Kind = params.Text
			if p.Default != nil {
				p.Default = fmt.Sprint(p.Default)
			}
		case p.Kind == params.Number && quoted:
			c.notes = append(c.notes, fmt.Sprintf("parameter %s is a number and a part of a text", p.Name))
		case (p.Kind == params.Text || p.Kind == params.Choice) && bare && isNumber(p.Default) && !slices.ContainsFunc(p.Choices,
			func(s string) bool { return !isNumber(s) }):
			p.Kind, p.Choices = params.Number, nil
		case (p.Kind == params.Text || p.Kind == params.Choice) && bare:
			c.notes = append(c.notes, fmt.Sprintf("parameter %s stands outside of quotes: it was a part of the SQL, and is a text now", p.Name))
		}
		if err := params.Check([]params.Parameter{*p}); err != nil {
			c.notes = append(c.notes, err.Error())
			p.Default = nil
		}
	}
	places := maps.Clone(c.bare)
	maps.Copy(places, c.quoted)
	for name := range places {
		if !slices.ContainsFunc(c.parameters, func(p params.Parameter) bool { return p.Name == name }) && len(declared) > 0 {
			c.notes = append(c.notes, fmt.Sprintf("parameter %s is not declared", name))
		}
	}
	slices.Sort(c.notes)
}

var numberForm = lazy.Regexp(`^-?[0-9]+(\.[0-9]+)?$`)

func isNumber(v any) bool {
	s, is := v.(string)
	return is && numberForm().MatchString(s)
}

// parameter converts the declaration of a parameter.
func (c *converted) parameter(p *parameter, name string) params.Parameter {
	own := params.Parameter{Name: name, Kind: params.Text, Title: limited(p.Title, 200, "")}
	var value any
	if json.Unmarshal(p.Value, &value) != nil {
		value = nil
	}
	note := func(format string, args ...any) {
		c.notes = append(c.notes, fmt.Sprintf("parameter %s: ", name)+fmt.Sprintf(format, args...))
	}
	switch p.Type {
	case "number":
		own.Kind, own.Default = params.Number, value
	case "enum", "query":
		if p.Type == "enum" {
			own.Kind, own.Choices = params.Choice, strings.FieldsFunc(p.EnumOptions, func(r rune) bool { return r == '\n' || r == '\r' })
		} else if p.QueryID != 0 {
			c.options[name] = p.QueryID
		}
		own.Default = value
		if list, is := value.([]any); is || p.Multi != nil {
			own.Kind = params.List
			if !is && value != nil {
				list = []any{value}
			}
			if own.Default = list; len(list) == 0 {
				own.Default = nil
			}
		}
	case "date":
		own.Kind = params.Day
		own.Default = relative(value, note)
	case "date-range", "datetime-range", "datetime-range-with-seconds":
		own.Kind = params.Days
		own.Default = relative(value, note)
		if p.Type != "date-range" {
			note("ranges are of whole days here")
		}
	case "", "text", "datetime-local", "datetime-with-seconds":
		own.Default = value
	default:
		note("there is no type %.40q here: it is a text", p.Type)
		own.Default = value
	}
	return own
}

var lastDays = lazy.Regexp(`^d_last_([0-9]+)_days?$`)

var dayForm = lazy.Regexp(`^[0-9]{4}-[0-9]{2}-[0-9]{2}`)

// relative converts the value of a date or a range: a relative one that is not known here has no default.
func relative(v any, note func(format string, args ...any)) any {
	switch v := v.(type) {
	case string:
		switch v {
		case "d_now", "d_today":
			return "today"
		case "d_yesterday":
			return "yesterday"
		}
		if n := lastDays().FindStringSubmatch(v); n != nil {
			return "last " + n[1] + " days"
		}
		if dayForm().MatchString(v) {
			return v[:10]
		}
		note("its default %.40q is not possible here", v)
	case map[string]any:
		from, _ := v["start"].(string)
		to, _ := v["end"].(string)
		if dayForm().MatchString(from) && dayForm().MatchString(to) {
			return map[string]any{"from": from[:10], "to": to[:10]}
		}
		note("its default is no range of days")
	}
	return nil
}
