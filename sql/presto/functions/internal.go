package functions

// Internal are functions of DuckDB that translations call and that nobody may call by name.
var Internal = []string{"error"}
