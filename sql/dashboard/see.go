package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// viewer decides what a person sees of dashboards. It reads each saved query once.
type viewer struct {
	*Store
	person  *access.Person
	queries map[string]*saved.Query // nil: not for the person, or it does not exist
}

func (s *Store) viewer(p *access.Person) *viewer { return &viewer{s, p, map[string]*saved.Query{}} }

// query returns a saved query, or nil if the person may not see it.
func (v *viewer) query(ctx context.Context, id string) (*saved.Query, error) {
	if q, known := v.queries[id]; known {
		return q, nil
	}
	q, err := v.Queries.Get(ctx, v.person, id)
	if errors.Is(err, saved.ErrNotFound) {
		q, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	v.queries[id] = q
	return q, nil
}

// namesHidden reports whether a value has the name of a restricted table that the person may not read.
func (v *viewer) namesHidden(values ...any) bool {
	text, err := json.Marshal(values)
	return err != nil || document.NamesHidden(v.person, v.tables, string(text))
}

// sees reports whether a person sees a dashboard at all: its own texts, without those of the widgets, count. An owner
// always does, because they wrote these texts.
func (v *viewer) sees(h *document.Head, d *Doc) bool {
	return h.Owner != "" && h.Owner == v.person.ID || !v.namesHidden(d.Title, d.Description, d.Tags, d.declared())
}

// see returns the doc as the person sees it.
func (v *viewer) see(ctx context.Context, h *document.Head, d *Doc) (Doc, error) {
	own := h.Owner != "" && h.Owner == v.person.ID
	seen := *d
	seen.Widgets, seen.Parameters = slices.Clone(d.Widgets), slices.Clone(d.Parameters)
	for i := range seen.Widgets {
		w := &seen.Widgets[i]
		refused := !own && v.namesHidden(w)
		if w.Kind != Text && !refused {
			q, err := v.query(ctx, w.Query)
			if err != nil {
				return seen, err
			}
			refused = q == nil
		}
		if refused {
			*w = Widget{ID: w.ID, Kind: w.Kind, Title: w.Title, X: w.X, Y: w.Y, W: w.W, H: w.H, Refused: true}
			if !own && v.namesHidden(w) {
				w.Title = ""
			}
		}
	}
	for i := range seen.Parameters {
		p := &seen.Parameters[i]
		if p.Options == "" {
			continue
		}
		q, err := v.query(ctx, p.Options)
		if err != nil {
			return seen, err
		}
		if q == nil || !own && v.namesHidden(p.Options) {
			p.Options = ""
		}
	}
	return seen, nil
}

// restore replaces what a person did not see of the doc that they changed by what is stored: the content of refused
// widgets, and options. The error is an *InvalidError if the changed doc has a query that the person may not see.
func (v *viewer) restore(ctx context.Context, h *document.Head, stored, changed *Doc) error {
	seen, err := v.see(ctx, h, stored)
	if err != nil {
		return err
	}
	changed.Widgets, changed.Parameters = slices.Clone(changed.Widgets), slices.Clone(changed.Parameters)
	for i := range changed.Widgets {
		w := &changed.Widgets[i]
		at := slices.IndexFunc(seen.Widgets, func(o Widget) bool { return o.ID == w.ID && o.Refused })
		switch {
		case at >= 0: // it moves only
			unseen := stored.Widgets[at]
			unseen.X, unseen.Y, unseen.W, unseen.H = w.X, w.Y, w.W, w.H
			unseen.Parameters = maps.Clone(unseen.Parameters)
			maps.DeleteFunc(unseen.Parameters, func(_ string, value WidgetValue) bool {
				return value.Parameter != "" && !changed.has(value.Parameter)
			})
			*w = unseen
		case w.Refused:
			return document.Invalid("widget %.40s: %s", w.ID, saved.ErrNotFound)
		case w.Kind != Text:
			if err := v.needs(ctx, w.Query, "widget "+w.ID); err != nil {
				return err
			}
		}
	}
	for i := range changed.Parameters {
		p := &changed.Parameters[i]
		at := slices.IndexFunc(seen.Parameters, func(o SharedParameter) bool { return o.Name == p.Name })
		if p.Options == "" && at >= 0 && seen.Parameters[at].Options == "" {
			p.Options = stored.Parameters[at].Options
		} else if p.Options != "" {
			if err := v.needs(ctx, p.Options, "parameter "+p.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// needs returns an *InvalidError if the person may not see a query. The error is the same if it does not exist.
func (v *viewer) needs(ctx context.Context, id, what string) error {
	q, err := v.query(ctx, id)
	if err == nil && q == nil {
		err = document.Invalid("%.80s: %s", what, saved.ErrNotFound)
	}
	return err
}
