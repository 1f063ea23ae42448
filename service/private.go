package service

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/pingmill/pingmill/serve/listening"
)

// Private are the pages of the private listener, for operators only:
//
//	/metrics                 Prometheus metrics
//	/status                  the state as JSON
//	/__heartbeat__           200 when every check passes, else 503; the checks as JSON
//	/__lbheartbeat__         200: the process runs
//	/debug/pprof/            profiles, if PProf is set
type Private struct {
	Metrics *Metrics
	// Status returns the response of /status, as JSON.
	Status func(context.Context) (any, error)
	// Checks holds the checks of /__heartbeat__ by name.
	Checks map[string]func(context.Context) error
	// Hosts lists the accepted host names, with or without a port, besides addresses and localhost.
	Hosts []string
	// PProf enables /debug/pprof/. Everybody who can connect then sees what is in the process's memory.
	PProf bool
}

// Handler returns the handler of the pages.
func (p *Private) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.Metrics.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /status", p.status)
	mux.HandleFunc("GET /__heartbeat__", p.heartbeat)
	mux.HandleFunc("GET /__lbheartbeat__", func(http.ResponseWriter, *http.Request) {})
	if p.PProf {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	} else {
		mux.HandleFunc("GET /debug/pprof/", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "profiles are off: set private.profiles (--profiles)", http.StatusNotFound)
		})
	}
	return listening.GuardHosts(p.Hosts, "private.hosts", mux)
}

func (p *Private) status(w http.ResponseWriter, r *http.Request) {
	s, err := p.Status(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, http.StatusOK, s)
}

// heartbeat runs every check, also after one fails.
func (p *Private) heartbeat(w http.ResponseWriter, r *http.Request) {
	code, results := http.StatusOK, map[string]string{}
	for name, check := range p.Checks {
		results[name] = "ok"
		if err := check(r.Context()); err != nil {
			code, results[name] = http.StatusServiceUnavailable, err.Error()
		}
	}
	writeJSON(w, code, results)
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(append(data, '\n')) // a client that went away needs no response
}
