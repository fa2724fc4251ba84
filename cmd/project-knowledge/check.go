package main

import "github.com/spf13/cobra"

func newCheck(c *console) *cobra.Command { return &cobra.Command{Use: "check"} }
