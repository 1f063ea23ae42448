package ingest

import "strings"

// Unpack unpacks the readable part of a rejected submission's body: up to the first damage, and at most as much
// as decoding would. The error is the reason why the rest is missing. The first bytes of the body identify the
// encoding; otherwise the content encodings in headers do, at most two nested ones. The result may be the body
// itself.
func (c Config) Unpack(body []byte, headers map[string]string) (text []byte, err error) {
	limit := c.unpacker().limit(len(body))
	named, n, _ := encodings(encodingOf(headers)) // the known ones, if another one is unknown
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
