// Package setup makes the files that an installation of the MCP server wants around it: systemd user units, a tunnel
// profile, example registries, and the blocks with which clients are told of the server (M-69).
//
// The files are embedded templates, filled in with the paths of this installation. Everything can be shown before it is
// written; writing never touches a file that exists, and makes what is private 0600 in directories of 0700.
//
//	files, err := setup.Systemd(installation)
//	if err != nil {
//		return err
//	}
//	outcomes, err := setup.Write(files)
package setup
