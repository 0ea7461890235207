package people_test

// Callers that the tables of messaging and identity have in common.
const (
	anonymous = "anonymous"
	stranger  = "stranger"
	admin     = "admin"
)
