#!/bin/sh
# Makes the data of an older edict: make.sh PROGRAM NAME writes NAME.db.gz beside this file.
#
#   first      98f8c56, before the first migration      messaging 1, identity 1
#   wakeups    the first with removed devices           messaging 6, identity 1
#   abuse      the first that limits sign-ins           messaging 6, identity 2
#   people     the first with sessions and an audit     messaging 6, identity 3
#   reading    the first with marks of what was read    messaging 9, identity 4
#
# The programs are built at those states of the repository: git worktree add DIR COMMIT, go build ./cmd/edict.
# TestOldData holds what comes out against testdata/olddata/*.txtar.
set -eu
program=$1 name=$2 here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
data=$dir/data

for user in ann bob cal gus; do "$program" user add $user --id $user --data "$data" >/dev/null; done
"$program" user add root --id root --admin --data "$data" >/dev/null
token() { "$program" token create --user "$1" ${2:+--device $2} --data "$data"; }
ann=$(token ann) bob=$(token bob) phone=$(token bob phone) cal=$(token cal) gus=$(token gus) root=$(token root)

"$program" serve --listen 127.0.0.1:0 --data "$data" --only messaging >"$dir/out" 2>"$dir/log" &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$dir"' EXIT
until url=$(sed -n 's/^edict listening on //p' "$dir/out") && [ -n "$url" ]; do sleep 0.1; done

# ask TOKEN METHOD PATH [BODY]
ask() { curl -sSf -X "$2" "$url$3" -H "Authorization: Bearer $1" -H 'Content-Type: application/json' ${4:+-d "$4"} ${key:+-H "Idempotency-Key: $key"}; echo; }
api() { t=$1 m=$2 p=$3; shift 3; ask "$t" "$m" "/message/api/v2$p" "$@"; }
item() { api "$1" POST "/channels/$2/items" "{\"content\":{\"n\":$3}}" | sed 's/.*"messageId":"\([^"]*\)".*/\1/'; }

api "$ann" POST /channels '{"channelName":"news","description":"What changes for you","maxItems":3,"publishPermission":"owner"}'
api "$ann" POST /channels '{"channelName":"talk"}'
api "$ann" POST /channels '{"channelName":"club","privateChannel":true,"inviteOnly":true}'
api "$ann" POST /channels '{"channelName":"old"}'
api "$bob" POST /channels '{"channelName":"notes","privateChannel":true}'
api "$gus" POST /channels '{"channelName":"left"}'
api "$ann" POST /channels/news/tags '{"tags":["housing"]}'
api "$ann" POST /channels/club/invite '{"userIds":["bob","cal"]}'
for channel in news talk old ann%23club; do api "$bob" PUT /channels/$channel/subscribe; done
api "$cal" PUT /channels/talk/subscribe
for n in 1 2 3 4 5; do item "$ann" news $n; done
item "$ann" talk 1
gone=$(item "$ann" talk 2)
item "$bob" talk 3
item "$gus" talk 4
item "$cal" talk 5
api "$ann" DELETE "/channels/talk/items?id=$gone"
item "$bob" ann%23club 1
item "$bob" notes 1
item "$ann" old 1
api "$ann" DELETE /channels/old
key=once; api "$ann" POST /channels/talk/items '{"content":{"n":6}}'; key=

api "$phone" POST /devices '{"deviceId":"phone","label":"of bob","platform":"web","push":{"service":"webpush","endpoint":"https://updates.push.services.mozilla.com/wpush/v2/x"}}'
message=$(api "$ann" POST /messages/send_to_user_ids '{"recipientUserIds":["bob","cal"],"receipt":true,"content":{"n":1}}' | sed 's/.*"messageId":"\([^"]*\)".*/\1/')
api "$phone" POST "/messages/$message/ack" '{"state":"RECEIVED"}'
api "$gus" POST /messages/send_to_user_ids '{"recipientUserIds":["cal"],"content":{"n":2}}'
ask "$root" DELETE /auth/users/gus
ask "$root" POST /auth/users '{"username":"pat","userId":"pat","password":"correct horse battery"}'

if [ "$name" = reading ]; then # what only this one has
	first=$(api "$bob" GET '/channels/talk/items/fetch?size=1' | sed 's/.*"itemId":"\([^"]*\)".*/\1/')
	api "$ann" PUT "/channels/talk/items/$first" '{"content":{"n":1,"corrected":true}}'
	api "$bob" PUT /channels/talk/read "{\"upTo\":\"$first\"}"
	api "$bob" PUT /channels/talk/subscribe '{"wake":"all"}'
	api "$ann" PUT /channels/news/bans/cal
fi

kill $server && wait $server || true
gzip -9nc "$data/edict.db" >"$here/$name.db.gz"
