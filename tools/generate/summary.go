package generate

import (
	"github.com/pingmill/pingmill/ping"
)

// Group are the accepted pings of one day that jobs select together.
type Group struct {
	Day           ping.Day // UTC, of arrival
	DocType       ping.DocType
	AppName       string
	SourceVersion string
}

// Summary counts submissions by their expected outcome.
type Summary struct {
	Submissions int64
	Bytes       int64 // of documents, before compression
	Damaged     int64 // submissions that are damaged or odd: rejected ones and the odd among the accepted
	Duplicates  int64
	Rejected    map[string]int64       // by class of the error
	ByDocType   map[ping.DocType]int64 // all submissions
	Groups      map[Group]int64        // accepted ones
	Odd         map[string]int64       // damaged and odd ones by what is the matter
}

// Add counts a submission.
func (s *Summary) Add(sub *Submission) {
	s.count(sub.Fate, sub.Class, sub.Odd, sub.DocType)
	s.Bytes += int64(len(sub.Document))
	if sub.Fate == Accepted {
		m := &sub.Meta
		s.Groups[Group{
			m.Day(), m.Kind(),
			string(m.Text(ping.AppName)), string(m.Text(ping.SourceVersion)),
		}]++
	}
}

// add counts a planned submission.
func (s *Summary) add(o *outline) {
	s.count(o.fate, o.class, o.odd, o.docType)
	if o.fate == Accepted {
		s.Groups[Group{o.day(), o.docType, o.app, o.version}]++
	}
}

func (s *Summary) count(fate Fate, class, odd string, docType ping.DocType) {
	if s.Groups == nil {
		s.Rejected, s.ByDocType = map[string]int64{}, map[ping.DocType]int64{}
		s.Groups, s.Odd = map[Group]int64{}, map[string]int64{}
	}
	s.Submissions++
	s.ByDocType[docType]++
	if odd != "" {
		s.Damaged++
		s.Odd[odd]++
	}
	switch fate {
	case Duplicate:
		s.Duplicates++
	case Rejected:
		s.Rejected[class]++
	}
}
