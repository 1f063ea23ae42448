package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// RejectedClasses lists the classes of rejected submissions.
var RejectedClasses = []string{ingest.ClassURI, ingest.ClassJSON, ingest.ClassSchema, ingest.ClassInternal, classDuplicate, classRecord}

// checkClasses returns an error for unknown classes.
func checkClasses(classes []string) error {
	for _, c := range classes {
		if !slices.Contains(RejectedClasses, c) {
			return fmt.Errorf("no class %q: there are %s", c, strings.Join(RejectedClasses, ", "))
		}
	}
	return nil
}

// RejectedFilter selects rejected submissions.
type RejectedFilter struct {
	// From and To are the first and the last day; either may be empty. If both are, submissions of no known day
	// are included.
	From, To ping.Day
	Classes  []string     // nil: all
	DocType  ping.DocType // as ping.Meta.Kind has it; "": all
}

// Check returns an error for invalid days and classes.
func (f *RejectedFilter) Check() error {
	if err := checkDays(f.From, f.To); err != nil {
		return err
	}
	return checkClasses(f.Classes)
}

// shownTypes is the number of document types that an error lists.
const shownTypes = 8

// CheckDocType returns ErrNoDocType for a document type without a table and without rejected submissions, which
// most likely is mistyped.
func CheckDocType(ctx context.Context, s *site.Site, docType ping.DocType) error {
	isOf := func(t *schema.Table) bool { return t.DocType != "" && t.Kind() == docType }
	if docType == "" || slices.Contains(forget.DocTypes, string(docType)) || slices.ContainsFunc(s.Tables, isOf) {
		return nil
	}
	groups, err := RejectedGroups(ctx, s.Archive, RejectedFilter{})
	if err != nil {
		return err
	}
	var types []string
	for _, g := range groups {
		if g.DocType == docType || g.DocType == OtherTypes {
			return nil
		}
		if g.DocType != "" {
			types = append(types, string(g.DocType))
		}
	}
	slices.Sort(types)
	types = slices.Compact(types)
	if len(types) > shownTypes {
		types = append(types[:shownTypes], "…")
	}
	return fmt.Errorf("%w %.80q: there are %s", ErrNoDocType, docType, cmp.Or(strings.Join(types, ", "), "none"))
}

// ErrNoDocType means a document type that no rejected submission has.
var ErrNoDocType = errors.New("no rejected submission has the document type")

func (f *RejectedFilter) takes(r *archive.Rejected) bool {
	return (f.Classes == nil || slices.Contains(f.Classes, r.Class)) &&
		(f.DocType == "" || f.DocType == r.Meta.Kind())
}

// RejectedGroup counts the rejected submissions of a day, a class and a document type.
type RejectedGroup struct {
	Day ping.Day `json:"day"` // "" when not known
	RejectedCount
	Example string `json:"example"` // the message of the first
}

// RejectedGroups counts rejected submissions, without reading their bodies.
func RejectedGroups(ctx context.Context, b store.Bucket, f RejectedFilter) ([]RejectedGroup, error) {
	days, err := rejectedDays(ctx, b, &f)
	if err != nil {
		return nil, err
	}
	var all []RejectedGroup
	for _, d := range days {
		groups := map[RejectedCount]*RejectedGroup{}
		for r, err := range d.errors.Heads(ctx) {
			if err != nil {
				return nil, err
			}
			if f.takes(r) {
				countRejected(groups, d.day, r)
			}
		}
		first := len(all)
		for _, g := range groups {
			all = append(all, *g)
		}
		slices.SortFunc(all[first:], func(x, y RejectedGroup) int {
			return cmp.Or(cmp.Compare(x.Class, y.Class), cmp.Compare(x.DocType, y.DocType))
		})
	}
	return all, nil
}

func countRejected(groups map[RejectedCount]*RejectedGroup, day ping.Day, r *archive.Rejected) {
	k := RejectedCount{Class: r.Class, DocType: r.Meta.Kind()}
	if groups[k] == nil && len(groups) >= maxCounts {
		k.DocType = OtherTypes
	}
	g := groups[k]
	if g == nil {
		g = &RejectedGroup{Day: day, RejectedCount: k, Example: r.Message}
		groups[k] = g
	}
	g.Rows++
}

func rejectedDays(ctx context.Context, b store.Bucket, f *RejectedFilter) ([]*replayDay, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	return openErrors(ctx, b, f.From, f.To)
}

// Rejected yields rejected submissions with their days, in the order of the archive. Each is valid until the
// next step; an error ends the sequence.
func Rejected(ctx context.Context, b store.Bucket, f RejectedFilter) iter.Seq2[RejectedRow, error] {
	return func(yield func(RejectedRow, error) bool) {
		days, err := rejectedDays(ctx, b, &f)
		if err != nil {
			yield(RejectedRow{}, err)
			return
		}
		for _, d := range days {
			for r, err := range d.errors.All(ctx) {
				if err != nil {
					yield(RejectedRow{}, err)
					return
				}
				if f.takes(r) && !yield(RejectedRow{d.day, r}, nil) {
					return
				}
			}
		}
	}
}

// RejectedRow is a rejected submission with its day.
type RejectedRow struct {
	Day ping.Day // "" when not known
	*archive.Rejected
}
