package flight

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/serve/listening"
)

const authorization = "authorization"

// errToken is the response to any call without a valid token, whatever the reason.
var errToken = status.Error(codes.Unauthenticated,
	"send an API token that is valid, as a bearer token or as the password of the user token")

// tokenOf returns the token in the header of a call.
func tokenOf(ctx context.Context) (token string, ok bool) {
	values := metadata.ValueFromIncomingContext(ctx, authorization)
	if len(values) != 1 {
		return "", false
	}
	return bi.Token(values[0])
}

// connections authenticates calls and limits their number and the number of connections.
type connections struct {
	Config
	sessions bi.Sessions
	pending  listening.Pending
	slots    chan struct{} // one for each authenticated connection

	mu    sync.Mutex
	conns map[string]int // authenticated connections by person
}

func newConnections(c Config) *connections {
	return &connections{
		Config: c, sessions: bi.Sessions{Access: c.Access, Max: maxOfPerson}, conns: map[string]int{}, slots: make(chan struct{}, maxConnections),
		pending: listening.Pending{Max: maxPending, PerAddress: maxPending / 2},
	}
}

// sessionKey is the context key of a call's session.
type sessionKey struct{}

// session returns the session of a call.
func session(ctx context.Context) *bi.Session {
	s, _ := ctx.Value(sessionKey{}).(*bi.Session)
	return s
}

// signIn authenticates a call. The context carries the person and ends when the token becomes invalid.
func (d *connections) signIn(ctx context.Context) (context.Context, *bi.Session, error) {
	token, ok := tokenOf(ctx)
	if !ok {
		return nil, nil, errToken
	}
	called, session, p, err := d.sessions.Open(ctx, token)
	switch {
	case errors.Is(err, access.ErrUnknown):
		return nil, nil, errToken
	case errors.Is(err, bi.ErrScope):
		return nil, nil, status.Error(codes.PermissionDenied, err.Error())
	case errors.Is(err, bi.ErrSessions):
		return nil, nil, status.Error(codes.ResourceExhausted, "too many calls of one person at once")
	case err != nil:
		d.Log.Error("nobody can be let in over Flight SQL", "error", err)
		return nil, nil, status.Error(codes.Internal, "the token could not be looked up; the log of the server says why")
	}
	if from, ok := peer.FromContext(ctx); ok && !authenticated(from.Addr, p.ID) {
		session.Close()
		return nil, nil, status.Error(codes.ResourceExhausted, "too many connections")
	}
	called = context.WithValue(called, sessionKey{}, session)
	return access.With(access.WithVisit(called, visit(ctx)), p), session, nil
}

// admit refuses a call without a valid token before its message is read, unless somebody has authenticated on its
// connection: otherwise strangers could make the server hold the messages of all calls of all connections.
func (d *connections) admit(ctx context.Context, _ *tap.Info) (context.Context, error) {
	if from, ok := peer.FromContext(ctx); ok && owned(from.Addr) {
		return ctx, nil
	}
	token, ok := tokenOf(ctx)
	if !ok {
		return ctx, errToken
	}
	if _, err := d.Access.Check(ctx, token); errors.Is(err, access.ErrUnknown) {
		return ctx, errToken
	}
	return ctx, nil // signIn reports other errors
}

// visit returns the address and user agent of a call's client.
func visit(ctx context.Context) (v access.Visit) {
	if from, ok := peer.FromContext(ctx); ok {
		v.Address, _, _ = net.SplitHostPort(from.Addr.String()) // TCP addresses have a port
	}
	for _, agent := range metadata.ValueFromIncomingContext(ctx, "user-agent") {
		v.Agent = agent
	}
	return v
}

// unary and stream are interceptors that authenticate every call.
func (d *connections) unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (res any, err error) {
	ctx, session, err := d.signIn(ctx)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	err = d.try(func() (err error) {
		res, err = next(ctx, req)
		return err
	})
	return res, err
}

func (d *connections) stream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	ctx, session, err := d.signIn(stream.Context())
	if err != nil {
		return err
	}
	defer session.Close()
	return d.try(func() error { return next(srv, &signedIn{stream, ctx}) })
}

// try runs a call. A panic, for example in Arrow's code on malformed bytes, ends this call only.
func (c *Config) try(call func() error) error {
	err := panics.Try(call)
	if bad := (*panics.Error)(nil); errors.As(err, &bad) {
		c.Log.Error("a call of Flight SQL panicked", "error", bad, "stack", string(bad.Stack))
		return status.Error(codes.InvalidArgument, "the request makes no sense")
	}
	return err
}

// signedIn is a stream with the context of a signed-in person.
type signedIn struct {
	grpc.ServerStream
	ctx context.Context
}

func (s *signedIn) Context() context.Context { return s.ctx }

// handshaking supports clients that begin with a handshake: it returns their token, which they then send with each
// call.
type handshaking struct{ flight.FlightServer }

func (h *handshaking) Handshake(stream flight.FlightService_HandshakeServer) error {
	token, ok := tokenOf(stream.Context())
	if !ok {
		return errToken
	}
	if err := stream.SendHeader(metadata.Pairs(authorization, "Bearer "+token)); err != nil {
		return fmt.Errorf("answer handshake: %w", err)
	}
	stream.SetTrailer(metadata.Pairs(authorization, "Bearer "+token))
	return nil
}
