package trino

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
)

// caller is who sends a request.
type caller struct {
	person *access.Person
	token  string
}

// authenticated calls next with the person whose token a request has. Without TLS it takes tokens from this machine only.
func (s *Server) authenticated(next func(w http.ResponseWriter, r *http.Request, c caller)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !private(r) {
			http.Error(w, "the token would go over the network in clear text: use TLS (https)", http.StatusForbidden)
			return
		}
		token, ok := bi.Token(r.Header.Get("Authorization"))
		if !ok || len(r.Header.Values("Authorization")) != 1 {
			unauthorized(w)
			return
		}
		p, err := s.auth.Authenticate(r.Context(), token)
		switch {
		case errors.Is(err, access.ErrUnknown):
			unauthorized(w)
		case errors.Is(err, bi.ErrScope):
			http.Error(w, err.Error(), http.StatusForbidden)
		case err != nil:
			if r.Context().Err() == nil {
				s.Log.Error("nobody can be let in over Trino's protocol", "error", err)
			}
			http.Error(w, "the token could not be looked up; the log of the server says why", http.StatusInternalServerError)
		default:
			next(w, r.WithContext(access.WithVisit(r.Context(), visit(r))), caller{p, token})
		}
	}
}

// unauthorized responds to any request without a valid token, whatever the reason. It offers no scheme that browsers
// have a dialog for: they would send the token with requests of other pages.
func unauthorized(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="pingmill"`)
	http.Error(w, "send an API token that is valid, as a bearer token or as the password of any user", http.StatusUnauthorized)
}

// private reports whether a request came over TLS or from this machine.
func private(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}

// maxAgent limits the text that the audit log has of a client, in bytes.
const maxAgent = 500

// visit returns the address and the program of a client.
func visit(r *http.Request) (v access.Visit) {
	v.Address, _, _ = net.SplitHostPort(r.RemoteAddr) // TCP addresses have a port
	v.Agent = r.UserAgent()
	if source := r.Header.Get("X-Trino-Source"); source != "" {
		v.Agent += " " + source
	}
	v.Agent = v.Agent[:min(len(v.Agent), maxAgent)]
	return v
}

// open opens the session of a statement.
func (s *Server) open(ctx context.Context, token string) (context.Context, *bi.Session, *access.Person, error) {
	return s.auth.Open(access.WithVisit(context.WithoutCancel(ctx), access.VisitOf(ctx)), token)
}
