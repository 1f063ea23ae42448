package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/site"
)

// openPatience limits the first attempt to open the installation if this process is an edge: submissions do not wait.
const openPatience = 5 * time.Second

// openAgain are the pauses between later attempts, and those between attempts to read the files of decoding.
var openAgain = retry.Policy{First: time.Second, Max: 30 * time.Second}

// errUnread is the state of an edge before the first attempt of learn.
var errUnread = errors.New("the definitions in the lake cannot be read: submissions of applications that only it knows get 503")

// errPatience ends an attempt after openPatience.
var errPatience = fmt.Errorf("no answer within %v", openPatience)

// site returns the installation; nil while it is not open, or if only the edge runs, which needs none.
func (s *Service) site() *site.Site { return s.opened.Load() }

// needsSite reports whether a part of this process works on the installation.
func (c *Config) needsSite() bool { return c.has(PartDecode) || c.has(PartSchedule) || c.has(PartWeb) }

// openSite opens the installation. The edge of the same process does not wait for it: if the first attempt fails, the other
// parts start later. A problem with the configuration is an error.
func (s *Service) openSite(ctx context.Context) error {
	if !s.needsSite() {
		if s.Unread {
			s.away.set(errUnread)
		}
		return nil
	}
	if !s.has(PartEdge) {
		return s.openInstallation(ctx)
	}
	err := errUnread // there is no answer
	if !s.Unread {
		attempt, cancel := context.WithCancelCause(ctx) // not cancelled after a success: clients of buckets keep it
		patience := time.AfterFunc(openPatience, func() { cancel(errPatience) })
		err = s.openInstallation(attempt)
		patience.Stop()
		var setup *SetupError
		if err == nil || errors.As(err, &setup) || ctx.Err() != nil {
			return err
		}
		cancel(err)
	}
	s.away.set(fmt.Errorf("the archive and the tables are not open: %w", err))
	s.Log.Error("the archive and the tables cannot be opened: the edge starts without them and acknowledges, the other parts wait", "err", err)
	return nil
}

// openInstallation opens the installation. If the lake could not be read before, it also adds what the lake knows.
func (s *Service) openInstallation(ctx context.Context) error {
	unread := s.Unread
	in, checks, err := s.Installation(ctx)
	if err == nil && unread {
		if err = s.Definitions(ctx, &s.Decode.Decode); err == nil {
			s.Tables, s.Unread = in.Tables, false
			err = s.checkTables()
		}
	}
	if err != nil {
		s.Unread = unread
		if in != nil {
			err = errors.Join(err, in.Close())
		}
		return err
	}
	s.checks = checks
	s.opened.Store(in)
	return nil
}

// join opens the installation after the edge has started.
func (s *Service) join(ctx context.Context) error {
	again := retry.Loop{Policy: openAgain, What: "opening the archive and the tables", Log: s.Log, Wait: s.Clock.Wait}
	for s.site() == nil {
		err := again.Again(ctx, s.away.get())
		if err == nil {
			err = s.openInstallation(ctx)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.away.set(fmt.Errorf("the archive and the tables are not open: %w", err))
		}
	}
	s.server.Learn(s.Decode.Decode.Glean.Applications)
	s.away.set(nil)
	s.Log.Info("the archive and the tables are open now: the other parts start")
	return nil
}

// learn reads the applications that the lake knows, in a process that is only an edge. That needs no rights to the lake: without
// them it takes the applications of the settings.
func (s *Service) learn(ctx context.Context) error {
	again := retry.Loop{Policy: openAgain, What: "reading the definitions in the lake", Log: s.Log, Wait: s.Clock.Wait}
	for err := s.away.get(); err != nil && !site.IsRefused(err); err = s.Definitions(ctx, &s.Decode.Decode) {
		s.away.set(err)
		if again.Again(ctx, err) != nil {
			return nil
		}
	}
	s.server.Learn(s.Decode.Decode.Glean.Applications)
	s.away.set(nil)
	s.Log.Info("which applications are taken is known now", "applications", s.Decode.Decode.Glean.Applications)
	return nil
}

// decodeWhenReady decodes when the files of decoding, such as the geo database, can be used.
func (s *Service) decodeWhenReady(ctx context.Context, stop <-chan struct{}) error {
	waiting, end := context.WithCancel(ctx)
	go func() {
		select {
		case <-stop:
		case <-waiting.Done():
		}
		end()
	}()
	defer end()
	again := retry.Loop{Policy: openAgain, What: "reading the files of decoding", Log: s.Log, Wait: s.Clock.Wait}
	for err := s.unready.get(); err != nil; err = s.unready.get() {
		if again.Again(waiting, err) != nil {
			s.Log.Warn("ended before decoding could start: what was acknowledged stays in the spool", "reason", err)
			return nil
		}
		s.unready.set(s.checkDecoding())
	}
	err := s.decodeSpool(ctx, stop)
	if errors.Is(err, loader.ErrUndecoded) { // the end was asked for, and the spool is on disk
		s.Log.Error("ended", "error", err)
		return nil
	}
	return err
}
