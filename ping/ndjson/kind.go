package ndjson

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/ping"
)

// lineKind is the kind of an input line, recognised by its members.
type lineKind string

const (
	decodedLine    lineKind = "a ping with metadata"
	submissionLine lineKind = "a submission"
	pingLine       lineKind = "a ping without metadata"
	rowLine        lineKind = "a row"
	messageLine    lineKind = "a Pub/Sub message"
	outcomeLine    lineKind = "an outcome of decode without a ping"
	nullLine       lineKind = "null"
	otherLine      lineKind = "an object"
)

// kindMembers lists the members that identify each kind: a line must have all of one list. The first matching
// kind wins.
var kindMembers = []struct {
	kind    lineKind
	members []string
}{
	{decodedLine, []string{"meta", "ping"}},
	{outcomeLine, []string{"outcome", "meta"}},
	{submissionLine, []string{"uri"}},
	{submissionLine, []string{"body", "timestamp"}},
	{messageLine, []string{"attributeMap"}},
	{messageLine, []string{"attributes"}},
	{rowLine, []string{"document_id"}},
	{rowLine, []string{"client_id"}},
	{rowLine, []string{"submission_date_obj"}},
	{pingLine, []string{"type", "payload"}},
	{pingLine, []string{"type", "application"}},
	{pingLine, []string{"clientId"}},
	{pingLine, []string{"environment"}},
}

var errArray = errors.New("a JSON array: give its elements a line each, as `jq -c '.[]'` does")

// lineReader recognises the kinds of lines. It is reused from line to line.
type lineReader struct {
	doc     ping.Doc
	program *ping.Program
	slots   [][]ping.Slot // by kindMembers
	meta    ping.Slot
	ping    ping.Slot
}

func newLineReader() *lineReader {
	var p ping.PathSet
	r := &lineReader{meta: p.Add("meta"), ping: p.Add("ping")}
	for _, k := range kindMembers {
		var slots []ping.Slot
		for _, m := range k.members {
			slots = append(slots, p.Add(m))
		}
		r.slots = append(r.slots, slots)
	}
	r.program = p.Compile()
	return r
}

// read returns the kind of a line. It returns an error if the line is not a JSON object.
func (r *lineReader) read(line []byte) (lineKind, error) {
	if err := ping.Validate(line); err != nil {
		return "", fmt.Errorf("no JSON: %w", err)
	}
	switch line = bytes.TrimSpace(line); line[0] {
	case '{':
	case '[':
		return "", errArray
	case 'n':
		return nullLine, nil
	default:
		return "", errors.New("no JSON object")
	}
	if err := r.doc.Scan(r.program, line); err != nil {
		return "", err
	}
	for i, k := range kindMembers {
		if !slices.ContainsFunc(r.slots[i], r.lacks) {
			return k.kind, nil
		}
	}
	return otherLine, nil
}

func (r *lineReader) lacks(s ping.Slot) bool { return r.doc.Value(s).Kind() == ping.Missing }
