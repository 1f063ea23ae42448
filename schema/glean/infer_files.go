package glean

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	counts "github.com/pingmill/pingmill/internal/text"
)

// Schemas of the files.
const (
	metricsSchema = "moz://mozilla.org/schemas/glean/metrics/2-0-0"
	pingsSchema   = "moz://mozilla.org/schemas/glean/pings/2-0-0"
)

// Files returns the definitions as the content of files by name, such as firefox-desktop/metrics.yaml. A metric of several
// types is in several files, and so is a ping that is there with and without info sections.
func (i *Inference) Files() (files map[string][]byte, err error) {
	files = map[string][]byte{}
	for id, app := range i.apps {
		for n, content := range app.metricFiles() {
			if err = add(files, id, "metrics", n, metricsSchema, content); err != nil {
				return nil, err
			}
		}
		for n, content := range app.pingFiles() {
			if err = add(files, id, "pings", n, pingsSchema, content); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

func add(files map[string][]byte, id, kind string, n int, form string, content map[string]any) error {
	if len(content) == 0 {
		return nil
	}
	name := kind + ".yaml"
	if n > 0 {
		name = fmt.Sprintf("%d.%s", n+1, name)
	}
	content["$schema"] = form
	data, err := yaml.Marshal(content)
	if err != nil {
		return fmt.Errorf("write %s of %s: %w", name, id, err)
	}
	files[id+"/"+name] = data
	return nil
}

// metricFiles returns the metrics by category and name. The second type of a metric is in the second file.
func (app *inferred) metricFiles() (files []map[string]any) {
	keys := slices.SortedFunc(maps.Keys(app.metrics),
		func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, key := range keys {
		m := app.metrics[key]
		content := map[string]any{
			"type": key[1], "description": "Seen in " + counts.Plural(int64(m.times), m.unit(key[1])) + ".", "expires": "never",
			"send_in_pings": slices.Sorted(maps.Keys(m.pings)),
		}
		if len(m.extra) > 0 {
			extra := map[string]any{}
			for k := range m.extra {
				extra[k] = map[string]string{"description": "Seen.", "type": "string"}
			}
			content["extra_keys"] = extra
		}
		category, name := cutLast(key[0])
		for n := 0; ; n++ {
			if n == len(files) {
				files = append(files, map[string]any{})
			}
			metrics, _ := files[n][category].(map[string]any)
			if metrics == nil {
				metrics = map[string]any{}
				files[n][category] = metrics
			}
			if metrics[name] == nil {
				metrics[name] = content
				break
			}
		}
	}
	return files
}

// unit names what was counted.
func (m *seenMetric) unit(typ string) string {
	if typ == Event {
		return "event"
	}
	return "ping"
}

// pingFiles returns the pings by name.
func (app *inferred) pingFiles() []map[string]any {
	with, without := map[string]any{}, map[string]any{}
	for name, seen := range app.pings {
		content := func(info bool, times int) map[string]any {
			c := map[string]any{"description": "Seen " + counts.Plural(int64(times), "time") + ".", "include_client_id": info && seen.withID > 0}
			if !info {
				c["metadata"] = map[string]bool{"include_info_sections": false}
			}
			return c
		}
		if seen.withInfo > 0 {
			with[name] = content(true, seen.withInfo)
		}
		switch {
		case seen.withoutInfo > 0 && seen.withInfo > 0:
			without[name] = content(false, seen.withoutInfo)
		case seen.withoutInfo > 0:
			with[name] = content(false, seen.withoutInfo)
		}
	}
	return []map[string]any{with, without}
}
