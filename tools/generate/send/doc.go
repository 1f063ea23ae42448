// Package send sends a synthetic population to an HTTP edge, as its clients
// would: the requests look like theirs, and a submission without a final response
// is sent again after a pause. It keeps an account of the acknowledged ones, by
// document id, in memory and, where wanted, in a journal that outlives the
// sender.
//
// A submission whose acknowledgement was lost on the way is sent again, and so
// arrives twice: the server has to recognise it.
package send
