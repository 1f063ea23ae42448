// Package send sends a synthetic population to an HTTP edge, as its clients
// would: the requests look like theirs, and what is not answered for good is
// sent again after a pause. It keeps an account of what was acknowledged, by
// document id, in memory and, where wanted, in a journal that outlives the
// sender.
//
// A submission whose acknowledgement was lost on the way is sent again, and so
// arrives twice: to recognise that is the server's work.
package send
