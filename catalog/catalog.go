// Package catalog knows where the published data of an installation is: it opens
// the SQL engine on it, lists its files and counts rows of clients. Publications may go on
// meanwhile.
package catalog

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/site"
)

// Open opens the SQL engine over the published files, without the rows of
// clients that asked to be forgotten.
func Open(ctx context.Context, s *site.Site, o query.Options) (*query.DB, error) {
	var views []query.View
	published := etl.NewPublished(s, time.Now)
	for _, t := range s.Tables {
		v := query.TableView(t, nil)
		lt, err := s.Table(t.Name)
		if err != nil {
			return nil, err
		}
		v.Files, v.Err = published.Files(ctx, lt)
		views = append(views, v)
	}
	o.Verify = func(ctx context.Context, scans []query.Scan) error {
		for _, scan := range scans {
			if err := published.Verify(ctx, scan.Files, scan.Columns); err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	if o.Hidden, err = s.Forgotten.Hidden(ctx); err != nil {
		return nil, err
	}
	return query.Open(ctx, views, o)
}
