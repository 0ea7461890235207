package delivery

// Public is public, for tests outside.
var Public = public
