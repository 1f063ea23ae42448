package tasks

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
)

// Share is one of several equal shares of the tasks of a plan, for one of several processes.
type Share struct{ Index, Count int }

// ParseShare reads a share written as 0/4 to 3/4.
func ParseShare(text string) (Share, error) {
	first, count, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(first)
	n, err2 := strconv.Atoi(count)
	if err1 != nil || err2 != nil || i < 0 || n <= i {
		return Share{}, fmt.Errorf("share %q: want one like 0/4, up to 3/4", text)
	}
	return Share{i, n}, nil
}

// Plan is the plan of a run, as tasks for other machines.
type Plan struct {
	*etl.RunPlan

	Now   []Description // can be done now
	Later []job.Unit    // can be planned when these are published
}

// New plans a run.
func New(ctx context.Context, s *site.Site, o etl.RunOptions, share Share) (p Plan, err error) {
	if p.RunPlan, err = etl.PlanRun(ctx, s, o); err != nil {
		return p, fmt.Errorf("plan: %w", err)
	}
	for n, u := range p.Units {
		if u.Action == etl.Make && u.Guessed {
			p.Later = append(p.Later, u.Unit)
		}
		for i, t := range u.Work {
			if (n+i)%share.Count != share.Index { // the same for all processes, whatever of the day is published meanwhile
				continue
			}
			d, err := Describe(s, t)
			if err != nil {
				return p, err
			}
			p.Now = append(p.Now, d)
		}
	}
	return p, nil
}

// made reports whether there is nothing left to do for any process.
func (p *Plan) made() bool {
	return !slices.ContainsFunc(p.Units, func(u etl.PlannedUnit) bool { return u.Action == etl.Make })
}

// Planned returns the partitions of the tasks that can run now, with their generations.
func (p *Plan) Planned() map[job.Unit]string {
	all := map[job.Unit]string{}
	for _, d := range p.Now {
		all[d.Unit()] = d.Generation
	}
	return all
}

// Write writes the descriptions, one per line.
func (p *Plan) Write(out io.Writer) error {
	w := bufio.NewWriter(out)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, d := range p.Now {
		if err := encoder.Encode(d); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Planned sets the options of a run to those of the plan whose task descriptions in has.
func Planned(s *site.Site, in io.Reader, o *etl.RunOptions) error {
	all, err := generations(s, in)
	o.Planned = all
	for u := range all {
		o.Tables, o.Days = append(o.Tables, u.Table), append(o.Days, u.Day)
	}
	return err
}

// generations returns those that the descriptions of a plan are of.
func generations(s *site.Site, in io.Reader) (map[job.Unit]string, error) {
	places, err := s.Places()
	if err != nil {
		return nil, err
	}
	all := map[job.Unit]string{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 2*maxDescription)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		d, err := Parse(lines.Bytes())
		if err == nil {
			err = d.checkRoots(places)
		}
		if g := all[d.Unit()]; err == nil && g != "" && g != d.Generation {
			err = fmt.Errorf("%s is of generation %s, and of %s in a line before", d.Unit(), d.Generation, g)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, err, etl.ErrPlanAgain)
		}
		all[d.Unit()] = d.Generation
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	return all, nil
}

// checkRoots returns an error if a description names other roots than these. It ignores roots that are not set.
func (d *Description) checkRoots(here site.Roots) error {
	if differ := site.Roots(d.Roots).Differ(here); differ != "" {
		return fmt.Errorf("it is of another installation than the settings here: %s", differ)
	}
	return nil
}
