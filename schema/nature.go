package schema

// Nature says of a column, or of a member of one, what its type does not: what its values are to people who
// look at many rows at once.
type Nature uint8

// The natures.
const (
	Plain    Nature = iota
	Document        // names a document, each row another one but for repeated submissions
	Client          // names a client
	Release         // names a version or build of the browser: new ones are usual
	Unlisted        // a single person, session, moment or part of the sample: no value says anything about all rows
)

// natures maps the names of columns and members to their nature, unless it is plain. A name has the same
// nature in all tables.
var natures = map[string]Nature{
	"document_id": Document, "id": Document,
	"client_id":   Client,
	"app_version": Release, "app_display_version": Release, "app_build_id": Release, "env_build_id": Release, "env_build_version": Release,
	"previous_build_id": Release, "build_version": Release, "build_id": Release, "version": Release, "display_version": Release,
	"target_version": Release, "target_build_id": Release, "target_display_version": Release, "previous_version": Release,
	"flash_version": Release,
	"session_id":    Unlisted, "subsession_id": Unlisted, "previous_session_id": Unlisted, "previous_subsession_id": Unlisted,
	"session_start_date": Unlisted, "subsession_start_date": Unlisted, "creation_date": Unlisted, "client_submission_date": Unlisted,
	"submission_date": Unlisted, "timestamp": Unlisted, "creation_timestamp": Unlisted, "date": Unlisted, "crashDate": Unlisted,
	"profile_creation_date": Unlisted, "profile_created": Unlisted, "sample_id": Unlisted,
	"default_search_engine_data_submission_url": Unlisted, "submission_url": Unlisted,
}

// NatureOf returns the nature of a column or member by its own name.
func NatureOf(name string) Nature { return natures[name] }
