package view

// widths are the bytes of a value in a vector of DuckDB, by the words of its types. A list and a map have offset and
// length, and their values beside them.
var widths = map[string]int64{
	"BOOLEAN": 1, "TINYINT": 1, "UTINYINT": 1, "SMALLINT": 2, "USMALLINT": 2, "INTEGER": 4, "UINTEGER": 4, "FLOAT": 4, "DATE": 4,
	"BIGINT": 8, "UBIGINT": 8, "DOUBLE": 8, "TIME": 8, "TIMESTAMP": 8,
	"HUGEINT": 16, "DECIMAL": 16, "UUID": 16, "INTERVAL": 16, "VARCHAR": 16, "JSON": 16, "BLOB": 16, "MAP": 16, "[": 16,
}

// Width returns the bytes that DuckDB reserves for a row of the column in a vector, those of all members included, whether
// or not the row has them.
func (c Column) Width() (n int64) {
	start := 0
	for at := 0; at < len(c.Type); at++ {
		switch b := c.Type[at]; {
		case 'A' <= b && b <= 'Z':
			continue
		case b == '"':
			for at++; at < len(c.Type) && c.Type[at] != '"'; at++ { // a quote in a name is two
			}
		default:
			n += widths[c.Type[start:at]]
			if b == '[' {
				n += widths["["]
			}
		}
		start = at + 1
	}
	return n + widths[c.Type[min(start, len(c.Type)):]]
}
