package service

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ingest/spool/kafka"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved/alert"
)

// The parts of the service.
const (
	PartEdge     = "edge"
	PartDecode   = "decode"
	PartSchedule = "schedule"
	PartWeb      = "web"
)

// Config selects the parts of this process and holds their settings.
type Config struct {
	Parts []string // some of PartEdge, PartDecode, PartSchedule and PartWeb
	Data  string   // folder of the installation

	Tables []*schema.Table // that grants may name

	Opening

	Listen string // address of the edge
	Operators
	Edge   edge.Config
	Spool  spool.Options
	Topic  Topic                // in the place of the local spool
	Decode loader.DecodeOptions // Workers 0: one for each core

	Web     web.Settings         // of the query tool
	Alerts  alert.Config         // where alerts of the query tool may go
	Queries queryservice.Options // of the query tool

	Daily        bool          // make the tables of days that are complete
	Lookback     int           // days before the last one that are looked at
	Remake       int           // stale partitions of earlier days that are made again in a day
	FilesEvery   time.Duration // in which every file is read and compared; 0: never
	Profiles     bool          // profile published partitions
	IcebergEvery time.Duration // between commits of rows that arrive, where there are Iceberg tables
	CompactAfter int           // days after which days of the archive get their smallest form; 0: never
	Forget       erase.Timing  // of removals of forgotten clients' rows

	Grace   time.Duration // that requests have at the end
	Version Version
	Program string // version and commit, as the log has them
	Clock   clock.Clock
	Log     *slog.Logger
}

// Version identifies the program to operators.
type Version = edge.VersionInfo

// Operators configures what operators see.
type Operators struct {
	Private      string        // address of the private listener
	Hosts        []string      // names of the private listener
	PProf        bool          // it has /debug/pprof/
	StalledAfter time.Duration // that a submission may wait to be archived; 0: for ever
}

// Opening holds how the installation is opened.
type Opening struct {
	// Installation opens the installation with its users' checks. It is not called in a process that is only an edge.
	Installation func(context.Context) (*site.Site, check.Options, error)
	// Unread means that Tables and the applications of Decode lack those that the lake knows, which could not be read.
	Unread bool
	// Definitions adds the applications that the lake knows to the settings of decoding.
	Definitions func(context.Context, *ingest.Config) error
}

// Topic configures a Kafka topic that replaces the spool.
type Topic struct {
	URL string // empty: the spool is local
	kafka.Config
}

// has reports whether a part runs in this process.
func (c *Config) has(part string) bool { return slices.Contains(c.Parts, part) }

// spoolDir returns the folder of the spool.
func (c *Config) spoolDir() string { return filepath.Join(c.Data, "spool") }

// SetupError means that something in the configuration is unusable, such as a file or an address.
type SetupError struct{ Err error }

func (e *SetupError) Error() string { return e.Err.Error() }

func (e *SetupError) Unwrap() error { return e.Err }
