package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
)

// Plan prints the plan of a run: a line for each partition that would be
// made or cannot be, and the sum.
func Plan(out io.Writer, p *etl.RunPlan, workers int) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var sum etl.PlannedUnit
	counts := map[etl.Action]int{}
	empty, lines := emptyOfPlan(p), 0
	var newer []etl.PlannedUnit
	for _, u := range p.Units {
		counts[u.Action]++
		if u.Action == etl.Keep && len(u.Reasons) > 0 {
			newer = append(newer, u)
		}
		if u.Action == etl.Keep || empty.has(u.Day) {
			continue
		}
		if lines++; lines == 1 {
			fmt.Fprintln(w, "DAY\tTABLE\tTASKS\tINPUT\tWHY")
		}
		why := strings.Join(u.Reasons, "; ")
		if u.Action == etl.Skip {
			fmt.Fprintf(w, "%s\t%s\t-\t-\tcannot be made: %s\n", u.Day, u.Table, why)
			continue
		}
		sum.Tasks, sum.Bytes, sum.Guessed = sum.Tasks+u.Tasks, sum.Bytes+u.Bytes, sum.Guessed || u.Guessed
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", u.Day, u.Table, u.Tasks, inputText(&u), why)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, u := range newer {
		fmt.Fprintf(out, "kept %s: %s\n", u.Unit, strings.Join(u.Reasons, "; "))
	}
	if text := empty.text(); text != "" {
		fmt.Fprintln(out, text)
	}
	damaged := 0
	for _, u := range p.Units {
		if u.Damaged {
			damaged++
		}
	}
	if counts[etl.Make] == 0 && counts[etl.Skip] == 0 {
		_, err := fmt.Fprintf(out, "nothing to do: all %d partitions are current\n", len(p.Units))
		return err
	}
	_, err := fmt.Fprintf(out, "%d to make with %d tasks, %s of input, time %s; %d current, %d cannot be made\n",
		counts[etl.Make], sum.Tasks, inputText(&sum), estimateText(p, workers), counts[etl.Keep], counts[etl.Skip])
	if err == nil && damaged > 0 {
		err = fmt.Errorf("plan: the archive's pings of %d partitions are damaged", damaged)
	}
	return err
}

// PlanNotes prints what a list of tasks omits: partitions that cannot be made, and those that can be planned later.
func PlanNotes(errs io.Writer, p *etl.RunPlan, later []job.Unit) {
	empty := emptyOfPlan(p)
	for _, u := range p.Units {
		if u.Action == etl.Skip && !empty.has(u.Day) {
			fmt.Fprintf(errs, "skipped %s: %s\n", u.Unit, strings.Join(u.Reasons, "; "))
		}
	}
	if text := empty.text(); text != "" {
		fmt.Fprintln(errs, text)
	}
	if len(later) > 0 {
		fmt.Fprintf(errs, "%d partitions, such as %s, can be planned when these tasks are done and published\n", len(later), later[0])
	}
}

func inputText(u *etl.PlannedUnit) string {
	text := humanize.Bytes(uint64(max(0, u.Bytes)))
	if u.Guessed {
		text = "~" + text
	}
	return text
}

func estimateText(p *etl.RunPlan, workers int) string {
	d, ok := p.Estimate(workers)
	if !ok {
		return "unknown (some tables were never made here)"
	}
	return "about " + d.Round(max(time.Second/10, d/100).Round(time.Second/10)).String()
}
