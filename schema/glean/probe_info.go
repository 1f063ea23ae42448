package glean

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// probeInfo is a metric in the JSON of the probe-info service: all versions of its definition.
type probeInfo struct {
	Type    string `yaml:"type"`
	History []struct {
		Dates struct {
			Last string `yaml:"last"`
		} `yaml:"dates"`
		SendInPings []string              `yaml:"send_in_pings"`
		Type        string                `yaml:"type"`
		Description string                `yaml:"description"`
		Extra       map[string]*extraFile `yaml:"extra_keys"`
	} `yaml:"history"`
}

// isProbeInfo reports whether a file is of the probe-info service: its members have a history.
func isProbeInfo(all []member) bool {
	for _, m := range all {
		if m.value.Kind != yaml.MappingNode {
			return false
		}
		metrics, err := mapping(m.value)
		if err != nil {
			return false
		}
		has := false
		for _, one := range metrics {
			has = has || one.key == "history" && one.value.Kind == yaml.SequenceNode
		}
		if !has {
			return false
		}
	}
	return len(all) > 0
}

// probeInfo adds a metric for each type in the history of one. The newest entry describes it.
func (f *folder) probeInfo(file string, all []member) error {
	for _, m := range all {
		var info probeInfo
		if err := m.value.Decode(&info); err != nil {
			return fmt.Errorf("metric %s: %w", m.key, yamlError(err))
		}
		if category, name := cutLast(m.key); !categoryForm().MatchString(category) || !metricForm().MatchString(name) || len(m.key) > maxID {
			return fmt.Errorf("metric %q: want a category and a name in lower case, of at most %d characters", m.key, maxID)
		}
		types, newest := map[[2]string]*Metric{}, map[string]string{}
		for _, h := range info.History {
			if h.Type == "" {
				h.Type = info.Type
			}
			next := &Metric{ID: m.key, Type: h.Type, Description: strings.TrimSpace(h.Description), from: file}
			if err := next.typed(h.SendInPings); err != nil {
				return fmt.Errorf("metric %s: %w", m.key, err)
			}
			if err := next.extras(h.Extra); err != nil {
				return fmt.Errorf("metric %s: %w", m.key, err)
			}
			key := [2]string{m.key, h.Type}
			if before := types[key]; before != nil && h.Dates.Last < newest[h.Type] {
				next = next.with(before)
			} else if before != nil {
				next = before.with(next)
			}
			newest[h.Type] = max(newest[h.Type], h.Dates.Last)
			types[key] = next
		}
		f.metrics = append(f.metrics, sortedMetrics(types)...)
	}
	return nil
}

// cutLast divides a metric id at its last point.
func cutLast(id string) (category, name string) {
	i := strings.LastIndexByte(id, '.')
	return id[:max(i, 0)], id[i+1:]
}
