package source_test

import (
	"context"
	"errors"
	"fmt"

	"projectknowledge/index/source"
)

// The paths that may be indexed, and the bytes of each as they are now.
func Example() {
	list := func(ctx context.Context, dir string) error {
		root, err := source.OpenRoot(ctx, dir)
		if err != nil {
			return err // a *source.Failure says why
		}
		defer root.Close()
		seen, err := root.Observe(ctx)
		if err != nil {
			return err
		}
		var text []byte
		for _, path := range seen.Paths {
			current, err := root.Read(path, text)
			if err == nil {
				text, err = current, source.Admit(path, current)
			}
			var refusal *source.Refusal
			switch {
			case errors.As(err, &refusal):
				fmt.Println(path, "is skipped:", refusal.Reason)
			case err != nil:
				return err
			default:
				fmt.Println(path, len(current))
			}
		}
		return nil
	}
	if err := list(context.Background(), "/"); err != nil {
		fmt.Println(err)
	}
	// Output: root_is_filesystem_root: The directory is the root of the filesystem.
}
