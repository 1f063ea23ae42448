package flight

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/store/database"
)

// emptyExecutor gives results without columns.
type emptyExecutor struct{}

func (emptyExecutor) Schema(context.Context, *access.Person, bi.Request) (*arrow.Schema, error) {
	return nil, nil
}

func (emptyExecutor) Run(context.Context, *access.Person, bi.Request) (*bi.Result, error) {
	return nil, &queryservice.Failure{Kind: "Parser Error", Message: "the query is empty"}
}

// FuzzCalls sends bytes as commands, tickets, actions and data to a server, which answers each and goes on.
func FuzzCalls(f *testing.F) {
	store, err := access.Open(f.Context(), database.In(f.TempDir()), time.Now)
	require.NoError(f, err)
	f.Cleanup(func() { _ = store.Close() })
	p, err := store.Add(f.Context(), access.Person{Name: "somebody", Kind: access.Service})
	require.NoError(f, err)
	_, token, err := store.NewToken(f.Context(), p.ID, access.Token{Name: "test", Scopes: []access.Scope{access.QueryScope}})
	require.NoError(f, err)
	server, err := New(Config{Executor: emptyExecutor{}, Access: store, Log: slog.New(slog.DiscardHandler)})
	require.NoError(f, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(f, err)
	ctx, stop := context.WithCancel(context.Background())
	f.Cleanup(stop)
	go func() { _ = server.Serve(ctx, l) }()
	conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(f, err)
	f.Cleanup(func() { _ = conn.Close() })
	c := flight.NewClientFromConn(conn, nil)
	f.Add(byte(0), "CancelFlightInfo", []byte("\n?type.googleapis.com/arrow.flight.protocol.sql.CommandGetTables\x12\x00"))
	f.Add(byte(1), "CreatePreparedStatement", []byte("\nCtype.googleapis.com/arrow.flight.protocol.sql.TicketStatementQuery\x12\x00"))
	for n := range byte(6) {
		f.Add(n, "CancelQuery", []byte("{}"))
	}
	f.Fuzz(func(t *testing.T, which byte, kind string, body []byte) {
		ctx := metadata.AppendToOutgoingContext(t.Context(), authorization, "Bearer "+token)
		err := callWith(ctx, c, which, kind, body)
		if status.Code(err) == codes.Unavailable {
			t.Errorf("the server is gone: %v", err)
		}
	})
}

// callWith makes one of the calls there are.
func callWith(ctx context.Context, c flight.Client, which byte, kind string, body []byte) error {
	switch which % 6 {
	case 0:
		_, err := c.GetFlightInfo(ctx, &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: body})
		return err
	case 1:
		stream, err := c.DoGet(ctx, &flight.Ticket{Ticket: body})
		if err == nil {
			_, err = stream.Recv()
		}
		return err
	case 2:
		stream, err := c.DoAction(ctx, &flight.Action{Type: kind, Body: body})
		if err == nil {
			_, err = stream.Recv()
		}
		return err
	case 3:
		_, err := c.GetSchema(ctx, &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: body})
		return err
	case 4:
		stream, err := c.DoPut(ctx)
		if err == nil {
			err = stream.Send(&flight.FlightData{FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: body}, DataHeader: body,
				DataBody: body})
		}
		if err == nil {
			_, err = stream.Recv()
		}
		return err
	}
	_, err := c.PollFlightInfo(ctx, &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: body})
	return err
}
