package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"go.yaml.in/yaml/v3"
)

// file is a configuration file that was read.
type file struct {
	name   string
	values map[string]any
	lines  map[string]int // key to line
}

func (f *file) provider() koanf.Provider { return confmap.Provider(f.values, ".") }

func (f *file) where(name string) string { return fmt.Sprintf("%s:%d", f.name, f.lines[name]) }

func (f *file) bad(n *yaml.Node, key string, err error) error {
	return fmt.Errorf("%s:%d: %s: %w", f.name, n.Line, key, err)
}

func (ks Keys) readFile(name string) (*file, error) {
	if name == "" {
		return &file{}, nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return &file{}, fmt.Errorf("read configuration: %w", err)
	}
	return ks.parseFile(name, b)
}

// parseFile reads YAML: sections as maps in maps, or with dots. A section without
// anything in it is fine, a key without a value is not.
func (ks Keys) parseFile(name string, b []byte) (*file, error) {
	f := &file{name: name, values: map[string]any{}, lines: map[string]int{}}
	d := yaml.NewDecoder(bytes.NewReader(b))
	var doc, more yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return f, nil
	case err != nil:
		return f, fmt.Errorf("read configuration %s: %w", name, err)
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return f, fmt.Errorf("read configuration %s: there is more than one document in it", name)
	}
	top := doc.Content[0]
	if top.Tag == "!!null" {
		return f, nil
	}
	if top.Kind != yaml.MappingNode {
		return f, fmt.Errorf("%s:%d: want keys with values, such as data: /var/lib/pingmill/data", name, top.Line)
	}
	return f, f.section(ks, "", top)
}

// section reads the keys of a map.
func (f *file) section(ks Keys, above string, m *yaml.Node) error {
	var bad []error
	for i := 0; i+1 < len(m.Content); i += 2 {
		name, value := above+m.Content[i].Value, m.Content[i+1]
		k := ks.find(name)
		switch {
		case k != nil && f.lines[name] != 0:
			bad = append(bad, f.bad(m.Content[i], name, fmt.Errorf("is in line %d already", f.lines[name])))
		case k != nil:
			f.lines[name] = m.Content[i].Line
			bad = append(bad, f.take(k, value))
		case ks.section(name) && value.Kind == yaml.MappingNode:
			bad = append(bad, f.section(ks, name+".", value))
		case ks.section(name) && value.Tag == "!!null":
		case ks.section(name):
			bad = append(bad, f.bad(value, name, errors.New("want the keys of the section, indented below it")))
		default:
			bad = append(bad, fmt.Errorf("%s:%d: key %s %w", f.name, m.Content[i].Line, name, ks.unknown(name)))
		}
	}
	return errors.Join(bad...)
}

// take reads the value of a key. Whether it is in range is looked at later, as
// for all sources.
func (f *file) take(k *Key, n *yaml.Node) error {
	if n.Tag == "!!null" {
		return f.bad(n, k.Name, errors.New("has no value: give one, or take the line out"))
	}
	if !k.list() {
		if !k.takes(n) {
			return f.bad(n, k.Name, types[k.Type].want)
		}
		f.values[k.Name] = n.Value
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return f.bad(n, k.Name, types[List].want)
	}
	list := []string{}
	for _, e := range n.Content {
		if !k.takes(e) || e.Value == "" {
			return f.bad(e, k.Name, types[k.Type].want)
		}
		list = append(list, e.Value)
	}
	f.values[k.Name] = list
	return nil
}

// takes reports whether a scalar has the key's type, as far as YAML has that type.
func (k *Key) takes(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && slices.Contains(types[k.Type].tags, n.Tag)
}
