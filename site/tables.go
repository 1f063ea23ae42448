package site

import (
	"context"
	"slices"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// Graph is which table needs which.
func (s *Site) Graph() (*job.Graph, error) {
	var nodes []job.Node
	for _, t := range s.Tables {
		nodes = append(nodes, job.Node{Name: t.Name, Needs: t.Needs})
	}
	return job.New(nodes)
}

// Direct names the tables that are made as pings arrive, without a daily job.
func (s *Site) Direct() []string { return schema.Direct(s.Tables) }

// TableOf is the lake's side of a table.
func (s *Site) TableOf(t *schema.Table) *lake.Table {
	lt := lake.Open(s.Roots[t.Root], t)
	if lt.Grace = s.Grace; s.Sharing != nil {
		lt.Token = s.Sharing.Holder
	}
	return lt
}

// Table returns the named table of the lake.
func (s *Site) Table(name string) (*lake.Table, error) {
	t, err := schema.Find(s.Tables, name)
	if err != nil {
		return nil, err
	}
	return s.TableOf(t), nil
}

// Versions lists the tables, each after its inputs, in all versions
// that have a location.
func (s *Site) Versions(ctx context.Context) (all []*lake.Table, err error) {
	for _, t := range s.Tables {
		versions, err := s.TableOf(t).Versions(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, versions...)
	}
	return all, nil
}

// SetApps lets the tables of some applications take the pings of these.
func (s *Site) SetApps(apps []string) {
	s.Tables = slices.Clone(s.Tables)
	for i, t := range s.Tables {
		if t.Apps != nil {
			own := *t
			own.Apps = apps
			s.Tables[i] = &own
		}
	}
}
