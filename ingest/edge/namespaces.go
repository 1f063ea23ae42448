package edge

import (
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
)

// OtherNamespaces is the label, in counts, of all namespaces that are not counted individually.
const OtherNamespaces = "other"

// maxRefused is the largest number of refused namespaces that are counted individually. It is bounded because
// clients choose the names.
const maxRefused = 20

// NamespaceStats are counts of the submissions of a namespace.
type NamespaceStats struct {
	Accepted int64
	Refused  int64 // because of their namespace
}

// namespaces counts submissions by namespace.
type namespaces struct {
	log    *slog.Logger
	taken  atomic.Pointer[taken]
	others atomic.Int64 // accepted, of namespaces that are not counted individually

	mu      sync.Mutex
	refused map[string]int64
}

// taken holds the accepted namespaces with their counts. It is not changed but replaced.
type taken struct {
	accepted map[string]*atomic.Int64
	all      bool // others are accepted, too
	partial  bool // others may be accepted later
}

func newNamespaces(names []string, log *slog.Logger) *namespaces {
	n := &namespaces{log: log, refused: map[string]int64{}}
	n.taken.Store(&taken{})
	n.learn(names, false)
	return n
}

// learn adds accepted namespaces.
func (n *namespaces) learn(names []string, partial bool) {
	was := n.taken.Load()
	now := &taken{accepted: maps.Clone(was.accepted), all: was.all, partial: partial}
	if now.accepted == nil {
		now.accepted = map[string]*atomic.Int64{}
	}
	for _, name := range names {
		switch {
		case name == AllNamespaces:
			now.all = true
		case now.accepted[name] == nil:
			now.accepted[name] = new(atomic.Int64)
		}
	}
	n.taken.Store(now)
}

// takes reports whether all submissions of a namespace are accepted.
func (n *namespaces) takes(namespace string) bool {
	t := n.taken.Load()
	return t.all || t.accepted[namespace] != nil
}

// partial reports whether namespaces may be accepted later that are not now.
func (n *namespaces) partial() bool { return n.taken.Load().partial }

// accept counts an acknowledged submission.
func (n *namespaces) accept(namespace string) {
	if count := n.taken.Load().accepted[namespace]; count != nil {
		count.Add(1)
		return
	}
	n.others.Add(1)
}

// refuse counts a refused submission, and logs the first one of each name.
func (n *namespaces) refuse(namespace string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	name := namespace
	if _, ok := n.refused[name]; !ok && (len(n.refused) >= maxRefused || !plainName(name)) {
		name = OtherNamespaces
	}
	n.refused[name]++
	if n.refused[name] == 1 {
		n.log.Warn("submissions of a namespace are refused: neither edge.namespaces nor glean.applications has it", "namespace", name)
	}
}

// stats returns the counts of the accepted namespaces and of the refused ones.
func (n *namespaces) stats() map[string]NamespaceStats {
	all := map[string]NamespaceStats{OtherNamespaces: {Accepted: n.others.Load()}}
	for name, count := range n.taken.Load().accepted {
		all[name] = NamespaceStats{Accepted: count.Load()}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for name, count := range n.refused {
		s := all[name]
		s.Refused = count
		all[name] = s
	}
	return all
}

// plainName reports whether a name has the form of Glean's application names: a-z, 0-9 and the dash, at most 64
// characters.
func plainName(name string) bool {
	for _, c := range []byte(name) {
		if c-'a' >= 26 && c-'0' >= 10 && c != '-' {
			return false
		}
	}
	return name != "" && len(name) <= 64
}
