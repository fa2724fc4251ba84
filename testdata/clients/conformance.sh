#!/usr/bin/env bash
# Runs the official conformance suite against `project-knowledge mcp` over HTTP.
# usage: conformance.sh [BINARY]; without one, the program is built.
# It fails when a scenario fails that conformance.yaml does not list, and when one that it lists passes.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/prepare.sh"

mkdir -p "$scratch/home" "$scratch/project"
echo '# A project' >"$scratch/project/README.md"
env -u XDG_CONFIG_HOME -u XDG_STATE_HOME -u XDG_CACHE_HOME HOME="$scratch/home" PROJECT_MCP_PORT=0 \
  "$bin" mcp --root "$scratch/project" --project-id project 2>"$scratch/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$scratch"' EXIT

url=
for _ in $(seq 100); do
  url=$(sed -n 's/^listening on //p' "$scratch/log")
  [ -n "$url" ] && break
  kill -0 "$server" || { cat "$scratch/log" >&2; exit 1; }
  sleep 0.1
done
[ -n "$url" ] || { echo "the server does not listen" >&2; exit 1; }

code=0
(cd "$clients" && node_modules/.bin/node node_modules/.bin/conformance server --suite all --url "$url" \
  --expected-failures conformance.yaml) >"$scratch/out" 2>&1 || code=$?
# What each scenario did is of interest only when the outcome is not the expected one.
if [ "$code" = 0 ]; then
  sed -n '/=== SUMMARY ===/,$p' "$scratch/out" | grep -vE '^✗|^Total|^$'
else
  cat "$scratch/out"
fi
exit "$code"
