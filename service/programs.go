package service

import (
	"github.com/pingmill/pingmill/serve/web"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// countPrograms begins the counts of queries of programs at 0.
func (m *Metrics) countPrograms() {
	for _, protocol := range web.Protocols {
		for _, state := range []queryservice.State{queryservice.Done, queryservice.Failed, queryservice.Cancelled} {
			m.programs.WithLabelValues(protocol, string(state))
		}
	}
}

// Asked counts a query of a program that has ended.
func (m *Metrics) Asked(protocol string, state queryservice.State) {
	m.programs.WithLabelValues(protocol, string(state)).Inc()
}
