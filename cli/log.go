package cli

import (
	"io"
	"log/slog"

	"edict/platform/logs"
)

// newLogger returns the logger that a configuration describes; cfg has been validated.
func newLogger(cfg LogConfig, w io.Writer) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.Level)); err != nil {
		level = slog.LevelInfo
	}
	return logs.New(w, level, cfg.Format)
}
