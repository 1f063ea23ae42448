// Package library serves what people save over HTTP: saved queries with their schedules, and dashboards.
package library

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/dashboard/folder"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/alert"
)

// Config holds the dependencies of the operations.
type Config struct {
	Store *saved.Store
	// Name returns the name of the account with an id, "" if it does not exist any more.
	Name   func(ctx context.Context, id string) (string, error)
	Sender *alert.Sender
	// Adopt makes a person's query with a text one of a saved query. It does nothing if there is no such query.
	Adopt func(ctx context.Context, p *access.Person, id, saved, sql string) error
	// Dashboards, if not nil, is the store of dashboards.
	Dashboards *dashboard.Store
	folder     *folder.Folder // nil: none
	// Share returns the newest run of a saved query that people with the same rights share, and starts one if it is due.
	Share func(ctx context.Context, p *access.Person, request queryservice.Request, age time.Duration) (queryservice.Shared, error)
}

// Saved is a saved query for display.
type Saved struct {
	saved.Query
	Person Owner `json:"person"`
	Mine   bool  `json:"mine" doc:"the person who asks may change it"`
	// Schedule is visible to the owner and to administrators; lists omit it.
	Schedule *saved.Scheduled `json:"schedule,omitempty"`
}

// Owner is the account that owns a query or has changed it.
type Owner struct {
	ID   string `json:"id"`
	Name string `json:"name" doc:"empty if the account is gone"`
}

// maxReads is the maximum number of lists that a person reads at once.
const maxReads = 10

// Routes adds the operations.
func (c Config) Routes(a huma.API) {
	large := (&api.AtOnce{Max: maxReads}).Limited(a)
	api.Do(a, "GET /saved", "Saved queries, those that fit best first", api.Member, c.list, large)
	api.Do(a, "POST /saved", "Save a query", api.Member, c.create, api.Created)
	api.Do(a, "GET /saved/tags", "Tags of saved queries", api.Member, c.tags)
	api.Do(a, "GET /saved/{id}", "A saved query", api.Member, c.get)
	api.Do(a, "PUT /saved/{id}", "Change a saved query", api.Member, c.update)
	api.Do(a, "DELETE /saved/{id}", "Remove a saved query", api.Member, c.delete)
	api.Do(a, "POST /saved/{id}/fork", "Save a copy of a query as one's own", api.Member, c.fork, api.Created)
	api.Do(a, "GET /saved/{id}/revisions", "A saved query as it was", api.Member, c.revisions, large)
	c.schedules(a)
	c.annotationRoutes(a)
	if c.Dashboards != nil {
		dashboards{c}.routes(a)
	}
}

// problem converts an error of package saved into a problem.
func problem(err error) error {
	var conflict *saved.ConflictError
	var bad *saved.InvalidError
	var place *params.Error
	switch {
	case errors.Is(err, saved.ErrNotFound), errors.Is(err, saved.ErrNoSchedule), errors.Is(err, saved.ErrNoAnnotation),
		errors.Is(err, dashboard.ErrNotFound):
		return huma.Error404NotFound(err.Error())
	case errors.Is(err, saved.ErrNotYours), errors.Is(err, saved.ErrBuiltin), errors.Is(err, saved.ErrOwner):
		return huma.Error403Forbidden(err.Error())
	case errors.Is(err, dashboard.ErrTooMany):
		return huma.Error409Conflict(err.Error())
	case errors.As(err, &conflict):
		return huma.Error412PreconditionFailed(err.Error())
	case errors.As(err, &bad), errors.As(err, &place):
		return huma.Error422UnprocessableEntity(err.Error())
	}
	return err
}

// shown returns a query as a person sees it. names caches account names.
func (c Config) shown(ctx context.Context, q *saved.Query, names map[string]string) (Saved, error) {
	p := access.From(ctx)
	s := Saved{Query: *q, Mine: !q.Builtin && (q.Owner == p.ID || p.May(access.Administer))}
	if s.ForkOf != "" { // the id alone would reveal that a hidden query exists
		_, err := c.Store.Get(ctx, p, s.ForkOf)
		if errors.Is(err, saved.ErrNotFound) {
			s.ForkOf = ""
		} else if err != nil {
			return s, err
		}
	}
	var err error
	s.Person, err = c.person(ctx, q.Owner, names)
	return s, err
}

func (c Config) person(ctx context.Context, id string, names map[string]string) (Owner, error) {
	if _, known := names[id]; !known && id != "" {
		name, err := c.Name(ctx, id)
		if err != nil {
			return Owner{}, err
		}
		names[id] = name
	}
	return Owner{id, names[id]}, nil
}

// out is a response with one query. Its revision is the ETag.
type out struct {
	ETag string `header:"ETag"`
	Body Saved
}

func (c Config) one(ctx context.Context, q *saved.Query, err error) (*out, error) {
	if err != nil {
		return nil, problem(err)
	}
	s, err := c.shown(ctx, q, map[string]string{})
	if err == nil {
		s.Schedule, err = c.scheduleOf(ctx, q.ID)
	}
	return &out{ETag: strconv.Quote(strconv.Itoa(q.Revision)), Body: s}, err
}

type savedListIn struct {
	Text   string `query:"text" maxLength:"500" doc:"words, or beginnings of words, of title, tags, description and SQL"`
	Tag    string `query:"tag" maxLength:"100"`
	Person string `query:"person" maxLength:"100" doc:"id of the owner, or me"`
	Table  string `query:"table" maxLength:"100" doc:"that the SQL names"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor string `query:"cursor" maxLength:"20"`
}

type savedListOut struct {
	Body struct {
		Items []Saved `json:"items"`
		Next  string  `json:"next,omitempty" doc:"cursor of the next part"`
	}
}

func (c Config) list(ctx context.Context, in *savedListIn) (*savedListOut, error) {
	p := access.From(ctx)
	if in.Person == "me" {
		in.Person = p.ID
	}
	list, next, err := c.Store.List(ctx, p,
		saved.Filter{Text: in.Text, Tag: in.Tag, Owner: in.Person, Table: in.Table, Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, problem(err)
	}
	o, names := &savedListOut{}, map[string]string{}
	o.Body.Items, o.Body.Next = make([]Saved, len(list)), next
	for i := range list {
		if o.Body.Items[i], err = c.shown(ctx, &list[i], names); err != nil {
			return nil, err
		}
	}
	return o, nil
}

type savedTagsOut struct {
	Body struct {
		Items []saved.Tag `json:"items"`
	}
}

func (c Config) tags(ctx context.Context, _ *struct{}) (*savedTagsOut, error) {
	o := &savedTagsOut{}
	var err error
	o.Body.Items, err = c.Store.Tags(ctx, access.From(ctx))
	return o, err
}

type createIn struct {
	Body NewSaved
}

// NewSaved is a query to save.
type NewSaved struct {
	saved.Doc
	Run string `json:"run,omitempty" maxLength:"100" doc:"id of one's query with this text, whose result becomes its first"`
}

func (c Config) create(ctx context.Context, in *createIn) (*out, error) {
	p := access.From(ctx)
	q, err := c.Store.Create(ctx, p, in.Body.Doc, "")
	if err == nil && in.Body.Run != "" {
		err = c.Adopt(ctx, p, in.Body.Run, q.ID, q.SQL)
	}
	return c.one(ctx, q, err)
}

type idIn struct {
	ID string `path:"id" maxLength:"100"`
}

func (c Config) get(ctx context.Context, in *idIn) (*out, error) {
	q, err := c.Store.Get(ctx, access.From(ctx), in.ID)
	return c.one(ctx, q, err)
}

// Change is what a request that changes something says of what it was based on.
type Change struct {
	ID    string `path:"id" maxLength:"100"`
	Match string `header:"If-Match" maxLength:"20" doc:"the ETag of what was changed"`
}

type savedUpdateIn struct {
	Change
	Body struct {
		saved.Doc
		Revision int `json:"revision,omitempty" doc:"that was changed, instead of If-Match"`
	}
}

// revision returns the revision that the client changed: by If-Match, or given in the body.
func (in *Change) revision(given int) (int, error) {
	if in.Match == "" && given > 0 {
		return given, nil
	}
	if in.Match == "" {
		return 0, huma.NewError(http.StatusPreconditionRequired, "say which revision was changed: by If-Match, or by revision")
	}
	n, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(in.Match, "W/"), `"`))
	if err != nil {
		return 0, huma.Error412PreconditionFailed("If-Match is no ETag that this server has given")
	}
	return n, nil
}

func (c Config) update(ctx context.Context, in *savedUpdateIn) (*out, error) {
	revision, err := in.revision(in.Body.Revision)
	if err != nil {
		return nil, err
	}
	q, err := c.Store.Update(ctx, access.From(ctx), in.ID, revision, in.Body.Doc)
	return c.one(ctx, q, err)
}

func (c Config) delete(ctx context.Context, in *idIn) (*struct{}, error) {
	if err := c.Store.Delete(ctx, access.From(ctx), in.ID); err != nil {
		return nil, problem(err)
	}
	return nil, nil
}

func (c Config) fork(ctx context.Context, in *idIn) (*out, error) {
	q, err := c.Store.Fork(ctx, access.From(ctx), in.ID)
	return c.one(ctx, q, err)
}

// Revision is an earlier version of a query.
type Revision struct {
	saved.Revision
	Person Owner `json:"person"`
}

type savedRevisionsOut struct {
	Body struct {
		Items []Revision `json:"items"`
	}
}

func (c Config) revisions(ctx context.Context, in *idIn) (*savedRevisionsOut, error) {
	list, err := c.Store.Revisions(ctx, access.From(ctx), in.ID)
	if err != nil {
		return nil, problem(err)
	}
	o, names := &savedRevisionsOut{}, map[string]string{}
	o.Body.Items = make([]Revision, len(list))
	for i, r := range list {
		o.Body.Items[i].Revision = r
		if o.Body.Items[i].Person, err = c.person(ctx, r.Person, names); err != nil {
			return nil, err
		}
	}
	return o, nil
}
