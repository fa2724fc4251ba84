use std::time::Duration;

use tracing::{info, warn};

/// Where stock levels are copied to: the marketplace, the point of sale.
pub trait Mirror {
    fn name(&self) -> &str;
    fn push(&mut self, sku: &str, pieces: u32) -> Result<(), MirrorError>;
}

#[derive(Debug)]
pub enum MirrorError {
    /// Ask again later, not before the given time.
    Throttled(Duration),
    /// The other side does not know the article.
    UnknownArticle,
    Unreachable(String),
}

/// Outcome of one synchronisation of one mirror.
#[derive(Debug, Default, PartialEq)]
pub struct SyncReport {
    pub pushed: usize,
    pub unknown: Vec<String>,
    pub left: usize,
}

/// Pushes the levels that differ. A throttled mirror is left alone; what is
/// left goes out with the next run, so a level may be late but never lost.
pub fn synchronise(mirror: &mut dyn Mirror, changed: &[(String, u32)]) -> SyncReport {
    let mut report = SyncReport::default();
    for (i, (sku, pieces)) in changed.iter().enumerate() {
        match mirror.push(sku, *pieces) {
            Ok(()) => report.pushed += 1,
            Err(MirrorError::UnknownArticle) => report.unknown.push(sku.clone()),
            Err(MirrorError::Throttled(wait)) => {
                warn!(mirror = mirror.name(), ?wait, "throttled");
                report.left = changed.len() - i;
                break;
            }
            Err(MirrorError::Unreachable(why)) => {
                warn!(mirror = mirror.name(), %why, "unreachable");
                report.left = changed.len() - i;
                break;
            }
        }
    }
    info!(mirror = mirror.name(), pushed = report.pushed, left = report.left, "synchronised");
    report
}
