package status

import "github.com/pingmill/pingmill/etl/job"

// followChains marks published partitions of chained tables as stale that go on from stale ones, and those that are made from
// them.
func followChains(g *job.Graph, all []Partition) {
	last := map[string]*Partition{} // of each table
	for i := range all {
		p := &all[i]
		if before := last[p.Table]; g.Chained(p.Table) && before != nil && before.State == Stale {
			p.follow(before.Unit.String())
		}
		for _, need := range g.Needs(p.Table) {
			if n := last[need]; n != nil && n.Day == p.Day && n.State == Stale {
				p.follow(need)
			}
		}
		last[p.Table] = p
	}
}

// follow marks a published partition as stale.
func (p *Partition) follow(after string) {
	if p.State == Published && len(p.Reasons) == 0 {
		p.State, p.Reasons = Stale, []string{after + " is to be made again"}
	}
}
