#!/usr/bin/env bash
# Rolls a version out, one machine after the other, and stops at the first
# machine that does not come up healthy.
set -euo pipefail

VERSION=${1:?usage: deploy.sh VERSION [MACHINE...]}
shift
MACHINES=("$@")
HEALTH_PATH=/healthz
ATTEMPTS=30

log() {
  printf '%s %s\n' "$(date -u +%H:%M:%S)" "$*" >&2
}

wait_healthy() {
  local machine=$1 attempt
  for attempt in $(seq "$ATTEMPTS"); do
    if curl -fsS --max-time 2 "http://$machine:8080$HEALTH_PATH" >/dev/null; then
      log "$machine is healthy after $attempt attempts"
      return 0
    fi
    sleep 1
  done
  log "$machine did not become healthy"
  return 1
}

roll_out() {
  local machine=$1
  log "draining $machine"
  ssh "$machine" millpond-ctl drain
  ssh "$machine" millpond-ctl install "orders-$VERSION"
  ssh "$machine" millpond-ctl start
  wait_healthy "$machine"
}

for machine in "${MACHINES[@]}"; do
  roll_out "$machine" || {
    log "rolling $machine back"
    ssh "$machine" millpond-ctl rollback
    exit 1
  }
done
log "version $VERSION is everywhere"
