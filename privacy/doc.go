// Package privacy groups the packages that remove people's data. forget records the requests of clients, erase removes
// the rows of these clients from archive and tables, and retain removes days past their retention.
//
// Package forget is in a low layer, because loads and queries read its requests. Only commands, ingest/loader
// and service import the other two.
package privacy
