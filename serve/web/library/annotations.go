package library

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/sql/saved"
)

func (c Config) annotationRoutes(a huma.API) {
	large := (&api.AtOnce{Max: maxReads}).Limited(a)
	api.Do(a, "GET /annotations", "Texts about days, for charts", api.Member, c.annotations, large)
	api.Do(a, "POST /annotations", "Write a text about a day", api.Member, c.annotate, api.Created)
	api.Do(a, "DELETE /annotations/{id}", "Remove a text about a day", api.Member, c.deleteAnnotation)
}

// Annotation is a text about a day for display.
type Annotation struct {
	saved.Annotation
	Person Owner `json:"person"`
	Mine   bool  `json:"mine" doc:"the person who asks may remove it"`
}

func (c Config) annotation(ctx context.Context, n saved.Annotation, names map[string]string) (Annotation, error) {
	owner, err := c.person(ctx, n.Owner, names)
	return Annotation{n, owner, n.MayDelete(access.From(ctx))}, err
}

type annotationsIn struct {
	From string `query:"from" required:"true" maxLength:"10" doc:"first day, such as 2018-03-01"`
	To   string `query:"to" required:"true" maxLength:"10" doc:"last day"`
}

type annotationsOut struct {
	Body struct {
		Items []Annotation `json:"items"`
	}
}

func (c Config) annotations(ctx context.Context, in *annotationsIn) (*annotationsOut, error) {
	list, err := c.Store.Annotations().List(ctx, access.From(ctx), in.From, in.To)
	if err != nil {
		return nil, problem(err)
	}
	o, names := &annotationsOut{}, map[string]string{}
	o.Body.Items = make([]Annotation, len(list))
	for i, n := range list {
		if o.Body.Items[i], err = c.annotation(ctx, n, names); err != nil {
			return nil, err
		}
	}
	return o, nil
}

type annotateIn struct {
	Body struct {
		Day  string `json:"day" maxLength:"10" doc:"such as 2018-03-01"`
		Text string `json:"text" minLength:"1" maxLength:"200"`
	}
}

type annotateOut struct{ Body Annotation }

func (c Config) annotate(ctx context.Context, in *annotateIn) (*annotateOut, error) {
	n, err := c.Store.Annotations().Create(ctx, access.From(ctx), in.Body.Day, in.Body.Text)
	if err != nil {
		return nil, problem(err)
	}
	shown, err := c.annotation(ctx, n, map[string]string{})
	return &annotateOut{shown}, err
}

func (c Config) deleteAnnotation(ctx context.Context, in *idIn) (*struct{}, error) {
	if err := c.Store.Annotations().Delete(ctx, access.From(ctx), in.ID); err != nil {
		return nil, problem(err)
	}
	return nil, nil
}
