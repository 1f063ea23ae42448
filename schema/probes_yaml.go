package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlFile walks the nodes of one YAML document. It works on nodes, not on Go
// values, so that a problem can name the definition it is in, so that keys
// written twice are found in linear time and so that aliases cost nothing
// until they are followed.
type yamlFile struct {
	at   *problems
	left int // nodes that may still be visited; aliases could multiply them
}

// maxYAMLNodes is some hundred times what the largest real file has.
const maxYAMLNodes = 2 << 20

// parse returns the root of the only document; nil when the file is empty.
func (y *yamlFile) parse(b []byte) (*yaml.Node, error) {
	y.left = maxYAMLNodes
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var doc, next yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, yamlError(err)
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		return nil, errors.New("more than one document")
	case !errors.Is(err, io.EOF):
		return nil, yamlError(err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

func yamlError(err error) error {
	return errors.New(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " "))
}

// follow resolves an alias; null and absent are nil.
func follow(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return nil
	}
	return n
}

// spend counts visited nodes and reports whether n more may be visited. The first
// refusal is recorded as a problem of the file; nothing is read after it.
func (y *yamlFile) spend(n int) bool {
	if y.left >= 0 {
		if y.left -= n; y.left < 0 {
			y.at.addf("", "more than %d entries, with aliases followed", maxYAMLNodes)
		}
	}
	return y.left >= 0
}

// members calls f for each member of a mapping. Problems are recorded under name.
// A null node has no members.
func (y *yamlFile) members(name string, n *yaml.Node, f func(key string, value *yaml.Node)) {
	n = follow(n)
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode {
		y.at.addf(name, "line %d: want a mapping, not %s", n.Line, describe(plain(n)))
		return
	}
	seen := make(map[string]bool, min(len(n.Content)/2, y.left))
	for i := 0; i+1 < len(n.Content) && y.spend(2); i += 2 {
		key, value := follow(n.Content[i]), n.Content[i+1]
		switch {
		case key == nil || key.Kind != yaml.ScalarNode:
			y.at.addf(name, "line %d: a name is not a text", n.Content[i].Line)
		case key.ShortTag() == "!!merge":
			y.at.addf(name, "line %d: merge keys (<<) are not supported", key.Line)
		case seen[key.Value]:
			y.at.addf(name, "line %d: %s is written twice", key.Line, describe(key.Value))
		default:
			seen[key.Value] = true
			f(key.Value, value)
		}
	}
}

// definition reads the wanted members of a definition; others are ignored. It
// is nil when there is none.
func (y *yamlFile) definition(name string, n *yaml.Node, wanted ...string) definition {
	if r := follow(n); r == nil || r.Kind != yaml.MappingNode {
		y.at.addf(name, "definition is %s (want a mapping)", describe(plain(r)))
		return nil
	}
	d := definition{}
	y.members(name, n, func(key string, value *yaml.Node) {
		if slices.Contains(wanted, key) {
			d[key] = y.value(value)
		}
	})
	if y.left < 0 { // half read
		return nil
	}
	return d
}

// value converts a node to what definition holds; lists go one level deep.
func (y *yamlFile) value(n *yaml.Node) any {
	n = follow(n)
	if n == nil || n.Kind != yaml.SequenceNode || !y.spend(len(n.Content)) {
		return plain(n)
	}
	list := make([]any, len(n.Content))
	for i, item := range n.Content {
		list[i] = plain(follow(item))
	}
	return list
}

// plain converts a scalar node; lists and mappings become empty ones.
func plain(n *yaml.Node) any {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.SequenceNode:
		return []any{}
	case n.Kind == yaml.MappingNode:
		return map[string]any{}
	}
	switch n.ShortTag() {
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		return json.Number(n.Value)
	default:
		return n.Value
	}
}
