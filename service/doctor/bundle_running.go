package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/lazy"
)

// newest is the number of lines of a log that a bundle has, and newestBytes the most that is read of a log for them.
const (
	newest      = 500
	newestBytes = 1 << 20
)

func (b *bundle) logLines(ctx context.Context) ([]byte, error) {
	data, err := b.readLog(ctx)
	if err != nil {
		return nil, err
	}
	var entries []map[string]any
	for line := range bytes.Lines(data) {
		var e map[string]any
		if json.Unmarshal(line, &e) != nil {
			e = map[string]any{"msg": string(line)}
		}
		entries = append(entries, e)
	}
	entries = entries[max(0, len(entries)-newest):]
	for _, e := range entries { // before the first one is written: the names go from all of them
		for key, value := range e {
			if text, ok := value.(string); ok && !slices.Contains(texts, key) && !slices.Contains(names, key) {
				b.name(text)
			}
		}
	}
	var all []string
	for _, e := range entries {
		var line []string
		for _, key := range slices.Sorted(maps.Keys(e)) {
			line = append(line, fmt.Sprintf("%s=%s", key, b.attribute(key, e[key])))
		}
		all = append(all, strings.Join(line, " "))
	}
	return lines(all), nil
}

// names lists the attributes of log lines and the labels of metrics with a name of the program's own.
var (
	names = []string{"time", "level", "day", "table", "state", "outcome", "version", "protocol", "code", "class", "kind", "event", "how",
		"direction", "le", "quantile", "goversion", "revision", "operation"}
	texts = []string{"msg", "error", "err", "reason", "cause"}
)

func (b *bundle) attribute(key string, value any) string {
	switch v := value.(type) {
	case float64, bool, nil:
		return fmt.Sprint(v)
	case string:
		if slices.Contains(texts, key) {
			return fmt.Sprintf("%q", b.text(v))
		}
		if _, err := time.Parse(time.RFC3339Nano, v); err == nil && key == "time" || slices.Contains(names, key) && b.plain(v) {
			return v
		}
		if _, err := time.ParseDuration(v); err == nil {
			return v
		}
	}
	return removed
}

// readLog returns the end of the log.
func (b *bundle) readLog(ctx context.Context) ([]byte, error) {
	if b.log == "" {
		if _, err := os.Stat("/run/systemd/system"); err != nil {
			return nil, errors.New("--log names no file, and systemd does not run")
		}
		return exec.CommandContext(ctx, "journalctl", "-u", b.patient.Unit, "-o", "cat", "-n", fmt.Sprint(newest), "--no-pager").Output()
	}
	f, err := os.Open(b.log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-newestBytes)
	data, err := io.ReadAll(io.NewSectionReader(f, from, newestBytes))
	if _, rest, ok := bytes.Cut(data, []byte("\n")); from > 0 && ok {
		data = rest // the first line is cut
	}
	return data, err
}

// get returns a page of the running service.
func (b *bundle) get(ctx context.Context, page string) ([]byte, error) {
	if b.patient.Refused != nil {
		return nil, errors.New("the configuration is unusable")
	}
	code, body, err := b.patient.Get(ctx, page)
	if err == nil && code != http.StatusOK {
		err = fmt.Errorf("the service responds with %d", code)
	}
	return body, err
}

var (
	sample = lazy.Regexp(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([-+0-9.eEinfNa]+)$`)
	label  = lazy.Regexp(`([a-zA-Z_]+)="((?:[^"\\]|\\.)*)"`)
)

func (b *bundle) metrics(ctx context.Context) ([]byte, error) {
	body, err := b.get(ctx, "/metrics")
	if err != nil {
		return nil, err
	}
	var all []string
	for line := range strings.Lines(string(body)) {
		m := sample().FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue // a comment
		}
		var labels []string
		for _, l := range label().FindAllStringSubmatch(m[2], -1) {
			value := l[2]
			if l[1] == "edge" {
				b.name(value)
			}
			if !slices.Contains(names, l[1]) {
				value = removed
			}
			labels = append(labels, fmt.Sprintf("%s=%q", l[1], value))
		}
		all = append(all, fmt.Sprintf("%s{%s} %s", m[1], strings.Join(labels, ","), m[3]))
	}
	return lines(all), nil
}

// frame is a line of a goroutine profile: a count with addresses, or an address, a function and its line.
var frame = lazy.Regexp(`^(?:goroutine profile: total \d+|\d+ @[ 0-9a-fx]+|#\t0x[0-9a-f]+\t\S+\t+\S+)$`)

func (b *bundle) goroutines(ctx context.Context) ([]byte, error) {
	body, err := b.get(ctx, "/debug/pprof/goroutine?debug=1")
	if err != nil {
		return nil, err
	}
	var all []string
	for line := range strings.Lines(string(body)) {
		if line = strings.TrimRight(line, "\n"); frame().MatchString(line) {
			all = append(all, line)
		}
	}
	return lines(all), nil
}
