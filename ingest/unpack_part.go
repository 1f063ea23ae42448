package ingest

import "strings"

// Unpack unpacks the body of a rejected submission as far as it can be read: up to
// a damage, and no further than decoding would. The error says why that is not
// all. The first bytes of the body decide the encoding; where they do not, the
// content encodings among the headers do, up to two around each other. The result
// may be the body itself.
func (c Config) Unpack(body []byte, headers map[string]string) (text []byte, err error) {
	limit := c.unpacker().limit(len(body))
	named, n, _ := encodings(encodingOf(headers)) // those that are known, where one is not
	for step := range maxSteps {
		m := identity
		if step < n {
			m = named[n-1-step]
		}
		found := recognise(body, m, step == 0)
		if found == identity && m != unknownMethod && !looksLikeObject(body) {
			found = m
		}
		if found == identity {
			continue
		}
		out, failed := unpackMethod(nil, body, found, limit)
		if body = out; err == nil && !isTrailing(failed) {
			err = failed
		}
	}
	if len(body) > limit {
		return body[:limit], errTooLarge
	}
	return body, err
}

func encodingOf(headers map[string]string) []byte {
	for name, value := range headers {
		if strings.EqualFold(name, ContentEncoding.Name()) {
			return []byte(value)
		}
	}
	return nil
}
