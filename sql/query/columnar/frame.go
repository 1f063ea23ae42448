package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Frame is one message of a stream: the schema or a batch.
type Frame struct {
	Batch bool
	Rows  int64
	Size  int64 // of the whole message
	meta  []byte
	body  []byte
}

// maxMeta is the maximum size of a batch's description in bytes.
const maxMeta = 16 << 20

// ReadFrame reads the next message of a stream that has at most size bytes. It returns io.EOF at the end mark of the
// stream. It never allocates more memory than there are bytes, whatever lengths the stream claims.
func ReadFrame(r io.Reader, size int64) (f Frame, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return f, damaged("it ends too early")
	}
	n := int64(binary.LittleEndian.Uint32(head[4:]))
	if binary.LittleEndian.Uint32(head[:]) != 0xffffffff || n > min(maxMeta, size) {
		return f, damaged("there is no message")
	}
	if n == 0 {
		return f, io.EOF
	}
	f.meta = make([]byte, n)
	if _, err := io.ReadFull(r, f.meta); err != nil {
		return f, damaged("it ends too early")
	}
	length, err := f.check()
	if err != nil {
		return f, damaged(err)
	}
	if length < 0 || length > min(size, maxBody) {
		return f, damaged("a batch is larger than all")
	}
	f.body = make([]byte, length)
	if _, err := io.ReadFull(r, f.body); err != nil {
		return f, damaged("it ends too early")
	}
	f.Size = int64(len(head)) + n + length
	return f, nil
}

// Members of the tables in Arrow's format, as numbered by flatbuffers.
const (
	messageKind, messageHeader, messageLength, messageMetadata = 6, 8, 10, 12
	schemaFields, schemaMetadata, schemaFeatures               = 6, 8, 10
	fieldDictionary, fieldChildren, fieldMetadata              = 12, 14, 16
	batchRows, batchNodes, batchBuffers, batchCompression      = 4, 6, 8, 10
	batchVariadic                                              = 12
)

// Kinds of messages.
const (
	isSchema = 1
	isBatch  = 3
)

// maxFields limits the number of columns with their parts, maxDepth their nesting.
const (
	maxFields = 100_000
	maxDepth  = 64
)

// check validates the description of a message and returns the length of its body. arrow-go, which reads the
// description next, trusts its numbers.
func (f *Frame) check() (body int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a description makes no sense: %v", p)
		}
	}()
	if len(f.meta) < 8 {
		return 0, errors.New("a description is too short")
	}
	message := flatbuffers.Table{Bytes: f.meta, Pos: flatbuffers.GetUOffsetT(f.meta)}
	header := table(&message, messageHeader)
	if header == nil || vector(&message, messageMetadata, 4) != 0 {
		return 0, errors.New("a description is none of a result")
	}
	switch message.GetByteSlot(messageKind, 0) {
	case isSchema:
		left := maxFields
		vector(header, schemaMetadata, 4)
		vector(header, schemaFeatures, 8)
		err = checkFields(header, schemaFields, &left, 0)
	case isBatch:
		f.Batch, f.Rows = true, header.GetInt64Slot(batchRows, 0)
		vector(header, batchNodes, 16)
		vector(header, batchBuffers, 16)
		if f.Rows < 0 || f.Rows > BatchRows || header.Offset(batchCompression) != 0 || header.Offset(batchVariadic) != 0 {
			err = errors.New("a batch is none of a result")
		}
	default:
		err = errors.New("a message is none of a result")
	}
	return message.GetInt64Slot(messageLength, 0), err
}

// table returns a table that is a member of another, nil if it is absent.
func table(t *flatbuffers.Table, member flatbuffers.VOffsetT) *flatbuffers.Table {
	o := flatbuffers.UOffsetT(t.Offset(member))
	if o == 0 {
		return nil
	}
	sub := &flatbuffers.Table{}
	t.Union(sub, o)
	return sub
}

// vector returns the length of a list whose elements have a size of each bytes. It panics if the list is shorter than
// it claims.
func vector(t *flatbuffers.Table, member flatbuffers.VOffsetT, each int) int {
	o := flatbuffers.UOffsetT(t.Offset(member))
	if o == 0 {
		return 0
	}
	n := t.VectorLen(o)
	if n > len(t.Bytes)/each {
		panic("a list is longer than all")
	}
	return n
}

// checkFields validates a list of fields and their parts.
func checkFields(t *flatbuffers.Table, member flatbuffers.VOffsetT, left *int, depth int) error {
	n := vector(t, member, 4)
	if *left -= n; *left < 0 || depth > maxDepth {
		return errors.New("there are too many columns")
	}
	for i := range n {
		at := t.Vector(flatbuffers.UOffsetT(t.Offset(member))) + flatbuffers.UOffsetT(4*i)
		field := &flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at)}
		vector(field, fieldMetadata, 4)
		if field.Offset(fieldDictionary) != 0 {
			return errors.New("a column is none of a result")
		}
		if err := checkFields(field, fieldChildren, left, depth+1); err != nil {
			return err
		}
	}
	return nil
}
