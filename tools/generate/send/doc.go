// Package send sends a synthetic population to an HTTP edge like real clients: requests have the same form, and a
// submission without a final response is sent again after a pause. It records the acknowledged document ids in memory
// and, on request, in a journal that outlives the sender.
//
// A submission whose acknowledgement was lost is sent again and so arrives twice; the server must recognise the
// duplicate.
package send
