package main

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/klauspost/compress/gzip"
)

// The corpus is submissions as a hostile client could send them: each has one thing
// as large, as wide or as deep as an edge lets it pass. They are small to send and
// always the same.

// attackSubmission is a submission of a hostile client.
type attackSubmission struct {
	Name   string // what is out of the ordinary
	Path   string
	Date   string // header
	Body   []byte // gzip
	Client string // id in the document
	// DocType is the document type of the decoded ping, "" when it is to be
	// rejected.
	DocType string
}

// attackSubmissions yields the corpus in its order, one submission in memory at a time.
func attackSubmissions() iter.Seq[*attackSubmission] {
	return func(yield func(*attackSubmission) bool) {
		for i, a := range attacks() {
			if !yield(a.submission(i)) {
				return
			}
		}
	}
}

// attack is a case of the corpus.
type attack struct {
	name    string
	docType string // main unless set
	// environment, payload and top are members of the document.
	environment, payload, top sections
	body                      func(*text)            // in the place of a document
	rejected                  bool                   // not decoded to a ping
	path                      func(id string) string // nil: that of a Firefox
	date                      string
	client                    string // id; "": one of its own
}

const attackDocument = "00000000-0000-4000-8000-%012d"

func (a *attack) submission(i int) *attackSubmission {
	s := &attackSubmission{Name: a.name, Date: a.date, Client: a.client, DocType: a.docType}
	if s.DocType == "" {
		s.DocType = "main"
	}
	if s.Client == "" {
		s.Client = fmt.Sprintf("0a77ac00-0000-4000-8000-%012d", i+1)
	}
	id := fmt.Sprintf(attackDocument, i+1)
	s.Path = "/submit/telemetry/" + id + "/" + s.DocType + "/Firefox/58.0/release/20180118215408"
	if a.path != nil {
		s.Path = a.path(id)
	}
	var t text
	if a.body != nil {
		a.body(&t)
	} else {
		t.document(a, s.DocType, id, s.Client)
	}
	if a.rejected {
		s.DocType = ""
	}
	s.Body = pack(t.Bytes())
	return s
}

// pack is gzip as a client would use it.
func pack(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b) // a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}
