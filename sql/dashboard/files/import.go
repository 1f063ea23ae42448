package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// Item is what became of a file.
type Item struct {
	Kind  string `json:"kind" enum:"dashboard,query"`
	ID    string `json:"id" doc:"of the dashboard or saved query"`
	Title string `json:"title"`
	Path  string `json:"path"`
	Done  string `json:"done" enum:"created,changed,same"`
}

// Report says what an import did.
type Report struct {
	Items     []Item    `json:"items" nullable:"false"`
	Conflicts []Problem `json:"conflicts" nullable:"false" doc:"files that differ from what is stored; nothing was changed"`
	Left      []Problem `json:"left" nullable:"false" doc:"what could not be taken"`
}

// importer stores the parts of a bundle as a person.
type importer struct {
	boards    *dashboard.Store
	person    *access.Person
	overwrite bool
	ids       map[string]string // of queries: in the files, and as stored
	Report
}

// Import stores a bundle as a person. What the person does not see does not exist for them: it gets another id, as one that is
// new does. What they see and may not change is copied. What differs from what is stored is a conflict, unless overwrite is set.
func Import(ctx context.Context, boards *dashboard.Store, p *access.Person, b Bundle, overwrite bool) (Report, error) {
	i := importer{boards: boards, person: p, overwrite: overwrite, ids: map[string]string{},
		Report: Report{Items: []Item{}, Conflicts: []Problem{}, Left: []Problem{}}}
	for _, q := range b.Queries {
		path := QueryPath(q.ID)
		if err := i.left(path, i.query(ctx, path, q)); err != nil {
			return i.Report, err
		}
	}
	for _, d := range b.Dashboards {
		path := DashboardPath(d.ID)
		if err := i.left(path, i.dashboard(ctx, path, d)); err != nil {
			return i.Report, err
		}
	}
	return i.Report, nil
}

// left notes an error that is the file's, and returns others.
func (i *importer) left(path string, err error) error {
	var bad *document.InvalidError
	var place *params.Error
	if errors.As(err, &bad) || errors.As(err, &place) || errors.Is(err, dashboard.ErrTooMany) {
		i.Left = append(i.Left, Problem{path, err.Error()})
		return nil
	}
	return err
}

const differs = "it differs from what is stored under its id: import it with overwrite, or remove one of them"

// write stores a document: have is the one with its id that the person sees, nil if there is none.
func (i *importer) write(kind, path, title string, have *document.Head, same bool, create, update func() (id string, err error)) error {
	item := Item{Kind: kind, Title: title, Path: path}
	var err error
	switch {
	case have != nil && same:
		item.ID, item.Done = have.ID, "same"
	case have == nil || have.MayChange(i.person) != nil:
		item.Done = "created"
		item.ID, err = create()
	case !i.overwrite:
		i.Conflicts = append(i.Conflicts, Problem{path, differs})
		return nil
	default:
		item.Done = "changed"
		item.ID, err = update()
	}
	if err == nil {
		i.Items = append(i.Items, item)
	}
	return err
}

func (i *importer) query(ctx context.Context, path string, q Query) error {
	store := i.boards.Queries
	have, err := store.Get(ctx, i.person, q.ID)
	var head *document.Head
	same := false
	switch {
	case err == nil:
		head, same = &have.Head, Same(have.Doc, q.Doc)
		i.ids[q.ID] = q.ID
	case !errors.Is(err, saved.ErrNotFound):
		return err
	}
	return i.write("query", path, q.Title, head, same, func() (string, error) {
		made, err := store.Create(ctx, i.person, q.Doc, "")
		if err != nil {
			return "", err
		}
		i.ids[q.ID] = made.ID
		return made.ID, nil
	}, func() (string, error) {
		_, err := store.Update(ctx, i.person, q.ID, head.Revision, q.Doc)
		return q.ID, err
	})
}

func (i *importer) dashboard(ctx context.Context, path string, d Dashboard) error {
	if err := i.queries(ctx, path, &d.Doc); err != nil {
		return err
	}
	have, err := i.boards.Get(ctx, i.person, d.ID)
	var head *document.Head
	same := false
	switch {
	case err == nil:
		head = &have.Head
		for _, w := range have.Widgets { // which the person may not replace
			if w.Refused && !slices.ContainsFunc(d.Widgets, func(o dashboard.Widget) bool { return o.ID == w.ID }) {
				d.Widgets = append(d.Widgets, w)
			}
		}
		same = Same(have.Doc, d.Doc)
	case !errors.Is(err, dashboard.ErrNotFound):
		return err
	}
	return i.write("dashboard", path, d.Title, head, same, func() (string, error) {
		d.Widgets = slices.DeleteFunc(d.Widgets, func(w dashboard.Widget) bool { return w.Refused })
		made, err := i.boards.Create(ctx, i.person, d.Doc, "")
		if err != nil {
			return "", err
		}
		return made.ID, nil
	}, func() (string, error) {
		_, err := i.boards.Update(ctx, i.person, d.ID, head.Revision, d.Doc)
		return d.ID, err
	})
}

// queries replaces the ids of queries by those that are stored, and leaves out widgets and options without one.
func (i *importer) queries(ctx context.Context, path string, d *dashboard.Doc) error {
	find := func(id string) (string, error) {
		if stored := i.ids[id]; stored != "" {
			return stored, nil
		}
		q, err := i.boards.Queries.Get(ctx, i.person, id)
		if errors.Is(err, saved.ErrNotFound) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		return q.ID, nil
	}
	var widgets []dashboard.Widget
	for _, w := range d.Widgets {
		if w.Kind != dashboard.Text {
			id, err := find(w.Query)
			if err != nil {
				return err
			}
			if id == "" {
				i.Left = append(i.Left, Problem{path, fmt.Sprintf("widget %s: %s", w.ID, saved.ErrNotFound)})
				continue
			}
			w.Query = id
		}
		widgets = append(widgets, w)
	}
	d.Widgets = widgets
	for n := range d.Parameters {
		p := &d.Parameters[n]
		if p.Options == "" {
			continue
		}
		var err error
		if p.Options, err = find(p.Options); err != nil {
			return err
		}
		if p.Options == "" {
			i.Left = append(i.Left, Problem{path, fmt.Sprintf("parameter %s: %s", p.Name, saved.ErrNotFound)})
		}
	}
	return nil
}

// Same reports whether two docs are stored as the same text.
func Same(a, b any) bool {
	x, err := json.Marshal(a)
	y, other := json.Marshal(b)
	return err == nil && other == nil && bytes.Equal(x, y)
}

// Export returns a dashboard as a person sees it, without the widgets that are refused to them, and the saved queries that it
// uses, without those that come with the program.
func Export(ctx context.Context, boards *dashboard.Store, p *access.Person, id string) (b Bundle, err error) {
	d, err := boards.Get(ctx, p, id)
	if err != nil {
		return b, err
	}
	d.Widgets = slices.DeleteFunc(d.Widgets, func(w dashboard.Widget) bool { return w.Refused })
	b.Dashboards = []Dashboard{{ID: d.ID, Doc: d.Doc}}
	for _, id := range d.UsedQueries() {
		q, err := boards.Queries.Get(ctx, p, id)
		if errors.Is(err, saved.ErrNotFound) { // since a moment
			continue
		}
		if err != nil {
			return b, err
		}
		if !q.Builtin {
			b.Queries = append(b.Queries, Query{ID: q.ID, Doc: q.Doc})
		}
	}
	return b, nil
}
