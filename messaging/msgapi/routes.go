package msgapi

// The table of routes. A route's policy names the rule of package messaging that decides about the
// caller; the rules themselves are in messaging/policy.go.

import (
	"math"
	"net/http"
	"slices"

	"edict/messaging"
	"edict/platform/web"
)

const (
	channelParam   = "channel_name"
	itemParam      = "item_id"
	idempotencyKey = "Idempotency-Key"

	channels = Prefix + "/channels"
	channel  = channels + "/{" + channelParam + "}"
	messages = Prefix + "/messages"
	devices  = Prefix + "/devices"
)

// policy makes a policy of the service: a caller is always required.
func policy(name, description string) web.Policy {
	return web.Policy{Name: name, Access: web.RequiredCaller, Description: description}
}

// The policies, each named after the rule it stands for.
var (
	anyCaller     = policy("any caller", "Any caller with a valid token; the response contains only data that the caller may see.")
	readRecord    = policy("MayReadRecord", "Public channels: all users. Private channels: users who know the full name. Invite-only channels: owner and invited users.")
	readItems     = policy("MayReadItems", "Public channels: all users. Private channels: owner and subscribers.")
	markReads     = policy("MayReadItems, subscribed", "Subscribers who may read the items, for their own read position.")
	maySubscribe  = policy("MaySubscribe", "Users who may read the record, while the channel accepts subscriptions.")
	unsubscribe   = policy("MayUnsubscribe", "Users who may read the record, for their own subscriptions.")
	mayPublish    = policy("MayPublish", "Depends on the channel's publish permission: anyone, owner or subscribers.")
	mayCorrect    = policy("MayCorrect", "The author of the item, while the author may publish in the channel.")
	mayTag        = policy("MayTag", "The owner; on public channels also users who may publish.")
	deleteChannel = policy("MayDeleteChannel", "The owner.")
	deleteItems   = policy("MayDeleteItems", "The owner.")
	mayInvite     = policy("MayInvite", "The owner.")
	mayChange     = policy("MayChangeChannel", "The owner.")
	mayRemove     = policy("MayRemoveMember", "The owner.")
	mayBan        = policy("MayBan", "The owner.")
	readStatus    = policy("MayReadStatus", "The sender of the message.")
	ownInbox      = policy("recipient", "The recipient of the message.")
	ownDevices    = policy("own devices", "Any caller, for their own devices.")
)

func (a *API) routes() []web.Route {
	return slices.Concat(a.channelRoutes(), a.invitationRoutes(), a.subscriptionRoutes(), a.memberRoutes(), a.tagRoutes(), a.itemRoutes(), a.messageRoutes(), a.deviceRoutes(), a.adminRoutes())
}

// Parameters that several routes have.
var (
	nameParam = web.Param{Name: channelParam, In: "path", Type: web.Matching(refPattern), Required: true, Example: "news",
		Description: "The bare name of a public channel or of the caller's private channel, or <user_id>#<name> for any private channel (encode # as %23)."}
	personalParam = web.Param{Name: "personal", Type: false, Example: false,
		Description: "With a bare name: true selects the caller's private channel, false the public one. Default: the public one if it exists, else the caller's."}
	personalFalse = web.Param{Name: "personal", Type: false, Example: false,
		Description: "With a bare name: true selects the caller's private channel, false (default) the public one."}
	offsetParam = web.Param{Name: "offset", Type: web.Between(0, math.MaxInt), Example: 0, Description: "Number of results to skip. Default 0."}
	cursorParam = web.Param{Name: "cursor", Example: exampleCursor, Description: "nextCursor of the previous page. Omit it for the first page."}
	memberParam = web.Param{Name: userParam, In: "path", Type: web.Matching(idPattern), Required: true, Example: exampleUser, Description: "The user."}
	sizeParam   = web.Param{Name: "size", Type: web.Between(1, 1000), Example: 200, Description: "Maximum number of results, 1 to 1000. Default 200."}
	onceParam   = web.Param{Name: idempotencyKey, In: "header", Type: web.Schema{"type": "string", "maxLength": 255}, Example: "order-4711",
		Description: "A repeated key with the same request within 24 hours has no further effect and returns the first response. A different request gets 409."}
)

// Patterns of names, as package messaging checks them: ids, channels as paths name them, and texts of one line and of several.
const (
	idPattern   = `^[A-Za-z0-9_.-]{1,64}$`
	refPattern  = `^([A-Za-z0-9_.-]{1,64}#)?[A-Za-z0-9_.-]{1,50}$`
	textPattern = `^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$`
)

// failures documents answers of some statuses that several routes have.
func failures(status ...int) []web.Answer {
	out := make([]web.Answer, len(status))
	for i, s := range status {
		out[i] = web.Answer{Status: s}
	}
	return out
}

// common are the failures every route has.
var common = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable}

// answers documents the good answer and the failures besides the common ones.
func answers(status int, example any, failing ...int) []web.Answer {
	good := web.Answer{Status: status, Example: example, Type: example}
	if example == nothing {
		good = web.Answer{Status: status, Description: "Done; no body.", Empty: true}
	}
	all := append(slices.Clone(common), failing...)
	slices.Sort(all)
	return append([]web.Answer{good}, failures(all...)...)
}

// nothing marks an answer without a body.
var nothing = any(struct{}{})

// Examples.
const (
	exampleUser    = "9f3c0d6a41e24f7f8d1b7c5a2e6b9d10"
	exampleItem    = "38eyw641c00003tg1n7c33q3"
	exampleMessage = "38eyw644e00013q1fngs7hb1"
	exampleCursor  = "AZ3kq0"
	exampleTime    = "2026-11-15T09:30:00.000+00:00"
)

var exampleContent = messaging.Content(`{"title":"Housing allowance","amount":312.50}`)

func exampleRecord() channelRecord {
	return channelRecord{
		Name: "news", Description: "Changes in the law", Creator: exampleUser + "%edict@localhost/-",
		CreationDate: exampleTime, ModifiedDate: exampleTime, Persistent: true, MaxItems: messaging.Unlimited, MaxPayloadSize: 2097152,
		SubscriptionEnabled: true, PublishPermission: "owner",
	}
}

func (a *API) channelRoutes() []web.Route {
	reading := channelReading{channelRecord: exampleRecord(), PublisherPermission: "owner", Owner: orNull(exampleUser)}
	reading.PublishPermission = ""
	changed := reading
	changed.MaxItems = 100
	zulu := "2026-11-15T09:30:00.000Z"
	return []web.Route{
		{
			Method: http.MethodPost, Path: channels, Policy: anyCaller, Handle: a.handle(a.createChannel),
			Doc: web.Doc{
				ID: "createChannel", Summary: "Create a channel",
				Description: "Creates a public channel, or a private one in the caller's own namespace. The caller owns it and, unless subscribeOnCreate is false, is subscribed to it.",
				Body:        &web.Body{Type: newChannel{}, Example: map[string]any{"channelName": "news", "description": "Changes in the law", "publishPermission": "owner", "maxItems": 1000}},
				Answers:     answers(http.StatusCreated, success{Message: "Channel created"}, http.StatusForbidden, http.StatusConflict, http.StatusInsufficientStorage),
			},
		},
		{
			Method: http.MethodGet, Path: channels, Policy: anyCaller, Handle: a.handle(a.searchChannels),
			Doc: web.Doc{
				ID: "searchChannels", Summary: "Search channels",
				Description: "Finds public channels and the caller's own private ones that meet all criteria, by name and then by creation.",
				Params: []web.Param{
					{Name: "channelName", Type: web.Matching(textPattern), Example: "new", Description: "Part of the name, case-insensitive."},
					{Name: "description", Type: web.Matching(textPattern), Example: "change", Description: "Part of the description, case-insensitive."},
					{Name: "tag", Type: web.Schema{"type": "array", "items": web.Schema{"type": "string"}, "maxItems": 100}, Example: []string{"housing"}, Description: "A tag, repeatable. See tagMatch."},
					{Name: "tagMatch", Type: web.OneOf("any", "all"), Example: "any", Description: "Match any (default) or all tags."},
					offsetParam, sizeParam,
				},
				Answers: answers(http.StatusOK, searchResult{Total: 1, Results: []channelRecord{exampleRecord()}}),
			},
		},
		{
			Method: http.MethodGet, Path: channel, Policy: readRecord, Handle: a.handle(a.readChannel),
			Doc: web.Doc{
				ID: "readChannel", Summary: "Read a channel",
				Description: "Returns a channel's record. The publish permission is called publisherPermission here.",
				Params:      []web.Param{nameParam, personalParam},
				Answers:     answers(http.StatusOK, reading, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodPatch, Path: channel, Policy: mayChange, Handle: a.handle(a.changeChannel),
			Doc: web.Doc{
				ID: "changeChannel", Summary: "Change a channel",
				Description: "Changes the fields in the body and returns the record. If anything changed, subscribers get a changed event. Subscriptions stay. A public channel can be transferred to a subscriber.",
				Params:      []web.Param{nameParam, personalParam},
				Body:        &web.Body{Type: channelChange{}, Example: map[string]any{"description": "Changes in the law", "maxItems": 100}},
				Answers:     answers(http.StatusOK, changed, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodDelete, Path: channel, Policy: deleteChannel, Handle: a.handle(a.deleteChannel),
			Doc: web.Doc{
				ID: "deleteChannel", Summary: "Delete a channel",
				Description: "Deletes a channel with its items, tags and subscriptions. Its subscribers get an event.",
				Params:      []web.Param{nameParam, personalFalse},
				Answers:     answers(http.StatusOK, nothing, http.StatusForbidden, http.StatusNotFound),
			},
		},
		{
			Method: http.MethodGet, Path: channel + "/summary", Policy: readItems, Handle: a.handle(a.channelSummary),
			Doc: web.Doc{
				ID: "channelSummary", Summary: "Summary of a channel",
				Description: "Returns the number of stored items and the time of the last publish.",
				Params:      []web.Param{nameParam, personalParam},
				Answers:     answers(http.StatusOK, channelSummary{ChannelName: "news", PublishedItemCount: 42, LastPublishedTime: &zulu}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
	}
}

func (a *API) invitationRoutes() []web.Route {
	return []web.Route{
		{
			Method: http.MethodPost, Path: channel + "/invite", Policy: mayInvite, Handle: a.handle(a.invite),
			Doc: web.Doc{
				ID: "invite", Summary: "Invite users",
				Description: "Invites users to an invite-only channel. They get an event. Repeating the call changes nothing.",
				Params:      []web.Param{nameParam, personalParam},
				Body:        &web.Body{Type: invitation{}, Example: invitation{UserIDs: []messaging.UserID{exampleUser}}},
				Answers:     answers(http.StatusOK, invited{1}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusInsufficientStorage),
			},
		},
		{
			Method: http.MethodDelete, Path: channel + "/invite/{" + userParam + "}", Policy: mayInvite, Handle: a.handle(a.withdrawInvite),
			Doc: web.Doc{
				ID: "withdrawInvite", Summary: "Withdraw an invitation",
				Description: "Withdraws an invitation and ends that user's subscriptions to the channel.",
				Params: []web.Param{nameParam, personalParam,
					{Name: userParam, In: "path", Type: web.Matching(idPattern), Required: true, Example: exampleUser, Description: "The user who was invited."}},
				Answers: answers(http.StatusOK, nothing, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
	}
}

func (a *API) subscriptionRoutes() []web.Route {
	list := []subscription{{UserID: exampleUser, ChannelName: "news", SubscriptionID: "1vwq1tq9t5s2g6c8w3e0k7pz"}}
	read := exampleItem
	mine := []mySubscription{{list[0], "all", &read, 3}}
	return []web.Route{
		{
			Method: http.MethodPut, Path: channel + "/subscribe", Policy: maySubscribe, Handle: a.handle(a.subscribe),
			Doc: web.Doc{
				ID: "subscribe", Summary: "Subscribe",
				Description: "Subscribes the caller, or one device of the caller. Subscribing again returns the same subscription. With wake all, new items by other users wake disconnected devices by push, once until the device connects or 15 minutes pass.",
				Params:      []web.Param{nameParam, personalParam},
				Body:        &web.Body{Type: subscribing{}, Example: map[string]any{"wake": "all"}, Optional: true},
				Answers:     answers(http.StatusOK, subscribed{Code: 200, SubID: "1vwq1tq9t5s2g6c8w3e0k7pz", Msg: "Success"}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusInsufficientStorage),
			},
		},
		{
			Method: http.MethodPut, Path: channel + "/unsubscribe", Policy: unsubscribe, Handle: a.handle(a.unsubscribe),
			Doc: web.Doc{
				ID: "unsubscribe", Summary: "Unsubscribe",
				Description: "Cancels all of the caller's subscriptions to a channel.",
				Params:      []web.Param{nameParam, personalParam},
				Answers:     answers(http.StatusOK, success{Message: "1 subscription is cancelled", Code: 200}, http.StatusNotFound, http.StatusConflict, http.StatusGone),
			},
		},
		{
			Method: http.MethodPut, Path: channel + "/read", Policy: markReads, Handle: a.handle(a.markRead),
			Doc: web.Doc{
				ID: "markRead", Summary: "Mark as read",
				Description: "Sets the subscribed caller's read position in a channel, for all devices. my_subscriptions counts later items, and the caller's streams get a read event. The position never moves back: an earlier item changes nothing.",
				Params:      []web.Param{nameParam, personalParam},
				Body:        &web.Body{Type: reading{}, Example: reading{exampleItem}},
				Answers:     answers(http.StatusOK, success{Message: "Success", Code: 200}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusGone),
			},
		},
		{
			Method: http.MethodGet, Path: channel + "/subscriptions", Policy: readItems, Handle: a.handle(a.subscriptions),
			Doc: web.Doc{
				ID: "listSubscriptions", Summary: "List subscriptions",
				Description: "Returns a channel's subscriptions, oldest first.",
				Params:      []web.Param{nameParam, personalParam},
				Answers:     answers(http.StatusOK, list, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodGet, Path: channels + "/my_subscriptions", Policy: anyCaller, Handle: a.handle(a.mySubscriptions),
			Doc: web.Doc{
				ID: "mySubscriptions", Summary: "List the caller's subscriptions",
				Description: "Returns the caller's subscriptions to all channels, oldest first, with unread counts.",
				Answers:     answers(http.StatusOK, mine),
			},
		},
	}
}

func (a *API) tagRoutes() []web.Route {
	yes := true
	return []web.Route{
		{
			Method: http.MethodPost, Path: channel + "/tags", Policy: mayTag, Handle: a.handle(a.addTags),
			Doc: web.Doc{
				ID: "addTags", Summary: "Add tags",
				Description: "Adds tags to a channel, all or none. Existing tags, compared without case, stay unchanged.",
				Params:      []web.Param{nameParam, personalFalse},
				Body:        &web.Body{Type: tagging{}, Example: tagging{Personal: &yes, Tags: []string{"housing", "2026"}}},
				Answers:     answers(http.StatusOK, success{Message: "Success", Code: 200}, http.StatusForbidden, http.StatusNotFound, http.StatusInsufficientStorage),
			},
		},
		{
			Method: http.MethodGet, Path: channel + "/tags", Policy: readRecord, Handle: a.handle(a.tags),
			Doc: web.Doc{
				ID: "listTags", Summary: "List tags",
				Description: "Returns a channel's tags in alphabetical order.",
				Params:      []web.Param{nameParam, personalParam},
				Answers:     answers(http.StatusOK, tagList{ChannelName: "news", Tags: []string{"2026", "housing"}}, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodDelete, Path: channel + "/tags/{tag}", Policy: mayTag, Handle: a.handle(a.removeTag),
			Doc: web.Doc{
				ID: "removeTag", Summary: "Delete one tag",
				Description: "Removes a tag, case-insensitive. A missing tag is not an error.",
				Params:      []web.Param{nameParam, {Name: "tag", In: "path", Required: true, Example: "housing", Description: "The tag."}, personalFalse},
				Answers:     answers(http.StatusOK, nothing, http.StatusForbidden, http.StatusNotFound),
			},
		},
		{
			Method: http.MethodDelete, Path: channel + "/tags", Policy: mayTag, Handle: a.handle(a.removeAllTags),
			Doc: web.Doc{
				ID: "removeAllTags", Summary: "Delete all tags",
				Description: "Removes all tags of a channel.",
				Params:      []web.Param{nameParam, personalFalse},
				Answers:     answers(http.StatusOK, nothing, http.StatusForbidden, http.StatusNotFound),
			},
		},
	}
}

func (a *API) itemRoutes() []web.Route {
	next := exampleCursor
	one := item{
		ItemID: exampleItem, ChannelName: "news", Publisher: publisher{UserID: exampleUser}, Content: exampleContent,
		MetaData: metaData{CreationDate: exampleTime},
	}
	ids := web.Param{Name: "id", Type: web.Schema{"type": "array", "items": web.Schema{"type": "string"}, "minItems": 1, "maxItems": 1000}, Required: true, Example: []string{exampleItem}, Description: "An item id; repeatable, up to 1000."}
	return []web.Route{
		{
			Method: http.MethodPost, Path: channel + "/items", Policy: mayPublish, Handle: a.handle(a.publish), Errors: shapePublishError,
			Doc: web.Doc{
				ID: "publishItem", Summary: "Publish an item",
				Description: "Publishes an item. The response is sent once the item is on disk. Errors also contain status ERROR and messageId null.",
				Params:      []web.Param{nameParam, personalParam, onceParam},
				Body:        &web.Body{Type: draft{}, Example: map[string]any{"content": exampleContent}},
				Answers: answers(http.StatusCreated, published{Message: "Successfully published message", Status: "OK", MessageID: exampleItem},
					http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage),
			},
		},
		{
			Method: http.MethodGet, Path: channel + "/items", Policy: readItems, Handle: a.handle(a.itemsByID),
			Doc: web.Doc{
				ID: "itemsByID", Summary: "Fetch items by id",
				Description: "Returns items in the order of the ids. Unknown ids are skipped. More than 8 MiB of items gets 400: request fewer at a time.",
				Params:      []web.Param{nameParam, ids, personalParam},
				Answers:     answers(http.StatusOK, itemList{TotalCount: 1, Items: []item{one}}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodGet, Path: channel + "/items/fetch", Policy: readItems, Handle: a.handle(a.fetchItems),
			Doc: web.Doc{
				ID: "fetchItems", Summary: "Fetch items by time range",
				Description: "Returns the items published from since up to, but not including, until. nextCursor returns the next page at constant cost. A page ends after 8 MiB of content, or earlier when the server is short of memory. Continue with nextCursor, or add the number of items to offset.",
				Params: []web.Param{
					nameParam,
					{Name: "since", Type: web.ADate(), Example: "2026-11-01T00:00:00Z", Description: "ISO 8601 date or date-time, UTC without an offset. Defaults to the beginning."},
					{Name: "until", Type: web.ADate(), Example: "2026-12-01", Description: "ISO 8601 date or date-time. Default: no end."},
					{Name: "sort_order", Type: web.OneOf("ASC", "DESC"), Example: "ASC", Description: "ASC (default) or DESC."},
					offsetParam, sizeParam,
					{Name: "cursor", Example: next, Description: "nextCursor of the previous page; it includes range and order."},
					personalParam,
				},
				Answers: answers(http.StatusOK, itemList{TotalCount: 250, Items: []item{one}, NextCursor: &next}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodPut, Path: channel + "/items/{" + itemParam + "}", Policy: mayCorrect, Handle: a.handle(a.correctItem), Errors: shapePublishError,
			Doc: web.Doc{
				ID: "correctItem", Summary: "Correct an item",
				Description: "Replaces the content of an item that the caller published. The item keeps its id and position, its metaData gets an editedDate, and streams send an item event with edited true. Omitted fields stay unchanged.",
				Params: []web.Param{nameParam,
					{Name: itemParam, In: "path", Required: true, Example: exampleItem, Description: "The item."}, personalParam, onceParam},
				Body: &web.Body{Type: redraft{}, Example: map[string]any{"content": exampleContent}},
				Answers: answers(http.StatusOK, corrected{"Successfully corrected message", "OK", exampleItem, exampleTime},
					http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage),
			},
		},
		{
			Method: http.MethodDelete, Path: channel + "/items", Policy: deleteItems, Handle: a.handle(a.deleteItems),
			Doc: web.Doc{
				ID: "deleteItems", Summary: "Delete items by id",
				Description: "Deletes items and returns 200 for each id, or 404 if the channel has no such item.",
				Params:      []web.Param{nameParam, ids, personalParam},
				Answers:     answers(http.StatusOK, map[string]int{exampleItem: 200}, http.StatusForbidden, http.StatusNotFound, http.StatusConflict),
			},
		},
		{
			Method: http.MethodDelete, Path: channel + "/items/all", Policy: deleteItems, Handle: a.handle(a.deleteAllItems),
			Doc: web.Doc{
				ID: "deleteAllItems", Summary: "Delete all items",
				Description: "Deletes all items of a channel; the channel stays.",
				Params:      []web.Param{nameParam, personalFalse},
				Answers:     answers(http.StatusOK, nothing, http.StatusForbidden, http.StatusNotFound),
			},
		},
	}
}

func (a *API) messageRoutes() []web.Route {
	next := exampleCursor
	id := web.Param{Name: "message_id", In: "path", Required: true, Example: exampleMessage, Description: "The messageId of the send result."}
	result := sendResult{
		Count:      sendCount{Requested: 1, Sent: 1},
		SentList:   []sent{{MessageID: exampleMessage, RecipientUsername: "ada", RecipientUserID: exampleUser}},
		UnsentList: []unsent{},
	}
	return []web.Route{
		{
			Method: http.MethodPost, Path: messages + "/send_to_user_ids", Policy: anyCaller, Handle: a.handle(a.send),
			Doc: web.Doc{
				ID: "sendToUserIds", Summary: "Send a message to users",
				Description: "Stores a message for each existing recipient, once per device, until it is acknowledged or expires. The response is sent once it is on disk.",
				Params:      []web.Param{onceParam},
				Body: &web.Body{Type: outgoing{}, Example: map[string]any{
					"recipientUserIds": []string{exampleUser}, "receipt": true, "content": exampleContent, "metadata": map[string]any{"case": 4711},
				}},
				Answers: answers(http.StatusOK, result, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage),
			},
		},
		{
			Method: http.MethodGet, Path: messages + "/{message_id}", Policy: readStatus, Handle: a.handle(a.messageStatus),
			Doc: web.Doc{
				ID: "messageStatus", Summary: "Delivery status of a message",
				Description: "Returns one record per recipient device. States: PENDING, WAKEUP_REQUIRED, WAKEUP_SENT, WAKEUP_TIMEDOUT, DELIVERY_ATTEMPTED, DELIVERED, RECEIVED, TIMEDOUT.",
				Params:      []web.Param{id},
				Answers: answers(http.StatusOK, []deliveryStatus{{
					State: "WAKEUP_REQUIRED", Recipient: exampleUser, Sender: exampleUser, AppID: "edict", DeviceID: "phone-1", MessageID: exampleMessage, QueuedAt: exampleTime,
				}}, http.StatusForbidden, http.StatusNotFound),
			},
		},
		{
			Method: http.MethodPost, Path: messages + "/{message_id}/ack", Policy: ownInbox, Handle: a.handle(a.acknowledge),
			Doc: web.Doc{
				ID: "acknowledge", Summary: "Acknowledge a message",
				Description: "Records that the caller's copy is DELIVERED (the device has it) or RECEIVED (the user has it). Repeatable. With receipt:true the sender gets a receipt event.",
				Params:      []web.Param{id},
				Body:        &web.Body{Type: acknowledgement{}, Example: acknowledgement{"RECEIVED"}},
				Answers:     answers(http.StatusOK, success{Message: "Success", Code: 200}, http.StatusNotFound),
			},
		},
		{
			Method: http.MethodGet, Path: messages, Policy: anyCaller, Handle: a.handle(a.inbox),
			Doc: web.Doc{
				ID: "inbox", Summary: "Read the inbox",
				Description: "Returns the caller's unexpired messages, oldest first, acknowledged ones included.",
				Params: []web.Param{
					{Name: "cursor", Example: next, Description: "nextCursor of the previous page. Omit it for the first page."}, sizeParam,
				},
				Answers: answers(http.StatusOK, inbox{NextCursor: &next, Messages: []inboxMessage{{
					MessageID: exampleMessage, Sender: exampleUser, Content: exampleContent, Metadata: messaging.Content(`{"case":4711}`), Receipt: true, QueuedAt: exampleTime, State: "PENDING",
				}}}),
			},
		},
	}
}

func (a *API) deviceRoutes() []web.Route {
	examplePublicKey := "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
	one := device{DeviceID: "phone-1", Label: "Ada's phone", Platform: "web", Push: &pushTarget{"webpush"}, CreationDate: exampleTime}
	return []web.Route{
		{
			Method: http.MethodPost, Path: devices, Policy: ownDevices, Handle: a.handle(a.registerDevice),
			Doc: web.Doc{
				ID: "registerDevice", Summary: "Register a device",
				Description: "Registers or replaces a device of the caller. Messages stored for a user without devices go to the first one registered. With push, they wake it. " +
					"push contains values from the push service. Browsers: PushSubscription.toJSON(). FCM: the registration token. APNs: the device token.",
				Body: &web.Body{Type: newDevice{}, Example: map[string]any{
					"deviceId": "phone-1", "label": "Ada's phone", "platform": "web",
					"push": map[string]any{"service": "webpush", "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/abc", "keys": map[string]any{"p256dh": "BGsX0f…", "auth": "k8JV6s…"}},
				}},
				Answers: answers(http.StatusCreated, one, http.StatusForbidden, http.StatusInsufficientStorage),
			},
		},
		{
			Method: http.MethodGet, Path: devices, Policy: ownDevices, Handle: a.handle(a.listDevices),
			Doc: web.Doc{
				ID: "listDevices", Summary: "List devices",
				Description: "Returns the caller's devices by id.",
				Answers:     answers(http.StatusOK, []device{one}),
			},
		},
		{
			Method: http.MethodGet, Path: Prefix + "/push", Policy: anyCaller, Handle: a.handle(a.pushInfo),
			Doc: web.Doc{
				ID: "pushInfo", Summary: "List push services",
				Description: "Returns the enabled push services and the key that browsers need to subscribe.",
				Answers:     answers(http.StatusOK, pushInfo{Services: []string{"unifiedpush", "webpush"}, VAPIDPublicKey: &examplePublicKey}),
			},
		},
		{
			Method: http.MethodDelete, Path: devices + "/{device_id}", Policy: ownDevices, Handle: a.handle(a.removeDevice),
			Doc: web.Doc{
				ID: "removeDevice", Summary: "Remove a device",
				Description: "Removes one of the caller's devices. No more messages are stored for it, its streams end, and its tokens open no streams until it is registered again. It stays signed in: revoke its tokens to end that. A token issued later registers it at first use.",
				Params:      []web.Param{{Name: "device_id", In: "path", Required: true, Example: "phone-1", Description: "The device."}},
				Answers:     answers(http.StatusOK, nothing, http.StatusNotFound),
			},
		},
	}
}
