package edge

import (
	"log/slog"
	"slices"
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
	log      *slog.Logger
	taken    []string
	accepted []atomic.Int64 // by place in taken; the last is of others

	mu      sync.Mutex
	refused map[string]int64
}

func newNamespaces(taken []string, log *slog.Logger) *namespaces {
	return &namespaces{log: log, taken: taken, accepted: make([]atomic.Int64, len(taken)+1), refused: map[string]int64{}}
}

// takes reports whether all submissions of a namespace are accepted.
func (n *namespaces) takes(namespace string) bool {
	return slices.Contains(n.taken, namespace) || slices.Contains(n.taken, AllNamespaces)
}

// accept counts an acknowledged submission.
func (n *namespaces) accept(namespace string) {
	i := slices.Index(n.taken, namespace)
	if i < 0 {
		i = len(n.taken)
	}
	n.accepted[i].Add(1)
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
	all := map[string]NamespaceStats{OtherNamespaces: {Accepted: n.accepted[len(n.taken)].Load()}}
	for i, name := range n.taken {
		if name == AllNamespaces {
			continue
		}
		all[name] = NamespaceStats{Accepted: n.accepted[i].Load()}
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
