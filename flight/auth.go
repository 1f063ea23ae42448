package flight

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/panics"
)

// authorization is the name of the header with the token.
const authorization = "authorization"

// errToken is the answer to a call without a token that counts, whatever is wrong with it.
var errToken = status.Error(codes.Unauthenticated, "send an API token that is valid, as a bearer token or as the password of the user token")

// tokenOf finds the token in the header of a call: Bearer TOKEN, or Basic with TOKEN as the password.
func tokenOf(ctx context.Context) (token string, ok bool) {
	values := metadata.ValueFromIncomingContext(ctx, authorization)
	if len(values) != 1 {
		return "", false
	}
	scheme, value, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	value = strings.TrimSpace(value)
	switch strings.ToLower(scheme) {
	case "bearer":
		return value, value != ""
	case "basic":
		text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
		if err != nil {
			return "", false
		}
		_, token, _ := strings.Cut(string(text), ":")
		return token, token != ""
	}
	return "", false
}

// signIn gives a context in which the person of the call's token acts.
func (c *Config) signIn(ctx context.Context) (context.Context, error) {
	token, ok := tokenOf(ctx)
	if !ok {
		return nil, errToken
	}
	p, err := c.Access.Authenticate(ctx, token)
	if errors.Is(err, access.ErrUnknown) {
		return nil, errToken
	}
	if err != nil {
		c.Log.Error("nobody can be let in over Flight SQL", "error", err)
		return nil, status.Error(codes.Internal, "the token could not be looked up; the log of the server says why")
	}
	if !p.Allows(access.QueryScope) {
		return nil, status.Error(codes.PermissionDenied, "the token is not one to ask with: it lacks the scope "+string(access.QueryScope))
	}
	return access.With(access.WithVisit(ctx, visit(ctx)), p), nil
}

// visit says where a call comes from.
func visit(ctx context.Context) (v access.Visit) {
	if from, ok := peer.FromContext(ctx); ok {
		v.Address, _, _ = net.SplitHostPort(from.Addr.String()) // as those of TCP are
	}
	for _, agent := range metadata.ValueFromIncomingContext(ctx, "user-agent") {
		v.Agent = agent
	}
	return v
}

// unary and stream come before every call.
func (c *Config) unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (res any, err error) {
	if ctx, err = c.signIn(ctx); err != nil {
		return nil, err
	}
	err = c.try(func() (err error) {
		res, err = next(ctx, req)
		return err
	})
	return res, err
}

func (c *Config) stream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	ctx, err := c.signIn(stream.Context())
	if err != nil {
		return err
	}
	return c.try(func() error { return next(srv, &signedIn{stream, ctx}) })
}

// try does a call. A panic, as of bytes that Arrow's code did not expect, is the end of the call alone.
func (c *Config) try(call func() error) error {
	err := panics.Try(call)
	if bad := (*panics.Error)(nil); errors.As(err, &bad) {
		c.Log.Error("a call of Flight SQL panicked", "error", bad, "stack", string(bad.Stack))
		return status.Error(codes.InvalidArgument, "the request makes no sense")
	}
	return err
}

// signedIn is a stream in which a person acts.
type signedIn struct {
	grpc.ServerStream
	ctx context.Context
}

func (s *signedIn) Context() context.Context { return s.ctx }

// handshaking lets clients that begin with a handshake have their token back, which they then send with each call.
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
