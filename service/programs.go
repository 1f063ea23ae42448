package service

import (
	"github.com/pingmill/pingmill/desk"
	"github.com/pingmill/pingmill/web"
)

// countPrograms begins the counts of queries of programs at 0.
func (m *Metrics) countPrograms() {
	for _, protocol := range web.Protocols {
		for _, state := range []desk.State{desk.Done, desk.Failed, desk.Cancelled} {
			m.programs.WithLabelValues(protocol, string(state))
		}
	}
}

// Asked counts a query of a program that has ended.
func (m *Metrics) Asked(protocol string, state desk.State) {
	m.programs.WithLabelValues(protocol, string(state)).Inc()
}
