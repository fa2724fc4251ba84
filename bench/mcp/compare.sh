#!/usr/bin/env bash
# Measures the MCP server over stdio beside @modelcontextprotocol/server-filesystem and ripgrep on the Go source tree, and
# writes bench/results/mcp.md.
# usage: compare.sh [BINARY]; without one, the program is built.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v rg >/dev/null || { echo "ripgrep is missing" >&2; exit 1; }
. "$here/../../testdata/clients/prepare.sh"
node "$here/compare.mjs" "$bin" "$clients/node_modules/@modelcontextprotocol/server-filesystem" "$(go env GOROOT)/src" "$scratch" |
  tee "$scratch/table"
cp "$scratch/table" "$here/../results/mcp.md"
