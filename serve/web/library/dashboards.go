package library

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/dashboard/builtin"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// dashboards has the operations of dashboards.
type dashboards struct{ Config }

func (c dashboards) routes(a huma.API) {
	large := (&api.AtOnce{Max: maxReads}).Limited(a)
	api.Do(a, "GET /dashboards", "Dashboards, those that fit best first", api.Member, c.list, large)
	api.Do(a, "POST /dashboards", "Save a dashboard", api.Member, c.create, api.Created)
	api.Do(a, "GET /dashboards/tags", "Tags of dashboards", api.Member, c.tags, large)
	api.Do(a, "GET /dashboards/folder", "The folder of files that dashboards are kept in, with conflicts", access.Administer, c.folderState)
	api.Do(a, "GET /dashboards/{id}", "A dashboard", api.Member, c.get)
	api.Do(a, "PUT /dashboards/{id}", "Change a dashboard", api.Member, c.update)
	api.Do(a, "DELETE /dashboards/{id}", "Remove a dashboard", api.Member, c.delete)
	api.Do(a, "POST /dashboards/{id}/fork", "Save a copy of a dashboard as one's own", api.Member, c.fork, api.Created)
	api.Do(a, "GET /dashboards/{id}/revisions", "A dashboard as it was", api.Member, c.revisions, large)
	api.Do(a, "POST /dashboards/{id}/restore", "Make an earlier revision the present one", api.Member, c.restore)
	api.Do(a, "POST /dashboards/{id}/results", "The results of a dashboard's widgets, of runs that viewers share", api.Member, c.results,
		large)
	api.Do(a, "GET /dashboards/{id}/export", "A dashboard and its saved queries as a zip of files", api.Member, c.export, large, asZip)
	api.Do(a, "POST /dashboards/import", "Save dashboards and queries of files, ours or Redash's", api.Member, c.imports, large, largeBody)
	api.Do(a, "PUT /dashboards/{id}/favourite", "Make a dashboard one of one's favourites", api.Member, c.favourite)
	api.Do(a, "DELETE /dashboards/{id}/favourite", "Remove a dashboard from one's favourites", api.Member, c.unfavourite)
}

// OpenDashboards opens the store of dashboards, with those that come with the program.
func (c *Config) OpenDashboards(ctx context.Context, p access.Place, now func() time.Time, tables []*schema.Table) (err error) {
	boards, err := builtin.All()
	if err == nil {
		c.Dashboards, err = dashboard.Open(ctx, p, now, tables, c.Store, boards)
	}
	return err
}

// About is what lists show of a dashboard beside its texts.
type About struct {
	document.Head
	Person    Owner `json:"person"`
	Mine      bool  `json:"mine" doc:"the person who asks may change it"`
	Favourite bool  `json:"favourite" doc:"of the person who asks"`
}

// Dashboard is a dashboard for display.
type Dashboard struct {
	About
	dashboard.Doc
}

// DashboardListed is a dashboard in a list.
type DashboardListed struct {
	About
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty" nullable:"false"`
	Widgets     int      `json:"widgets" doc:"number of widgets"`
}

// about describes a dashboard to a person. names caches account names.
func (c dashboards) about(ctx context.Context, h *document.Head, favourites map[string]bool, names map[string]string) (About, error) {
	p := access.From(ctx)
	about := About{Head: *h, Mine: h.MayChange(p) == nil, Favourite: favourites[h.ID]}
	if h.ForkOf != "" { // the id alone would reveal that a hidden dashboard exists
		sees, err := c.Dashboards.Sees(ctx, p, h.ForkOf)
		if err != nil {
			return about, err
		}
		if !sees {
			about.ForkOf = ""
		}
	}
	var err error
	about.Person, err = c.person(ctx, h.Owner, names)
	return about, err
}

// dashboardOut is a response with one dashboard. Its revision is the ETag.
type dashboardOut struct {
	ETag string `header:"ETag"`
	Body Dashboard
}

func (c dashboards) one(ctx context.Context, d *dashboard.Dashboard, err error) (*dashboardOut, error) {
	if err != nil {
		return nil, problem(err)
	}
	favourites, err := c.Dashboards.Favourites(ctx, access.From(ctx))
	if err != nil {
		return nil, err
	}
	about, err := c.about(ctx, &d.Head, favourites, map[string]string{})
	return &dashboardOut{ETag: strconv.Quote(strconv.Itoa(d.Revision)), Body: Dashboard{about, d.Doc}}, err
}

type dashboardListIn struct {
	Text      string `query:"text" maxLength:"500" doc:"words, or beginnings of words, of title, tags, description and widgets"`
	Tag       string `query:"tag" maxLength:"100"`
	Person    string `query:"person" maxLength:"100" doc:"id of the owner, or me"`
	Query     string `query:"query" maxLength:"100" doc:"id of a saved query that a widget shows"`
	Favourite bool   `query:"favourite" doc:"one's favourites only"`
	Limit     int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor    string `query:"cursor" maxLength:"20"`
}

type dashboardListOut struct {
	Body struct {
		Items []DashboardListed `json:"items" nullable:"false"`
		Next  string            `json:"next,omitempty" doc:"cursor of the next part"`
	}
}

func (c dashboards) list(ctx context.Context, in *dashboardListIn) (*dashboardListOut, error) {
	p := access.From(ctx)
	if in.Person == "me" {
		in.Person = p.ID
	}
	list, next, err := c.Dashboards.List(ctx, p, dashboard.Filter{Text: in.Text, Tag: in.Tag, Owner: in.Person, Query: in.Query,
		Favourite: in.Favourite, Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, problem(err)
	}
	favourites, err := c.Dashboards.Favourites(ctx, p)
	if err != nil {
		return nil, err
	}
	o, names := &dashboardListOut{}, map[string]string{}
	o.Body.Items, o.Body.Next = make([]DashboardListed, len(list)), next
	for i, d := range list {
		item := &o.Body.Items[i]
		if item.About, err = c.about(ctx, &d.Head, favourites, names); err != nil {
			return nil, err
		}
		item.Title, item.Description, item.Tags, item.Widgets = d.Title, d.Description, d.Tags, len(d.Widgets)
	}
	return o, nil
}

func (c dashboards) tags(ctx context.Context, _ *struct{}) (*savedTagsOut, error) {
	o := &savedTagsOut{}
	var err error
	o.Body.Items, err = c.Dashboards.Tags(ctx, access.From(ctx))
	return o, err
}

func (c dashboards) create(ctx context.Context, in *struct{ Body dashboard.Doc }) (*dashboardOut, error) {
	d, err := c.Dashboards.Create(ctx, access.From(ctx), in.Body, "")
	return c.one(ctx, d, err)
}

func (c dashboards) get(ctx context.Context, in *idIn) (*dashboardOut, error) {
	d, err := c.Dashboards.Get(ctx, access.From(ctx), in.ID)
	return c.one(ctx, d, err)
}

type dashboardUpdateIn struct {
	Change
	Body struct {
		dashboard.Doc
		Revision int `json:"revision,omitempty" doc:"that was changed, instead of If-Match"`
	}
}

func (c dashboards) update(ctx context.Context, in *dashboardUpdateIn) (*dashboardOut, error) {
	revision, err := in.revision(in.Body.Revision)
	if err != nil {
		return nil, err
	}
	d, err := c.Dashboards.Update(ctx, access.From(ctx), in.ID, revision, in.Body.Doc)
	return c.one(ctx, d, err)
}

func (c dashboards) delete(ctx context.Context, in *idIn) (*struct{}, error) {
	return nothing(c.Dashboards.Delete(ctx, access.From(ctx), in.ID))
}

// nothing is the response of an operation without content.
func nothing(err error) (*struct{}, error) {
	if err != nil {
		return nil, problem(err)
	}
	return nil, nil
}

func (c dashboards) fork(ctx context.Context, in *idIn) (*dashboardOut, error) {
	d, err := c.Dashboards.Fork(ctx, access.From(ctx), in.ID)
	return c.one(ctx, d, err)
}

// DashboardRevision is an earlier version of a dashboard.
type DashboardRevision struct {
	Revision int       `json:"revision"`
	At       time.Time `json:"at"`
	Person   Owner     `json:"person" doc:"who made the change"`
	dashboard.Doc
}

type dashboardRevisionsOut struct {
	Body struct {
		Items []DashboardRevision `json:"items" nullable:"false"`
	}
}

func (c dashboards) revisions(ctx context.Context, in *idIn) (*dashboardRevisionsOut, error) {
	list, err := c.Dashboards.Revisions(ctx, access.From(ctx), in.ID)
	if err != nil {
		return nil, problem(err)
	}
	o, names := &dashboardRevisionsOut{}, map[string]string{}
	o.Body.Items = make([]DashboardRevision, len(list))
	for i, r := range list {
		person, err := c.person(ctx, r.Person, names)
		if err != nil {
			return nil, err
		}
		o.Body.Items[i] = DashboardRevision{r.Revision, r.At, person, r.Doc}
	}
	return o, nil
}

type restoreIn struct {
	Change
	Body struct {
		Revision int `json:"revision" minimum:"1" doc:"the earlier revision"`
	}
}

func (c dashboards) restore(ctx context.Context, in *restoreIn) (*dashboardOut, error) {
	if in.Match == "" {
		return nil, huma.NewError(http.StatusPreconditionRequired, "say which revision is replaced: by If-Match")
	}
	revision, err := in.revision(0)
	if err != nil {
		return nil, err
	}
	d, err := c.Dashboards.Restore(ctx, access.From(ctx), in.ID, revision, in.Body.Revision)
	return c.one(ctx, d, err)
}

func (c dashboards) favourite(ctx context.Context, in *idIn) (*struct{}, error) {
	return nothing(c.Dashboards.SetFavourite(ctx, access.From(ctx), in.ID, true))
}

func (c dashboards) unfavourite(ctx context.Context, in *idIn) (*struct{}, error) {
	return nothing(c.Dashboards.SetFavourite(ctx, access.From(ctx), in.ID, false))
}
