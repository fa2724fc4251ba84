package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"projectknowledge/index/provider"
)

// projectFlags are the flags of the commands that work on one project.
type projectFlags struct {
	root string
	json bool
}

func (f *projectFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.root, "root", "", "project `DIR`, the top of a Git working tree (default: the one around the current directory)")
	f.addJSON(cmd)
}

func (f *projectFlags) addJSON(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "print the result as one JSON object")
}

// open admits the project. The limits of the index are those of every face; the byte bound of the protocols is not
// applied and more hits are allowed.
func (f *projectFlags) open(ctx context.Context) (*provider.Provider, error) {
	dir, err := f.directory()
	if err != nil {
		return nil, err
	}
	opt := provider.DefaultOptions()
	opt.ResultBytes = 0
	opt.MaxLimit, opt.MaxQuery = provider.MaxLimitCLI, provider.MaxQueryCLI
	opt.OneCall = true
	p, err := provider.Admit(ctx, dir, opt)
	return p, about("root "+dir, err)
}

// directory gives the root: the one that was named, or the nearest directory from the current one upwards that has a
// .git entry.
func (f *projectFlags) directory() (string, error) {
	if f.root != "" {
		return f.root, nil
	}
	working, err := os.Getwd()
	if err == nil {
		working, err = filepath.EvalSymlinks(working)
	}
	if err != nil {
		return "", about("the current directory", provider.NewError(provider.RootUnreadable, ""))
	}
	for dir := working; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return working, nil // the admission says what is wrong with it
		}
	}
}

// with admits the project, runs a command on it and closes it.
func (f *projectFlags) with(ctx context.Context, run func(*provider.Provider) error) error {
	p, err := f.open(ctx)
	if err != nil {
		return err
	}
	if err := run(p); err != nil {
		return errors.Join(err, p.Close())
	}
	if err := p.Close(); err != nil {
		return fmt.Errorf("close the project: %w", err)
	}
	return nil
}
