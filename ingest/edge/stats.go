package edge

// Stats holds counts since the edge was created, and the numbers of open requests and connections.
type Stats struct {
	Responses map[int]int64 // by status: submissions and refused requests, not the endpoints of operators
	Bytes     int64         // of acknowledged bodies, as sent

	// Namespaces counts by namespace: the accepted ones, some refused ones, and OtherNamespaces.
	Namespaces map[string]NamespaceStats

	Connections    int   // open
	MaxConnections int   // the bound in force
	Evicted        int64 // idle connections closed to make room
	Refused        int64 // new connections closed because none was idle

	Requests int64 // being handled
	InFlight int64 // bytes of memory for bodies, as MaxInFlight bounds them
}

// Codes lists the statuses of the edge's responses to submissions and to refused requests.
var Codes = []int{200, 400, 404, 405, 408, 411, 413, 414, 417, 431, 500, 503, 505, 507}

// Stats returns the present counts.
func (s *Server) Stats() Stats {
	st := Stats{
		Responses: map[int]int64{},
		Bytes:     s.bytes.Load(),
		Requests:  s.active.Load(),
		InFlight:  s.receiver.inFlight.Load(),

		Namespaces: s.namespaces.stats(),
	}
	for code := range s.responses {
		if n := s.responses[code].Load(); n > 0 {
			st.Responses[code] = n
		}
	}
	s.conns.mu.Lock()
	defer s.conns.mu.Unlock()
	st.Connections, st.MaxConnections = s.conns.open, s.conns.max
	st.Evicted, st.Refused = s.conns.evicted, s.conns.refused
	return st
}
