package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/inflate"
)

var (
	errEncoding = errors.New("the body has a content encoding and is neither gzip nor JSON")
	gzipMagic   = []byte{0x1f, 0x8b}
)

// unpack returns the JSON text of a body: the body itself, or what its gzip
// members hold, in the outcome's memory. Gzip is recognised by its first bytes; a
// body that is only said to be gzip is taken as it is when it looks like an
// object, as behind a proxy that unpacks and leaves the header. No more than max
// bytes come out.
func (o *Outcome) unpack(s *Submission, max int) ([]byte, error) {
	if !bytes.HasPrefix(s.Body, gzipMagic) {
		switch trimmed := bytes.TrimLeft(s.Body, " \t\r\n"); {
		case len(s.Body) > max:
			return nil, tooLarge(max)
		case len(trimmed) > 0 && trimmed[0] == '{', isIdentity(s.Headers.Get(ContentEncoding)):
			return s.Body, nil
		}
		return nil, errEncoding
	}
	out, err := inflate.Gunzip(o.unpacked[:0], s.Body, max)
	o.unpacked = out
	if errors.Is(err, inflate.ErrTooLarge) {
		return nil, tooLarge(max)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return out, nil
}

func tooLarge(max int) error {
	return fmt.Errorf("the body has more than %d bytes", max)
}

func isIdentity(encoding []byte) bool {
	return len(encoding) == 0 || strings.EqualFold(string(encoding), "identity")
}
