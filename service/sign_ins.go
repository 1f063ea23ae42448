package service

import "github.com/pingmill/pingmill/access"

// signInOutcomes names the outcomes of attempts to sign in.
var signInOutcomes = map[bool]string{true: "in", false: "refused"}

// countSignIns initializes the counts of attempts to sign in with 0.
func (m *Metrics) countSignIns() {
	for _, how := range access.Ways {
		for _, outcome := range signInOutcomes {
			m.signIns.WithLabelValues(string(how), outcome)
		}
	}
}

// SignedIn counts an attempt to sign in.
func (m *Metrics) SignedIn(how access.How, in bool) {
	m.signIns.WithLabelValues(string(how), signInOutcomes[in]).Inc()
}
