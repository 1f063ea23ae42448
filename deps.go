//go:build deps

package pingmill

import (
	_ "github.com/apache/arrow-go/v18/parquet/file"
	_ "github.com/apache/arrow-go/v18/parquet/pqarrow"
	_ "github.com/duckdb/duckdb-go/v2"
	_ "github.com/google/uuid"
	_ "github.com/klauspost/compress/gzip"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/klauspost/compress/s2"
	_ "github.com/maxmind/mmdbwriter"
	_ "github.com/oschwald/maxminddb-golang/v2"
	_ "github.com/parquet-go/parquet-go"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/spf13/cobra"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/cpu"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/term"
	_ "gopkg.in/yaml.v3"
	_ "modernc.org/sqlite"
	_ "github.com/mmcloughlin/avo/build"
	_ "github.com/valyala/fastjson"
	_ "github.com/dustin/go-humanize"
)
