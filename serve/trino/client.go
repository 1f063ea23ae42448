package trino

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/serve/bi"
)

// client holds what the headers of a request state about the client's session. Servers of Trino's protocol keep no
// sessions: clients send theirs with each statement.
type client struct {
	catalog, schema string
	properties      map[string]string
	prepared        map[string]string // statements by name
	precise         bool              // it knows timestamps of other precisions than milliseconds
	source          string
}

// badHeader means that a header cannot be read.
type badHeader struct{ name, why string }

func (b *badHeader) Error() string { return "header " + b.name + ": " + b.why }

// clientOf reads the headers of a request.
func clientOf(h http.Header) (c client, err error) {
	c = client{catalog: h.Get("X-Trino-Catalog"), schema: h.Get("X-Trino-Schema"), source: h.Get("X-Trino-Source")}
	if c.catalog == "" {
		c.catalog = bi.Catalog
	}
	if c.schema == "" {
		c.schema = bi.Schema
	}
	for _, names := range h.Values("X-Trino-Client-Capabilities") {
		for name := range strings.SplitSeq(names, ",") {
			c.precise = c.precise || strings.TrimSpace(name) == "PARAMETRIC_DATETIME"
		}
	}
	if c.properties, err = pairs(h, "X-Trino-Session"); err != nil {
		return c, err
	}
	if c.prepared, err = pairs(h, "X-Trino-Prepared-Statement"); err != nil {
		return c, err
	}
	for name, text := range c.prepared {
		if c.prepared[name], err = unpacked(text); err != nil {
			return c, &badHeader{"X-Trino-Prepared-Statement", err.Error()}
		}
	}
	return c, nil
}

// pairs reads a header of name=value pairs with commas between them. Names and values are percent-encoded.
func pairs(h http.Header, header string) (map[string]string, error) {
	all := map[string]string{}
	for _, line := range h.Values(header) {
		for pair := range strings.SplitSeq(line, ",") {
			if pair = strings.TrimSpace(pair); pair == "" {
				continue
			}
			name, value, ok := strings.Cut(pair, "=")
			name, err := url.QueryUnescape(strings.TrimSpace(name))
			if err == nil {
				value, err = url.QueryUnescape(strings.TrimSpace(value))
			}
			if !ok || err != nil || name == "" {
				return nil, &badHeader{header, "want name=value, percent-encoded"}
			}
			all[name] = value
		}
	}
	return all, nil
}

// Long prepared statements travel compressed, because headers are short.
const (
	packedPrefix = "$zstd:"
	packedFrom   = 2 << 10 // bytes
)

var packer = sync.OnceValue(func() *zstd.Encoder {
	w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // fails for wrong options only
	return w
})

// packed returns a statement in the form of a header.
func packed(text string) string {
	if len(text) < packedFrom {
		return url.QueryEscape(text)
	}
	return url.QueryEscape(packedPrefix + base64.URLEncoding.EncodeToString(packer().EncodeAll([]byte(text), nil)))
}

// unpacked reverses packed, after the percent-encoding.
func unpacked(text string) (string, error) {
	coded, ok := strings.CutPrefix(text, packedPrefix)
	if !ok {
		return text, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(coded, "="))
	if err != nil {
		return "", fmt.Errorf("a compressed statement is not base64")
	}
	in, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxText), zstd.WithDecoderMaxWindow(maxText))
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := in.DecodeAll(data, nil)
	if err != nil {
		return "", fmt.Errorf("a compressed statement is damaged or has more than %d bytes", maxText)
	}
	return string(out), nil
}
