package population

import (
	"fmt"
	"unicode/utf8"
)

// checkTexts refuses text that is not UTF-8 in the columns that mean something. What is in others is nobody's concern.
func (p *pass) checkTexts(c *chunk) error {
	for _, s := range c.spans {
		if s.unicode(s.from, s.to) {
			continue
		}
		for row := s.from; row < s.to; row++ {
			for _, column := range p.used {
				if given := s.cell(row, column); given.kind == text && !utf8.Valid(given.text) {
					return fmt.Errorf("%s: %s, column %s: %s is not UTF-8%s", p.Input, s.place(row), quoted(p.header[column]), given, unicodeRemedy(p.Input))
				}
			}
		}
	}
	return nil
}

// unicodeRemedy says what makes a file one of UTF-8.
func unicodeRemedy(file string) string {
	if extension(file) != ".csv" {
		return ": write the column as UTF-8"
	}
	return ": save the file as UTF-8; if it is Latin-1, iconv -f latin1 -t utf-8 does so"
}

// unicode implements batch: fields end where characters do, so that those of UTF-8 are all of it.
func (b *csvBatch) unicode(from, to int) bool {
	end := int(b.ends[to*b.width-1])
	return utf8.Valid(b.data[b.starts[from]:max(end, -end)])
}

// unicode implements batch.
func (b *columnBatch) unicode(int, int) bool {
	for i := range b.columns {
		if b.columns[i].foreign {
			return false
		}
	}
	return true
}
