package forget

import (
	"context"
	"time"
)

// Status is the state of the requests, as JSON has it.
type Status struct {
	Clients  int              `json:"clients"` // ever forgotten
	Pending  PendingRequests  `json:"pending"`
	Running  *Cycle           `json:"running,omitempty"`
	Removers []Remover        `json:"removers,omitempty"` // of the running one, if servers share a lake
	Cycles   []*Cycle         `json:"cycles"`
	Searched []SearchedClient `json:"searched,omitempty"`
}

// Remover is a server that removes rows now.
type Remover struct {
	Server string `json:"server"`
	Piece  string `json:"piece"` // see Piece.Name; "end" of the removal
}

// PendingRequests summarizes the requests whose rows are not removed yet.
type PendingRequests struct {
	Requests int       `json:"requests"`
	Clients  int       `json:"clients"`
	Oldest   time.Time `json:"oldest,omitzero"`
	Due      time.Time `json:"due,omitzero"` // when the rows of the oldest one must be removed
}

// SearchedClient is the entry of a client that the caller asked for.
type SearchedClient struct {
	Client    string    `json:"client"`
	State     string    `json:"state"` // unknown, pending, removed
	Requested time.Time `json:"requested,omitzero"`
	Removed   time.Time `json:"removed,omitzero"`
	Due       time.Time `json:"due,omitzero"` // of a pending one, when its rows must be removed
}

// Status returns the state of all requests, and the entries of some clients.
func (r *Registry) Status(ctx context.Context, clients []string, d Deadline) (*Status, error) {
	set, requests, err := r.read(ctx)
	if err != nil {
		return nil, err
	}
	st := &Status{}
	st.Clients, st.Pending.Clients = set.Len()
	st.Pending.Requests, st.Pending.Oldest = len(requests), Oldest(requests)
	st.Pending.Due = d.Due(st.Pending.Oldest)
	if st.Running, err = r.Running(ctx); err != nil {
		return nil, err
	}
	if st.Running != nil {
		done := r.Progress(st.Running)
		if err := done.Read(ctx); err != nil {
			return nil, err
		}
		st.Running = st.Running.With(done.Pieces)
	}
	if st.Cycles, err = r.Cycles(ctx); err != nil {
		return nil, err
	}
	for _, id := range clients {
		found := SearchedClient{Client: id, State: "unknown"}
		if c, ok := set.Find([]byte(id)); ok {
			found.State, found.Requested, found.Removed = "removed", c.Requested, c.Removed
			if c.Removed.IsZero() {
				found.State, found.Due = "pending", d.Due(c.Requested)
			}
		}
		st.Searched = append(st.Searched, found)
	}
	return st, nil
}
