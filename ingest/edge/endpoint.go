package edge

import (
	"net/http"
	"slices"
	"strings"
)

const (
	statusPath      = "/status"
	heartbeatPath   = "/__heartbeat__"
	lbHeartbeatPath = "/__lbheartbeat__"
	versionPath     = "/__version__"
)

func isEndpoint(path string) bool {
	return slices.Contains([]string{statusPath, heartbeatPath, lbHeartbeatPath, versionPath}, path)
}

// endpoint serves the operators' endpoints and reports whether path is one of them. Their responses are not
// counted.
func (s *Server) endpoint(w http.ResponseWriter, r *http.Request, path string) bool {
	switch path {
	case statusPath, lbHeartbeatPath:
		responseOK.send(w, r)
	case heartbeatPath:
		s.heartbeat(r).send(w, r)
	case versionPath:
		h := w.Header()
		h["Content-Type"], h["Content-Length"] = jsonText, s.version.length
		_, _ = w.Write(s.version.body)
	default:
		return false
	}
	return true
}

func (s *Server) heartbeat(r *http.Request) *response {
	if s.cfg.Health != nil {
		if err := s.cfg.Health(r.Context()); err != nil {
			line := strings.Join(strings.Fields(err.Error()), " ")
			return newResponse(http.StatusServiceUnavailable, line+"\n").retrying()
		}
	}
	return responseOK
}
