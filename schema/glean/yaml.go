package glean

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pingmill/pingmill/internal/lazy"
)

// applicationFile is application.yaml.
type applicationFile struct {
	Dependencies []string `yaml:"dependencies"`
	AppName      string   `yaml:"app_name"`
}

// metricFile has the members of a metric that determine columns. Others are ignored, whatever they are.
type metricFile struct {
	Type        string                `yaml:"type"`
	Description string                `yaml:"description"`
	SendInPings []string              `yaml:"send_in_pings"`
	Extra       map[string]*extraFile `yaml:"extra_keys"`
	Expires     yaml.Node             `yaml:"expires"`
}

type extraFile struct {
	Type string `yaml:"type"`
}

// pingFile has the members of a ping that determine columns.
type pingFile struct {
	Description string            `yaml:"description"`
	ClientID    *bool             `yaml:"include_client_id"`
	Reasons     map[string]string `yaml:"reasons"`
	Metadata    struct {
		InfoSections *bool `yaml:"include_info_sections"`
	} `yaml:"metadata"`
}

// member is a member of a YAML mapping.
type member struct {
	key   string
	value *yaml.Node
}

// members returns the members of the only document of a file, in order. A key that is there twice is an error.
func members(b []byte) ([]member, error) {
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty")
	} else if err != nil {
		return nil, yamlError(err)
	}
	if err := dec.Decode(&next); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document")
	}
	return mapping(doc.Content[0])
}

// mapping returns the members of a mapping.
func mapping(n *yaml.Node) ([]member, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: want a mapping of names", n.Line)
	}
	all, seen := make([]member, 0, len(n.Content)/2), map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if seen[key] {
			return nil, fmt.Errorf("line %d: %s is there twice", n.Content[i].Line, key)
		}
		seen[key] = true
		all = append(all, member{key, n.Content[i+1]})
	}
	return all, nil
}

func yamlError(err error) error {
	return errors.New(strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
}

func (f *folder) application(_ string, b []byte) error {
	if err := yaml.Unmarshal(b, &f.app); err != nil {
		return yamlError(err)
	}
	return nil
}

var schemaForm = lazy.Regexp(`^moz://mozilla\.org/schemas/glean/(metrics|pings)/[12]-0-0$`)

// content returns the members of a file that are not about the file itself.
func content(all []member, kind string) (rest []member, err error) {
	found := false
	for _, m := range all {
		switch m.key {
		case "$schema":
			match := schemaForm().FindStringSubmatch(m.value.Value)
			if found = match != nil && match[1] == kind; !found {
				return nil, fmt.Errorf("$schema is %q: want moz://mozilla.org/schemas/glean/%s/2-0-0 or 1-0-0", m.value.Value, kind)
			}
		case "$tags", "no_lint":
		default:
			rest = append(rest, m)
		}
	}
	if !found {
		return nil, fmt.Errorf("no $schema: want moz://mozilla.org/schemas/glean/%s/2-0-0", kind)
	}
	return rest, nil
}

var (
	categoryForm = lazy.Regexp(`^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$`)
	metricForm   = lazy.Regexp(`^[a-z_][a-z0-9_]*$`)
	pingForm     = lazy.Regexp(`^[a-z][a-z0-9_-]{0,29}$`)
)

// maxID is the length of the longest metric id that a ping may have.
const maxID = 111

func (f *folder) metricsFile(file string, b []byte) error {
	all, err := members(b)
	if err != nil {
		return err
	}
	if isProbeInfo(all) {
		return f.probeInfo(file, all)
	}
	if all, err = content(all, "metrics"); err != nil {
		return err
	}
	for _, category := range all {
		if category.key == "pings" || category.key == "tags" || !categoryForm().MatchString(category.key) {
			return fmt.Errorf("category %q: want names in lower case with points between them", category.key)
		}
		metrics, err := mapping(category.value)
		if err != nil {
			return fmt.Errorf("category %s: %w", category.key, err)
		}
		for _, m := range metrics {
			if err := f.metric(file, category.key, m); err != nil {
				return fmt.Errorf("metric %s.%s: %w", category.key, m.key, err)
			}
		}
	}
	return nil
}

func (f *folder) metric(file, category string, m member) error {
	var in metricFile
	if err := m.value.Decode(&in); err != nil {
		return yamlError(err)
	}
	out := &Metric{ID: category + "." + m.key, Type: in.Type, Description: strings.TrimSpace(in.Description), Expires: in.Expires.Value,
		from: file}
	if !metricForm().MatchString(m.key) || len(out.ID) > maxID {
		return fmt.Errorf("want a name in lower case, with its category of at most %d characters", maxID)
	}
	if err := out.typed(in.SendInPings); err != nil {
		return err
	}
	if err := out.extras(in.Extra); err != nil {
		return err
	}
	f.metrics = append(f.metrics, out)
	return nil
}

// extras checks and sets the extra keys.
func (m *Metric) extras(keys map[string]*extraFile) error {
	if len(keys) > 0 {
		m.Extra = map[string]string{}
	}
	for key, extra := range keys {
		typ := "string"
		if extra != nil && extra.Type != "" {
			typ = extra.Type
		}
		if !slices.Contains([]string{"string", "boolean", "quantity"}, typ) {
			return fmt.Errorf("extra key %s: type %q: want string, boolean or quantity", key, typ)
		}
		m.Extra[key] = typ
	}
	return nil
}

// typed checks the type of a metric and sets its pings.
func (m *Metric) typed(sendIn []string) error {
	if _, known := columnTypes[m.Type]; !known && m.Type != Event {
		return fmt.Errorf("type %q: no such type of a metric", m.Type)
	}
	if len(sendIn) == 0 {
		sendIn = []string{"default"}
	}
	for _, p := range sendIn {
		switch {
		case p == "default" && m.Type == Event:
			p = "events"
		case p == "default":
			p = "metrics"
		case p == allPings || p == "all_pings":
			p = allPings
		case strings.HasPrefix(p, "glean_"): // of the SDK itself
			continue
		case !pingForm().MatchString(p):
			return fmt.Errorf("ping %q: want a name in lower case with - between its words, of at most 30 characters", p)
		}
		m.Pings = append(m.Pings, p)
	}
	m.Pings = sortedUnion(m.Pings, nil)
	return nil
}

func (f *folder) pingsFile(_ string, b []byte) error {
	all, err := members(b)
	if err != nil {
		return err
	}
	if all, err = content(all, "pings"); err != nil {
		return err
	}
	for _, m := range all {
		var in pingFile
		if err := m.value.Decode(&in); err != nil {
			return fmt.Errorf("ping %s: %w", m.key, yamlError(err))
		}
		if !pingForm().MatchString(m.key) || m.key == allPings {
			return fmt.Errorf("ping %q: want a name in lower case with - between its words, of at most 30 characters", m.key)
		}
		if in.ClientID == nil {
			return fmt.Errorf("ping %s: include_client_id is missing: want true or false", m.key)
		}
		info := in.Metadata.InfoSections == nil || *in.Metadata.InfoSections
		f.pings = append(f.pings, &Ping{
			Name: m.key, Description: strings.TrimSpace(in.Description), Reasons: in.Reasons,
			ClientID: *in.ClientID, InfoSection: info, WithInfo: info, WithoutInfo: !info,
		})
	}
	return nil
}
