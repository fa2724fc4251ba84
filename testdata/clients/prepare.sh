# Sourced by the scripts beside it: sets bin, the program to try, and scratch, a directory that ends with the script.
# The packages of package-lock.json are put into node_modules unless they are there already; no package runs a script.
clients=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if ! cmp -s "$clients/package-lock.json" "$clients/node_modules/.of-lock.json"; then
  # Node 20 runs npm and the clients; the suite alone wants the Node 22 that is one of the packages.
  (cd "$clients" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  cp "$clients/package-lock.json" "$clients/node_modules/.of-lock.json"
fi

bin=${1:-}
if [ -z "$bin" ]; then
  bin=$scratch/project-knowledge
  (cd "$clients/../.." && CGO_ENABLED=0 go build -o "$bin" ./cmd/project-knowledge)
fi
