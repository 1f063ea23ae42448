package parquet

import (
	"math"

	"github.com/pingmill/pingmill/schema"
)

// Enumerations of the parquet format.
const (
	typeBoolean = 0
	typeInt32   = 1
	typeInt64   = 2
	typeFloat   = 4
	typeDouble  = 5
	typeBytes   = 6
	typeFixed   = 7

	encodingPlain         = 0
	encodingPlainDict     = 2 // old name of the dictionary encoding
	encodingRLE           = 3
	encodingRLEDictionary = 8
	codecUncompressed     = 0
	codecZstd             = 6
	pageData              = 0
	pageIndex             = 1
	pageDictionary        = 2
	repetitionRequired    = 0
	repetitionOptional    = 1
	repetitionRepeated    = 2
	convertedUTF8         = 0
	convertedMap          = 1
	convertedList         = 3
	convertedDecimal      = 5
	convertedDate         = 6
	convertedMicros       = 10 // a timestamp
	logicalString         = 1
	logicalMap            = 2
	logicalList           = 3
	logicalDecimal        = 5
	logicalDate           = 6
	logicalTime           = 7
	logicalTimestamp      = 8
	logicalInteger        = 10
	unitMillis            = 1
	unitMicros            = 2
	unitNanos             = 3
)

const magic = "PAR1"

// physical returns the parquet type that stores a kind.
func physical(k schema.Kind) int {
	switch k.Stored() {
	case schema.Boolean:
		return typeBoolean
	case schema.Int:
		return typeInt32
	case schema.Long:
		return typeInt64
	case schema.Double:
		return typeDouble
	case schema.Decimal:
		return typeFixed
	default:
		return typeBytes
	}
}

// isText reports whether the values of a kind have a length of their own.
func isText(k schema.Kind) bool { return k == schema.String || k == schema.Binary }

// decimalBytes returns the number of bytes that hold every value of a number of decimal digits as two's complement.
func decimalBytes(precision int) int {
	return int(math.Ceil((float64(precision)*math.Log2(10) + 1) / 8))
}
