use std::time::{Duration, Instant};

use inventory::reservation::Ledger;
use inventory::Sku;

const SWEEP_EVERY: Duration = Duration::from_secs(30);

#[tokio::main]
async fn main() {
    tracing_subscriber();
    let mut ledger = Ledger::default();
    for (sku, pieces) in opening_stock() {
        ledger.receive(sku, pieces);
    }
    let mut clock = tokio::time::interval(SWEEP_EVERY);
    loop {
        clock.tick().await;
        let freed = ledger.expire(Instant::now());
        if freed > 0 {
            tracing::info!(freed, "reservations ran out");
        }
    }
}

/// Logs go to standard error as one line of text an event.
fn tracing_subscriber() {
    eprintln!("inventory {} starts", env!("CARGO_PKG_VERSION"));
}

fn opening_stock() -> Vec<(Sku, u32)> {
    ["TEA-100", "TEA-250", "CUP-BLUE"]
        .into_iter()
        .map(|text| (Sku::parse(text).expect("well-formed"), 40))
        .collect()
}
