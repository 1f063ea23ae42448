package trino

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// begin starts the statement of a POST. Its result is for the polls that follow.
func (s *Server) begin(w http.ResponseWriter, r *http.Request, c caller) {
	body, err := io.ReadAll(r.Body)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		http.Error(w, "a statement has at most "+strconv.Itoa(maxText)+" bytes", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "the statement did not arrive", http.StatusBadRequest)
		return
	case strings.TrimSpace(string(body)) == "" || !utf8.Valid(body):
		http.Error(w, "the body is no SQL statement", http.StatusBadRequest)
		return
	}
	cl, err := clientOf(r.Header)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	st, p, err := s.newStatement(r.Context(), c, cl, int64(len(body)))
	switch {
	case errors.Is(err, access.ErrUnknown):
		unauthorized(w)
		return
	case err != nil:
		s.refuse(w, r, err)
		return
	}
	if err := s.execute(st, p, string(body)); err != nil {
		st.cancel(err)
		st.close()
		s.refuse(w, r, err)
		return
	}
	st.client = client{precise: cl.precise} // the rest is not needed any more, and may be large
	q, state := s.state(r.Context(), p, st)
	if state == stateRunning {
		q.Started = time.Time{}
	}
	writeJSON(w, http.StatusOK, st.response(r, phaseQueued, 1, statsOf(q, stateQueued, st.begun)))
}

// refuse responds to a statement that was not taken.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, bi.ErrSessions), errors.Is(err, errMany):
		err = &problem{queueFull, errMany.Error()}
	case errors.Is(err, bi.ErrScope), errors.Is(err, bi.ErrEnded):
		err = &problem{denied, err.Error()}
	}
	id := random()
	writeJSON(w, http.StatusOK, response{
		ID: id, InfoURI: base(r) + "/v1/query/" + id, Stats: statsOf(queryservice.Query{}, stateFailed, time.Now()), Warnings: []warning{},
		Error: s.failureOf(context.WithoutCancel(r.Context()), err),
	})
}

// response returns the frame of a response whose next one has a token; 0: it is the last.
func (st *statement) response(r *http.Request, phase string, token int64, at stats) response {
	re := response{ID: st.id, InfoURI: base(r) + "/v1/query/" + st.id, Stats: at, Warnings: []warning{}}
	if token > 0 {
		re.NextURI = base(r) + st.uri(phase, token)
		re.CancelURI = re.NextURI
	}
	return re
}

// polled returns the statement that a request names and the token of the response, or responds that there is none.
func (s *Server) polled(w http.ResponseWriter, r *http.Request, c caller) (*statement, int64) {
	st := s.find(c.person.ID, r.PathValue("id"), r.PathValue("slug"))
	token, err := strconv.ParseInt(r.PathValue("token"), 10, 64)
	if st == nil || err != nil {
		http.Error(w, "there is no such statement, or it was abandoned", http.StatusNotFound)
		return nil, 0
	}
	return st, token
}

// alive responds to a client that says it is still there.
func (s *Server) alive(w http.ResponseWriter, r *http.Request, c caller) {
	if st, _ := s.polled(w, r, c); st != nil {
		st.touch()
		st.leave(false)
	}
}

// cancel cancels a statement.
func (s *Server) cancel(w http.ResponseWriter, r *http.Request, c caller) {
	if st, _ := s.polled(w, r, c); st != nil {
		st.abort()
		w.WriteHeader(http.StatusNoContent)
	}
}

// kill cancels the person's statement with an id.
func (s *Server) kill(w http.ResponseWriter, r *http.Request, c caller) {
	s.mu.Lock()
	st := s.statements[r.PathValue("id")]
	s.mu.Unlock()
	if st == nil || st.person != c.person.ID {
		http.Error(w, "there is no such statement, or it was abandoned", http.StatusNotFound)
		return
	}
	st.abort()
	w.WriteHeader(http.StatusNoContent)
}

// next waits for a part of a statement's result and responds with it.
func (s *Server) next(w http.ResponseWriter, r *http.Request, c caller) {
	st, token := s.polled(w, r, c)
	if st == nil {
		return
	}
	st.touch()
	defer func() { st.leave(r.Context().Err() != nil) }()
	select {
	case st.turn <- struct{}{}:
		defer func() { <-st.turn }()
	case <-r.Context().Done():
		return
	}
	wait := time.NewTimer(pollTime)
	defer wait.Stop()
	select {
	case <-st.done:
	case <-wait.C:
	case <-r.Context().Done():
		return
	}
	from, again, ok := st.at(token)
	switch {
	case !ok:
		http.Error(w, "this response was given already", http.StatusGone)
	case !st.ended():
		s.unfinished(w, r, c, st, token)
	default:
		s.finished(w, r, c, st, token, from, again)
	}
}

// at returns the row at which the response with a token begins, and whether it was given before.
func (st *statement) at(token int64) (from int64, again, ok bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case st.err != nil:
		return 0, true, true
	case token == st.token:
		return st.next, false, !st.closed
	case token == st.token-1:
		return st.from, true, true
	}
	return 0, false, false
}

// advance notes that the response with a token was made, with the rows from one to before another.
func (st *statement) advance(token, from, next int64) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.token, st.from, st.next = token+1, from, next
}

// unfinished responds that a statement is still running.
func (s *Server) unfinished(w http.ResponseWriter, r *http.Request, c caller, st *statement, token int64) {
	q, state := s.state(r.Context(), c.person, st)
	phase := phaseExecuting
	if state == stateQueued {
		phase = phaseQueued
	}
	st.mu.Lock()
	st.token = token + 1
	st.mu.Unlock()
	writeJSON(w, http.StatusOK, st.response(r, phase, token+1, statsOf(q, state, st.begun)))
}

// finished responds with a page of the result, or the error, or that there are no more rows.
func (s *Server) finished(w http.ResponseWriter, r *http.Request, c caller, st *statement, token, from int64, again bool) {
	st.mu.Lock()
	res, err := st.result, st.err
	st.mu.Unlock()
	if err != nil {
		s.failed(w, r, st, token, err)
		return
	}
	var need int64
	if res.rows != nil {
		need, err = res.rows.memory(r.Context(), c.person)
	}
	if err == nil && need > 0 {
		if err = st.session.Hold(need); errors.Is(err, bi.ErrMemory) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer func() { _ = st.session.Hold(-need) }() // releasing memory does not fail
	}
	var data []byte
	next := from
	if err == nil {
		data, next, err = res.page(r.Context(), c.person, from, st.client.precise)
	}
	switch {
	case err != nil && r.Context().Err() != nil:
		return
	case err != nil:
		st.mu.Lock()
		st.err = err
		st.mu.Unlock()
		s.failed(w, r, st, token, err)
		return
	}
	following := token + 1
	if data == nil {
		following = 0
	}
	re := st.response(r, phaseExecuting, following, statsOf(res.query, stateFinished, st.begun))
	re.Data, re.UpdateType, re.Warnings = data, res.update, warningsOf(res.query)
	re.Columns = []column{} // clients want some, also of a statement that has none
	for i, name := range res.names {
		re.Columns = append(re.Columns, columnOf(name, res.types[i], st.client.precise))
	}
	for name, value := range res.headers {
		w.Header().Add(name, value)
	}
	if !again {
		st.advance(token, from, next)
	}
	if following == 0 {
		st.finish()
	}
	writeJSON(w, http.StatusOK, re)
}

// finish closes a statement whose rows were all sent.
func (st *statement) finish() {
	st.mu.Lock()
	last := *st.result
	last.rows = nil
	st.result = &last
	st.mu.Unlock()
	st.close()
}

// failed responds with the error of a statement. It is the last response.
func (s *Server) failed(w http.ResponseWriter, r *http.Request, st *statement, token int64, err error) {
	re := st.response(r, phaseExecuting, 0, statsOf(queryservice.Query{}, stateFailed, st.begun))
	re.Error = s.failureOf(st.ctx, err)
	st.mu.Lock()
	st.token = token + 1
	st.mu.Unlock()
	st.close()
	writeJSON(w, http.StatusOK, re)
}

// header returns a name and a value in the form of a header, name=value.
func header(name, value string) string { return url.QueryEscape(name) + "=" + url.QueryEscape(value) }
