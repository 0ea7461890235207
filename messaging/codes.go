package messaging

import "edict/platform/fault"

// Code is an application code: what is wrong, in a number that clients may rely on. The kinds of the
// faults that carry them (and so the HTTP statuses) are in the table below.
type Code int

// The application codes, every one of them.
const (
	CodeNoRecipients      Code = 27 // message without recipients; name at least one user id
	CodeIllegalArgument   Code = 31 // malformed value or value out of range; correct the field in the message
	CodeInternal          Code = 47 // internal error; retry later, then report it
	CodeUnknownUser       Code = 48 // unknown recipient in unsentList; check the user id
	CodeTooManyRecipients Code = 50 // too many recipients; send several requests
	CodePublishForbidden  Code = 52 // publishing not allowed; ask the channel owner
	CodeRateLimit         Code = 54 // rate limit exceeded; wait for Retry-After seconds
	CodeTooLarge          Code = 60 // content or body too large; send less
	CodeToken             Code = 62 // no valid access token; sign in or refresh
	CodeChannelExists     Code = 63 // channel name taken; choose another name
	CodeNoChannel         Code = 64 // no such channel, or hidden from the caller; check the name
	CodeReadForbidden     Code = 65 // subscribing or reading not allowed; ask the channel owner
	CodeNotSubscribed     Code = 67 // no subscription to cancel; nothing to do
	CodeNotSender         Code = 69 // status of another user's message; only the sender can read it
	CodeNoMessage         Code = 70 // no such message for the caller; check the id
	CodeNotOwner          Code = 71 // owner required; ask the channel owner or an admin
	CodeNotPermitted      Code = 72 // not permitted, or quota reached; ask an admin
	CodeNotFound          Code = 74 // no such path, user or device; check the request
	CodeMethod            Code = 75 // method not allowed; use a method of the Allow header
	CodeContentType       Code = 76 // body is not JSON; send application/json
	CodeUnavailable       Code = 77 // store unavailable; retry after Retry-After seconds
	CodeFull              Code = 78 // disk nearly full; retry after Retry-After seconds, or ask an admin
)

// kinds gives every code the kind that most of its errors have.
var kinds = map[Code]fault.Kind{
	CodeNoRecipients:      fault.Invalid,
	CodeIllegalArgument:   fault.Invalid,
	CodeInternal:          fault.Internal,
	CodeUnknownUser:       fault.NotFound,
	CodeTooManyRecipients: fault.Invalid,
	CodePublishForbidden:  fault.Forbidden,
	CodeRateLimit:         fault.TooMany,
	CodeTooLarge:          fault.TooLarge,
	CodeToken:             fault.Unauthenticated,
	CodeChannelExists:     fault.Conflict,
	CodeNoChannel:         fault.NotFound,
	CodeReadForbidden:     fault.Forbidden,
	CodeNotSubscribed:     fault.Gone,
	CodeNotSender:         fault.Forbidden,
	CodeNoMessage:         fault.NotFound,
	CodeNotOwner:          fault.Forbidden,
	CodeNotPermitted:      fault.Forbidden,
	CodeNotFound:          fault.NotFound,
	CodeMethod:            fault.MethodNotAllowed,
	CodeContentType:       fault.Unsupported,
	CodeUnavailable:       fault.Unavailable,
	CodeFull:              fault.Full,
}

// codes is the reverse for faults that come without a code (from the platform): one code per kind.
var codes = map[fault.Kind]Code{
	fault.Internal:         CodeInternal,
	fault.Invalid:          CodeIllegalArgument,
	fault.Unauthenticated:  CodeToken,
	fault.Forbidden:        CodeNotPermitted,
	fault.NotFound:         CodeNotFound,
	fault.Conflict:         CodeIllegalArgument,
	fault.Gone:             CodeNotFound,
	fault.TooLarge:         CodeTooLarge,
	fault.Unsupported:      CodeContentType,
	fault.MethodNotAllowed: CodeMethod,
	fault.Unprocessable:    CodeIllegalArgument,
	fault.TooMany:          CodeRateLimit,
	fault.Unavailable:      CodeUnavailable,
	fault.NotImplemented:   CodeNotFound,
	fault.Full:             CodeFull,
}

// CodeOf returns the application code of any error: its own, else that of its kind.
func CodeOf(err error) Code {
	f := fault.From(err)
	if f.Code != 0 {
		return Code(f.Code)
	}
	return codes[f.Kind]
}

// fail makes the fault of a code, with the kind of the table.
func fail(code Code, format string, args ...any) *fault.Error {
	return fault.New(kinds[code], format, args...).WithCode(int(code))
}

func invalid(format string, args ...any) *fault.Error {
	return fail(CodeIllegalArgument, format, args...)
}

// conflict is an illegal argument that only the state of the store makes illegal.
func conflict(format string, args ...any) *fault.Error {
	return fault.New(fault.Conflict, format, args...).WithCode(int(CodeIllegalArgument))
}
