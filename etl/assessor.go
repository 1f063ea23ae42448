package etl

import (
	"cmp"
	"context"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/accepted"
	"github.com/pingmill/pingmill/site"
)

// Assessor examines units as a run plans them. It changes nothing and takes no locks.
type Assessor struct{ steps *steps }

// NewAssessor returns an Assessor of an installation. keep and now decide which days are past their retention.
func NewAssessor(d *site.Data, keep site.Retention, now time.Time) *Assessor {
	s := newSteps(d)
	s.keep, s.now = keep, now
	return &Assessor{s}
}

// Assessment holds the facts from which the state of a unit follows.
type Assessment struct {
	Base     *lake.Manifest   // the published manifest; nil: none
	Damaged  bool             // files of the published partition are damaged; Base may be nil then
	Missing  string           // why the unit cannot be made; "" if it can
	Older    bool             // published with other probe definitions
	Expired  bool             // it cannot be made because its retention, or that of its inputs, is over
	Accepted *accepted.Record // why the partition is current although this program would make it differently; nil: it would not

	Newer string // why a partition stays that a newer version of the program made; "": no newer one did

	facts assessment
}

// Assess examines one unit. Damage of the archive is an error that archive.IsDamage recognises.
func (a *Assessor) Assess(ctx context.Context, u job.Unit) (Assessment, error) {
	f, err := a.steps.assess(ctx, u)
	newer := ""
	if f.newer {
		newer = cmp.Or(f.plan.Note, f.plan.Missing)
	}
	return Assessment{
		Base: f.base, Damaged: len(f.damage) > 0, Missing: f.plan.Missing, Older: f.older, Expired: f.expired, Accepted: f.accepted,
		Newer: newer, facts: f,
	}, err
}

// Reasons explains why a run would make a unit that can be made. It returns nil if the unit is current.
func (a *Assessor) Reasons(ctx context.Context, x *Assessment) []string {
	return a.steps.reasons(ctx, &x.facts)
}

// Findings describes the damaged files of the published partition, one line each.
func (x *Assessment) Findings() []string { return findings(x.facts.damage) }
