#!/usr/bin/env bash
# Lets the two official clients call every tool of `project-knowledge mcp`, over stdio and over HTTP.
# usage: clients.sh [BINARY]; without one, the program is built.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/prepare.sh"
node "$clients/clients.mjs" "$bin" "$scratch"
