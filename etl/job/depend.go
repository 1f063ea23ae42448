package job

// Dependents returns the targets and all tables derived from them, directly or not, in order.
func (g *Graph) Dependents(targets ...string) ([]string, error) {
	if err := g.check(targets); err != nil {
		return nil, err
	}
	in := make(map[string]bool)
	for _, t := range targets {
		in[t] = true
	}
	for _, t := range g.order {
		for _, need := range g.needs[t] {
			in[t] = in[t] || in[need]
		}
	}
	return g.only(in), nil
}
