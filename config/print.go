package config

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mask is printed in place of secrets.
const mask = "********"

// masked returns a value as it may be shown.
func (k *Key) masked(value any) any {
	if k.Secret && value != "" {
		return mask
	}
	return value
}

// node returns a value in YAML.
func (k *Key) node(value any) *yaml.Node {
	parts, ok := value.([]string)
	if !ok {
		return k.scalar(value.(string)) // a value is one of the two
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, p := range parts {
		n.Content = append(n.Content, k.scalar(p))
	}
	return n
}

// scalar returns a text in YAML, quoted where it would be read as something else.
func (k *Key) scalar(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	switch {
	case k.Type == Number, (k.Type == Size || k.Type == Duration) && strings.Trim(s, "0123456789") == "":
		n.Tag = "!!int"
	case k.Type == Bool:
		n.Tag = "!!bool"
	}
	return n
}

// WriteYAML writes the effective configuration as a file, with the source of each
// value behind it and secrets masked.
func (v *Values) WriteYAML(w io.Writer) error {
	top := &yaml.Node{Kind: yaml.MappingNode}
	for i := range v.keys {
		k := &v.keys[i]
		in := top
		parts := strings.Split(k.Name, ".")
		for _, section := range parts[:len(parts)-1] {
			in = child(in, section)
		}
		n := k.node(k.masked(v.ko.Get(k.Name)))
		n.LineComment = v.from[k.Name]
		in.Content = append(in.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: parts[len(parts)-1]}, n)
	}
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(top); err != nil {
		return fmt.Errorf("print configuration: %w", err)
	}
	return e.Close()
}

// child returns the map of a section in a map, made if need be.
func child(m *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i+1]
		}
	}
	c := &yaml.Node{Kind: yaml.MappingNode}
	m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, c)
	return c
}

// width is the longest line of the example file.
const width = 96

// Example returns a configuration file with every key, described and commented out with its default, so it sets
// nothing.
func Example() []byte {
	var b bytes.Buffer
	b.WriteString(`# Configuration of pingmill. Give it with --config FILE or ` + FileVariable + `.
#
# A key that is commented out has its default, which stands there: take away the # and change
# it. Each key is also an environment variable and a flag, which win over this file, the flag
# over the variable. Relative paths are relative to the folder that the program is started in.
# ` + "`pingmill config --config FILE`" + ` checks this file and prints what is in effect.
`)
	open := ""
	for i := range All {
		k := &All[i]
		above, name := cut(k.Name)
		b.WriteByte('\n')
		sections(&b, open, above)
		open = above
		in := indent(k.Name)
		comment(&b, in, describe(k))
		comment(&b, in, "--"+k.Flag+", "+k.Variable())
		fmt.Fprintf(&b, "%s#%s: %s\n", in, name, k.yaml(k.split(k.Default)))
	}
	return b.Bytes()
}

// cut returns the section of a name, and its last part.
func cut(name string) (above, last string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

func indent(name string) string { return strings.Repeat("  ", strings.Count(name, ".")) }

// sections writes the headings of a name's sections that are not open.
func sections(b *bytes.Buffer, open, name string) {
	if name == "" || name == open || strings.HasPrefix(open, name+".") {
		return
	}
	above, last := cut(name)
	sections(b, open, above)
	comment(b, indent(name), sectionDoc(name)+".")
	fmt.Fprintf(b, "%s%s:\n", indent(name), last)
}

func sectionDoc(name string) string {
	for _, s := range Sections {
		if s.Name == name {
			return s.Doc
		}
	}
	return name
}

// describe returns the doc of a key as a sentence, with its bounds.
func describe(k *Key) string {
	doc := strings.ToUpper(k.Doc[:1]) + k.Doc[1:] + "."
	if k.Max != 0 || k.Min > 0 {
		doc += " " + strings.ToUpper(k.bounds()[:1]) + k.bounds()[1:] + "."
	}
	return doc
}

// comment writes text in lines of a comment.
func comment(b *bytes.Buffer, in, text string) {
	line := in + "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = in + "#"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// yaml returns a value on one line.
func (k *Key) yaml(value any) string {
	b, err := yaml.Marshal(k.node(value))
	if err != nil {
		return "" // texts and lists of texts can be written
	}
	return strings.TrimSpace(string(b))
}
