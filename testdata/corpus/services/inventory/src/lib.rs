//! Stock levels, reservations and their allocation to warehouses.
//!
//! A reservation holds pieces for an order until it is paid or runs out; only
//! then does stock really move. See `docs/adr/0002-reservations-expire.md`.

pub mod allocation;
pub mod reservation;
pub mod sync;
pub mod warehouse;

use std::fmt;

/// The number that stands on the label of an article.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sku(String);

impl Sku {
    /// Accepts upper-case letters, digits and dashes, at most 32 of them.
    pub fn parse(text: &str) -> Result<Self, InventoryError> {
        let well_formed = !text.is_empty()
            && text.len() <= 32
            && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
        if well_formed {
            Ok(Sku(text.to_owned()))
        } else {
            Err(InventoryError::BadSku(text.to_owned()))
        }
    }
}

impl fmt::Display for Sku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, thiserror::Error, PartialEq)]
pub enum InventoryError {
    #[error("{0:?} is no stock keeping unit")]
    BadSku(String),
    #[error("only {available} of {wanted} pieces of {sku} are available")]
    OutOfStock { sku: Sku, wanted: u32, available: u32 },
    #[error("reservation {0} is unknown or has run out")]
    NoReservation(u64),
}
