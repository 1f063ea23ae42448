package doctor

import (
	"context"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/internal/machine"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/sql/worker/sandbox"
)

// Needs of the process.
const (
	otherFiles = 1000      // open files beside connections
	baseMemory = 512 << 20 // of the service beside decoding and queries
	processes  = 512       // threads of the service and the workers of its queries
)

// limits compares what this process may use with what the settings need. The service may have other limits.
func (p *Patient) limits(context.Context) []Finding {
	needFiles, needMemory, text := otherFiles, int64(baseMemory), ""
	if p.Refused == nil {
		c := p.Service
		needMemory += c.Decode.Memory()
		if slices.Contains(c.Parts, service.PartEdge) {
			needFiles += c.Edge.MaxConnections
			text = fmt.Sprintf(" for edge.max-connections (%d)", c.Edge.MaxConnections)
		}
		if slices.Contains(c.Parts, service.PartWeb) {
			needMemory += int64(c.Queries.Queue.Slots) * c.Queries.Limits.Memory
		}
	}
	var all []Finding
	if have := openFiles(); have > 0 && have < uint64(needFiles) {
		all = append(all, warn(fmt.Sprintf("raise it to %d: ulimit -n, LimitNOFILE= of the unit, --ulimit nofile= of the container", needFiles),
			"this process may open %d files, %d are needed%s", have, needFiles, text))
	}
	have, group := machine.Memory()
	from := "this machine has"
	if group {
		from = "the control group may use"
	}
	if have > 0 && have < needMemory {
		all = append(all, warn("lower query.slots, query.memory or decode.workers, or give it more memory", "%s %s of memory; with all queries "+
			"the service may need %s", from, humanize.IBytes(uint64(have)), humanize.IBytes(uint64(needMemory))))
	}
	if most, ok := machine.Processes(); ok && most < processes {
		all = append(all, warn(fmt.Sprintf("raise it to %d: TasksMax= of the unit, --pids-limit of the container", processes),
			"the control group may have %d processes and threads; each query is a process with several threads", most))
	}
	if all == nil {
		all = append(all, good("%d open files, %s of memory are enough for the settings", openFiles(), humanize.IBytes(uint64(have))))
	}
	return all
}

// kernel checks what keeps queries in their sandbox.
func (p *Patient) kernel(context.Context) (all []Finding) {
	if !slices.Contains(p.Service.Parts, service.PartWeb) {
		return []Finding{good("%s; no queries run here", kernelRelease())}
	}
	for _, l := range sandbox.Lacks() {
		all = append(all, warn("use a kernel with it, enable it (lsm=landlock,…), or let the container and the unit have the system calls "+
			"landlock_* and seccomp", "%s: a query's process has less protection: %s", kernelRelease(), l.Meaning()))
	}
	if all == nil {
		all = append(all, good("%s: Landlock and seccomp keep queries in their sandbox", kernelRelease()))
	}
	return all
}
