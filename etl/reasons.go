package etl

import (
	"context"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
)

// reasons explains why a run would make a unit that can be made: what is missing or has changed since. It
// returns nil if the unit is current.
func (s *steps) reasons(ctx context.Context, a *assessment) []string {
	switch {
	case len(a.damage) > 0:
		return findings(a.damage)
	case a.base == nil:
		return []string{"not made yet"}
	case a.plan.Current:
		return nil
	case len(a.base.Parts) == 0:
		return []string{"it has its rows as they arrived, and was not made from the archive yet"}
	}
	if changed := changedInputs(a.base, a.source.inputs); len(changed) > 0 {
		return changed
	}
	var why []string
	if slices.ContainsFunc(a.base.Parts, func(p lake.Part) bool { return p.Work != a.work }) {
		why = s.codeCauses(ctx, a)
	}
	if gap := uncovered(partSamples(a.base), s.samples); gap != "" {
		why = append(why, "it lacks "+gap)
	}
	if len(why) == 0 {
		why = append(why, "its samples are divided in another way")
	}
	return why
}

// shownFindings is the number of damaged files that are named for a partition.
const shownFindings = 3

// findings describes the damage, one line each.
func findings(damage []*lake.DamageError) (why []string) {
	for _, d := range damage[:min(len(damage), shownFindings)] {
		why = append(why, d.Finding())
	}
	if more := len(damage) - shownFindings; more > 0 {
		why = append(why, fmt.Sprintf("%d more files are damaged", more))
	}
	return why
}

// changedInputs describes the inputs whose generation has changed.
func changedInputs(base *lake.Manifest, inputs []job.Input) (why []string) {
	had := map[string]string{}
	for _, i := range base.Inputs {
		had[i.Name] = i.Generation
	}
	for _, i := range inputs {
		if had[i.Name] == i.Generation {
			continue
		}
		if docType, ok := naming.DocTypeOf(i.Name); ok {
			why = append(why, "the archive's "+docType+" pings of the day changed")
		} else {
			why = append(why, i.Name+" was made again")
		}
	}
	return why
}

func partSamples(m *lake.Manifest) []job.Samples {
	var all []job.Samples
	for _, p := range m.Parts {
		all = append(all, job.Samples{Lo: p.Lo, Hi: p.Hi})
	}
	return all
}

// misaligned explains why the tasks cannot replace parts of a partition, or returns "": a part can only be
// replaced as a whole.
func misaligned(base *lake.Manifest, tasks []job.Task) string {
	if base.Live != nil {
		return "the day has rows of pings that still arrive: run all its samples"
	}
	for _, p := range base.Parts {
		for _, t := range tasks {
			overlap := p.Lo <= t.Hi && t.Lo <= p.Hi
			if overlap && (p.Lo < t.Lo || p.Hi > t.Hi) {
				return fmt.Sprintf("samples %d-%d were published with others, %d-%d: run all samples of the day", t.Lo, t.Hi, p.Lo, p.Hi)
			}
		}
	}
	return ""
}
