package edge

import "bytes"

// plainHead is the head of a plain submission. Its texts point into the bytes that were read.
type plainHead struct {
	uri, host, forwarded []byte
	headers              [len(storedHeaders)][]byte
	length               int64
	size                 int // of the head
}

// ignoredHeaders lists headers that do not change a request.
var ignoredHeaders = [...]string{"accept", "accept-encoding", "accept-language", "cache-control", "content-type", "x-forwarded-proto",
	"x-real-ip"}

// parse reads an unambiguous head: HTTP/1.1 with a Content-Length and a Host, no header twice, and only known
// harmless headers. It accepts less than net/http in every respect.
func (h *plainHead) parse(b []byte) bool {
	end := bytes.Index(b, []byte("\r\n\r\n"))
	if end < 0 {
		return false
	}
	h.size = end + 4
	line, rest := cutLine(b[:end+2])
	if !h.request(line) {
		return false
	}
	h.length = -1
	for len(rest) > 0 {
		if line, rest = cutLine(rest); !h.header(line) {
			return false
		}
	}
	return h.length > 0 && h.host != nil
}

// cutLine splits off the first line; every line ends with CRLF.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	if i < 1 || b[i-1] != '\r' {
		return nil, nil
	}
	return b[:i-1], b[i+1:]
}

func (h *plainHead) request(line []byte) bool {
	uri, ok := bytes.CutPrefix(line, []byte("POST "))
	if !ok {
		if uri, ok = bytes.CutPrefix(line, []byte("PUT ")); !ok {
			return false
		}
	}
	if uri, ok = bytes.CutSuffix(uri, []byte(" HTTP/1.1")); !ok || len(uri) == 0 || uri[0] != '/' {
		return false
	}
	for _, c := range uri {
		if c <= ' ' || c >= 0x7f || c == '%' || c == '#' {
			return false
		}
	}
	h.uri = uri
	return true
}

func (h *plainHead) header(line []byte) bool {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		return false
	}
	value = bytes.Trim(value, " \t")
	for _, c := range value {
		if c < ' ' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	switch {
	case isName(name, "host"):
		return once(&h.host, value) && plainHost(value)
	case isName(name, "content-length"):
		return h.setLength(value)
	case isName(name, "connection"):
		return isName(value, "keep-alive")
	case isName(name, "x-forwarded-for"):
		return once(&h.forwarded, value)
	}
	for i := range storedHeaders {
		if bytes.EqualFold(name, storedHeaders[i].name) {
			return once(&h.headers[i], value)
		}
	}
	for _, n := range ignoredHeaders {
		if isName(name, n) {
			return true
		}
	}
	return false
}

// once sets a value that was not set before, and reports whether it did.
func once(to *[]byte, value []byte) bool {
	if *to != nil || value == nil {
		return false
	}
	*to = value
	return true
}

func plainHost(b []byte) bool {
	for _, c := range b {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != ':' && c != '[' && c != ']' {
			return false
		}
	}
	return len(b) > 0
}

func (h *plainHead) setLength(value []byte) bool {
	n, ok := number(value, 10, 9)
	ok = ok && h.length < 0 // the first
	h.length = n
	return ok
}
