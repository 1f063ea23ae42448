package service

import "github.com/pingmill/pingmill/access"

// signInOutcomes are what becomes of attempts to sign in.
var signInOutcomes = map[bool]string{true: "in", false: "refused"}

// countSignIns begins the counts of attempts to sign in at 0.
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
