package messaging

import "edict/platform/fault"

// Code is an application code: what is wrong, in a number that clients may rely on. The kinds of the
// faults that carry them (and so the HTTP statuses) are in the table below.
type Code int

// The application codes, every one of them.
const (
	CodeNoRecipients      Code = 27 // a message without recipients
	CodeIllegalArgument   Code = 31 // malformed or out of range; reused idempotency key as conflicts
	CodeInternal          Code = 47 // our mistake
	CodeUnknownUser       Code = 48 // in the list of those a message was not sent to
	CodeTooManyRecipients Code = 50 // more than Limits.Recipients
	CodePublishForbidden  Code = 52 // the caller may not publish here
	CodeRateLimit         Code = 54 // slow down
	CodeTooLarge          Code = 60 // payload or body
	CodeToken             Code = 62 // no valid access token
	CodeChannelExists     Code = 63 // the name is taken
	CodeNoChannel         Code = 64 // no such channel, or none for this caller
	CodeReadForbidden     Code = 65 // subscribing or reading items is not allowed
	CodeNotSubscribed     Code = 67 // nothing to cancel
	CodeNotSender         Code = 69 // the status of somebody else's message
	CodeNoMessage         Code = 70 // no such message, or none for this caller
	CodeNotOwner          Code = 71 // only the owner may do this
	CodeNotPermitted      Code = 72 // tags, quotas, administration
	CodeNotFound          Code = 74 // no such path, user or device
	CodeMethod            Code = 75 // the path does not take this method
	CodeContentType       Code = 76 // the body is not JSON
	CodeUnavailable       Code = 77 // the store cannot write or read now
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
