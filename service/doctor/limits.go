package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/sql/queryservice"
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
	group := ownGroup()
	have, from := queryservice.MachineMemory(), "this machine has"
	if most, ok := groupLimit(groups, group, "memory.max"); ok && (have == 0 || most < have) {
		have, from = most, "the control group may use"
	}
	if have > 0 && have < needMemory {
		all = append(all, warn("lower query.slots, query.memory or decode.workers, or give it more memory", "%s %s of memory; with all queries "+
			"the service may need %s", from, humanize.IBytes(uint64(have)), humanize.IBytes(uint64(needMemory))))
	}
	if most, ok := groupLimit(groups, group, "pids.max"); ok && most < processes {
		all = append(all, warn(fmt.Sprintf("raise it to %d: TasksMax= of the unit, --pids-limit of the container", processes),
			"the control group may have %d processes and threads; each query is a process with several threads", most))
	}
	if all == nil {
		all = append(all, good("%d open files, %s of memory are enough for the settings", openFiles(), humanize.IBytes(uint64(have))))
	}
	return all
}

// groups is where control groups are.
const groups = "/sys/fs/cgroup"

// groupLimit returns the smallest limit of a control group and the groups above it, up to top.
func groupLimit(top, dir, name string) (most int64, ok bool) {
	for ; dir != "" && within(top, dir); dir = filepath.Dir(dir) {
		n, is := readLimit(filepath.Join(dir, name))
		if is && (!ok || n < most) {
			most, ok = n, true
		}
	}
	return most, ok
}

// readLimit reads a file of a control group; "max" is no limit.
func readLimit(name string) (int64, bool) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
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
