package service

import (
	"github.com/pingmill/pingmill/serve/web"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// countPrograms initializes the counts of programs' queries with 0.
func (m *Metrics) countPrograms() {
	for _, protocol := range web.Protocols {
		for _, state := range []queryservice.State{queryservice.Done, queryservice.Failed, queryservice.Cancelled} {
			m.programs.WithLabelValues(protocol, string(state))
		}
	}
}

// QueryEnded counts an ended query of a program.
func (m *Metrics) QueryEnded(protocol string, state queryservice.State) {
	m.programs.WithLabelValues(protocol, string(state)).Inc()
}
