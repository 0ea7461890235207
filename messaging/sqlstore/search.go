package sqlstore

import (
	"encoding/json"
	"slices"
	"strings"

	"edict/messaging"
	"edict/platform/db"
)

// A search is driven by the most selective thing it has: the trigram index for texts of three
// characters and more, else the tags, else the two namespaces the viewer sees, each already in the
// order of the answer. What those yield is compared with the texts. The statements are put together
// from a few fixed parts, so there are few of them.

const (
	indexed     = 3  // characters a text needs for the index
	maxTrigrams = 16 // asked of the index; what more there are hardly narrows it down further
)

// The statements that keep the index of texts, which PostgreSQL keeps by itself.
const (
	insertText = "INSERT INTO channel_text (rowid, name, description) VALUES (?, ?, ?)"
	updateText = "UPDATE channel_text SET name = ?, description = ? WHERE rowid = ?"
	deleteText = "DELETE FROM channel_text WHERE rowid = ?"
	fillTexts  = "INSERT INTO channel_text (rowid, name, description) SELECT id, upper(name), description_fold FROM channel" // names have no other letters
)

// index has the index of texts follow a change.
func (w *writer) index(statement string, args ...any) error {
	if w.store.db.Dialect() != db.SQLite {
		return nil
	}
	return w.exec(statement, args...)
}

// searchPlan is a search on its way to a statement.
type searchPlan struct {
	from  string
	where []string
	args  []any
}

func (p *searchPlan) add(condition string, args ...any) {
	p.where = append(p.where, condition)
	p.args = append(p.args, args...)
}

// planSearch makes the plan of a filter, without the condition on namespaces. driven is false when
// only the namespaces can drive it.
func planSearch(f messaging.ChannelFilter, dialect db.Dialect) (p searchPlan, driven bool) {
	p.from = "channel c"
	if dialect == db.Postgres {
		return p, p.like(f)
	}
	// CROSS JOIN holds SQLite to this order: left to choose, it may walk all channels and ask the index about each.
	if match := textMatch(f); match != "" {
		p.from = "channel_text t CROSS JOIN channel c ON c.id = t.rowid"
		p.add("t.channel_text MATCH ?", match)
		driven = true
	}
	if len(f.Tags) > 0 {
		p.tags(f, driven)
		driven = true
	}
	if f.Name != "" {
		p.add("instr(upper(c.name), ?) > 0", f.Name)
	}
	if f.Description != "" {
		p.add("instr(c.description_fold, ?) > 0", f.Description)
	}
	return p, driven
}

// like adds the conditions of a search on PostgreSQL, which finds out itself what drives it best.
func (p *searchPlan) like(f messaging.ChannelFilter) (driven bool) {
	if f.Name != "" {
		p.add("upper(c.name) LIKE ?", pattern(f.Name))
	}
	if f.Description != "" {
		p.add("c.description_fold LIKE ?", pattern(f.Description))
	}
	if len(f.Tags) > 0 {
		p.tags(f, true)
	}
	return len(p.where) > 0
}

// pattern matches texts that contain one.
func pattern(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

func textMatch(f messaging.ChannelFilter) string {
	var parts []string
	for _, column := range []struct{ name, text string }{{"name", f.Name}, {"description", f.Description}} {
		for _, trigram := range trigrams(column.text) {
			parts = append(parts, column.name+" : "+quote(trigram))
		}
	}
	return strings.Join(parts, " AND ")
}

// trigrams returns the trigrams that cover a text, as few as possible: each one costs a walk through
// the channels that have it. A shorter text has none.
func trigrams(text string) (cover []string) {
	runes := []rune(text)
	if len(runes) < indexed {
		return nil
	}
	for i := 0; i < len(runes) && len(cover) < maxTrigrams; i += indexed {
		from := min(i, len(runes)-indexed)
		cover = append(cover, string(runes[from:from+indexed]))
	}
	return cover
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// tags adds the condition on tags; it drives the search unless a text does.
func (p *searchPlan) tags(f messaging.ChannelFilter, driven bool) {
	keys, _ := json.Marshal(f.Tags) // strings always marshal
	const any = "SELECT channel FROM tag WHERE tag_key IN (SELECT value FROM json_each(?))"
	const all = any + " GROUP BY channel HAVING count(*) = ?"
	switch {
	case driven && f.AllTags:
		p.add("c.id IN ("+all+")", string(keys), len(f.Tags))
	case driven:
		p.add("EXISTS (SELECT 1 FROM tag g WHERE g.channel = c.id AND g.tag_key IN (SELECT value FROM json_each(?)))", string(keys))
	case f.AllTags:
		p.from = "(" + all + ") g CROSS JOIN channel c ON c.id = g.channel"
		p.args = append(p.args, string(keys), len(f.Tags))
	default:
		p.from = "(" + any + " GROUP BY channel) g CROSS JOIN channel c ON c.id = g.channel"
		p.args = append(p.args, string(keys))
	}
}

// SearchChannels implements messaging.Reader.
func (r *reader) SearchChannels(f messaging.ChannelFilter) ([]messaging.Channel, int, error) {
	viewer, err := r.person(f.Viewer)
	if err != nil {
		return nil, 0, err
	}
	page, count, args := searchStatements(f, viewer, r.dialect)
	found, err := list(r.q, scanChannel, page, append(slices.Clip(args), f.Size, f.Offset)...)
	if err != nil {
		return nil, 0, err
	}
	// A page that is neither full nor beyond the end tells the total.
	if len(found) < f.Size && (len(found) > 0 || f.Offset == 0) {
		return found, f.Offset + len(found), nil
	}
	total, err := number(r.q, count, args...)
	return found, int(total), err
}

// searchStatements returns the statement of a page, that of the total, and their arguments; the page
// takes its size and offset besides.
func searchStatements(f messaging.ChannelFilter, viewer int64, dialect db.Dialect) (page, count string, args []any) {
	const owner = " LEFT JOIN person o ON o.id = c.owner"
	const order = " ORDER BY 3, 1 LIMIT +? OFFSET +?" // name_key, id
	p, driven := planSearch(f, dialect)
	if driven {
		p.add("c.space IN (0, ?)", viewer)
		where := " WHERE " + strings.Join(p.where, " AND ")
		return "SELECT " + channelColumns + " FROM " + p.from + owner + where + order,
			"SELECT count(*) FROM " + p.from + where, p.args
	}
	// One arm per namespace, each in order by its index; SQLite merges them without sorting. A
	// viewer without a person has no namespace, and -1 names none.
	if viewer == 0 {
		viewer = -1
	}
	rest := strings.Join(append([]string{""}, p.where...), " AND ")
	arm := func(columns, join, space string) string {
		return "SELECT " + columns + " FROM channel c" + join + " WHERE c.space = " + space + rest
	}
	args = append(append(append([]any{}, p.args...), viewer), p.args...)
	return arm(channelColumns, owner, "0") + " UNION ALL " + arm(channelColumns, owner, "?") + order,
		"SELECT (" + arm("count(*)", "", "0") + ") + (" + arm("count(*)", "", "?") + ")", args
}
