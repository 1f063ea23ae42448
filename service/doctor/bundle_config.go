package doctor

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/config"
)

// choices lists the keys whose values are names of the program's own: parts, tables, kinds.
var choices = []string{"only", "iceberg.catalog", "spool.kafka.sasl", "mail.tls", "glean.unknown", "tables.live", "tables.prepared",
	"tables.snapshot-samples", "retention.table", "query.table-days", "checks.skip"}

// shows reports whether a value of a key names nothing of the operator's.
func shows(k *config.Key, value any) bool {
	switch k.Type {
	case config.Number, config.Size, config.Duration, config.Bool:
		return true
	case config.Text, config.List, config.Networks:
	}
	return !k.Secret && (plainText(value) == k.Default || slices.Contains(choices, k.Name))
}

func plainText(value any) string {
	if all, ok := value.([]string); ok {
		return strings.Join(all, ",")
	}
	return value.(string) // a value is one of the two
}

func (b *bundle) markValue(k *config.Key, value any) {
	if !shows(k, value) {
		b.mark(plainText(value))
	}
}

func (b *bundle) configuration(context.Context) ([]byte, error) {
	if b.patient.Values == nil {
		return nil, b.patient.Refused
	}
	var all []string
	for k, value := range b.patient.Values.All() {
		source, _, _ := strings.Cut(b.patient.Values.Source(k.Name), " ")
		if source != "default" && source != "environment" && source != "flag" {
			source = "file"
		}
		all = append(all, fmt.Sprintf("%s: %s  # %s", k.Name, shape(k, value), source))
	}
	return lines(all), nil
}

// shape returns the value if it may be shown, or else its kind: the scheme of a URL, the port of an address, the length of a list.
func shape(k *config.Key, value any) string {
	text := plainText(value)
	list, isList := value.([]string)
	scheme, _, isURL := strings.Cut(text, "://")
	_, port, notAddress := net.SplitHostPort(text)
	switch {
	case shows(k, value):
		return text
	case k.Secret && text == "":
		return "" // none is set
	case k.Secret:
		return "(secret)"
	case isList:
		return fmt.Sprintf("(%d removed)", len(list))
	case isURL && len(scheme) < 12:
		return scheme + "://" + removed
	case notAddress == nil && number().MatchString(port):
		return removed + ":" + port
	}
	return removed
}
