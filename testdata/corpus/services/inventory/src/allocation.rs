//! Which warehouse sends which pieces. The fewest parcels win; among equals the
//! nearest warehouse does.

use crate::warehouse::{Locate, Warehouse};
use crate::Sku;

#[derive(Debug, PartialEq)]
pub struct Parcel {
    pub warehouse: String,
    pub lines: Vec<(Sku, u32)>,
}

/// Splits an order into parcels. `None` when all warehouses together have too
/// little of an article.
///
/// Greedy: the warehouse that can send the most pieces goes first. With the
/// three or four warehouses of a region an exact search finds the same split
/// in nearly every case and costs ten times as much.
pub fn allocate(
    mut warehouses: Vec<Warehouse>,
    destination: (f64, f64),
    mut lines: Vec<(Sku, u32)>,
) -> Option<Vec<Parcel>> {
    let mut parcels = Vec::new();
    while lines.iter().any(|(_, pieces)| *pieces > 0) {
        let best = warehouses
            .iter()
            .enumerate()
            .map(|(i, w)| (coverage(w, &lines), -w.distance_km(&destination), i))
            .filter(|(pieces, _, _)| *pieces > 0)
            .max_by(|a, b| a.partial_cmp(b).expect("distances are numbers"))?;
        let mut warehouse = warehouses.swap_remove(best.2);
        let mut picked = Vec::new();
        for (sku, wanted) in lines.iter_mut() {
            let taken = warehouse.pick(sku, *wanted);
            if taken > 0 {
                picked.push((sku.clone(), taken));
                *wanted -= taken;
            }
        }
        parcels.push(Parcel { warehouse: warehouse.code, lines: picked });
    }
    Some(parcels)
}

/// How many of the wanted pieces a warehouse could send.
fn coverage(warehouse: &Warehouse, lines: &[(Sku, u32)]) -> u32 {
    lines.iter().map(|(sku, wanted)| warehouse.stock(sku).min(*wanted)).sum()
}
