package watch

import (
	"context"
	"encoding/json"
	"io"
)

// Export writes the watches of a user as JSON, for the user alone: whoever asks for another's gets none of this.
func (s *Service) Export(ctx context.Context, userID string, w io.Writer) error {
	all, err := s.Watches(ctx, userID)
	if err != nil {
		return err
	}
	bodies := make([]watchBody, 0, len(all))
	for i := range all {
		bodies = append(bodies, bodyOf(&all[i]))
	}
	return json.NewEncoder(w).Encode(bodies)
}
