use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use crate::{InventoryError, Sku};

/// How long pieces are held for an order that is not paid.
pub const HOLD: Duration = Duration::from_secs(15 * 60);

#[derive(Debug, Clone)]
pub struct Reservation {
    pub id: u64,
    pub order_id: String,
    pub lines: Vec<(Sku, u32)>,
    pub expires: Instant,
}

/// Reservations over one pool of stock. Not thread-safe: the service keeps one
/// ledger behind a mutex for each region.
#[derive(Default)]
pub struct Ledger {
    on_hand: HashMap<Sku, u32>,
    held: HashMap<Sku, u32>,
    open: BTreeMap<u64, Reservation>,
    next_id: u64,
}

impl Ledger {
    pub fn receive(&mut self, sku: Sku, pieces: u32) {
        *self.on_hand.entry(sku).or_default() += pieces;
    }

    /// Pieces that can still be promised to somebody.
    pub fn available(&self, sku: &Sku) -> u32 {
        let on_hand = self.on_hand.get(sku).copied().unwrap_or(0);
        on_hand - self.held.get(sku).copied().unwrap_or(0)
    }

    /// Holds all lines or none of them.
    pub fn reserve(
        &mut self,
        order_id: &str,
        lines: Vec<(Sku, u32)>,
        now: Instant,
    ) -> Result<u64, InventoryError> {
        self.expire(now);
        for (sku, wanted) in &lines {
            let available = self.available(sku);
            if available < *wanted {
                return Err(InventoryError::OutOfStock { sku: sku.clone(), wanted: *wanted, available });
            }
        }
        for (sku, pieces) in &lines {
            *self.held.entry(sku.clone()).or_default() += pieces;
        }
        self.next_id += 1;
        let id = self.next_id;
        let reservation = Reservation { id, order_id: order_id.to_owned(), lines, expires: now + HOLD };
        self.open.insert(id, reservation);
        Ok(id)
    }

    /// Turns a reservation into a movement of stock. Called when the order is paid.
    pub fn commit(&mut self, id: u64, now: Instant) -> Result<Reservation, InventoryError> {
        self.expire(now);
        let reservation = self.open.remove(&id).ok_or(InventoryError::NoReservation(id))?;
        for (sku, pieces) in &reservation.lines {
            *self.held.get_mut(sku).expect("held when reserved") -= pieces;
            *self.on_hand.get_mut(sku).expect("on hand when reserved") -= pieces;
        }
        Ok(reservation)
    }

    /// Gives the pieces of every reservation that ran out back to the pool.
    pub fn expire(&mut self, now: Instant) -> usize {
        let late: Vec<u64> = self.open.values().filter(|r| r.expires <= now).map(|r| r.id).collect();
        for id in &late {
            let reservation = self.open.remove(id).expect("listed above");
            for (sku, pieces) in &reservation.lines {
                *self.held.get_mut(sku).expect("held when reserved") -= pieces;
            }
        }
        late.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservation_runs_out() {
        let tea = Sku::parse("TEA-100").unwrap();
        let mut ledger = Ledger::default();
        ledger.receive(tea.clone(), 3);
        let start = Instant::now();
        let id = ledger.reserve("o-1", vec![(tea.clone(), 2)], start).unwrap();
        assert_eq!(ledger.available(&tea), 1);
        assert_eq!(ledger.expire(start + HOLD), 1);
        assert_eq!(ledger.available(&tea), 3);
        assert_eq!(ledger.commit(id, start + HOLD).unwrap_err(), InventoryError::NoReservation(id));
    }
}
