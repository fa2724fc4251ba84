use std::collections::HashMap;

use crate::Sku;

/// A place with shelves. Distances are in kilometres, as the carrier counts them.
#[derive(Debug, Clone)]
pub struct Warehouse {
    pub code: String,
    pub latitude: f64,
    pub longitude: f64,
    pub shelves: HashMap<Sku, u32>,
    pub handling_minutes: u32,
}

pub trait Locate {
    fn position(&self) -> (f64, f64);

    /// Great-circle distance by the haversine formula.
    fn distance_km<T: Locate>(&self, other: &T) -> f64 {
        const EARTH_RADIUS_KM: f64 = 6371.0;
        let (lat1, lon1) = self.position();
        let (lat2, lon2) = other.position();
        let (lat1, lat2) = (lat1.to_radians(), lat2.to_radians());
        let half_lat = (lat2 - lat1) / 2.0;
        let half_lon = (lon2 - lon1).to_radians() / 2.0;
        let a = half_lat.sin().powi(2) + lat1.cos() * lat2.cos() * half_lon.sin().powi(2);
        2.0 * EARTH_RADIUS_KM * a.sqrt().asin()
    }
}

impl Locate for Warehouse {
    fn position(&self) -> (f64, f64) {
        (self.latitude, self.longitude)
    }
}

impl Locate for (f64, f64) {
    fn position(&self) -> (f64, f64) {
        *self
    }
}

impl Warehouse {
    pub fn stock(&self, sku: &Sku) -> u32 {
        self.shelves.get(sku).copied().unwrap_or(0)
    }

    /// Takes pieces off a shelf; gives how many there were to take.
    pub fn pick(&mut self, sku: &Sku, wanted: u32) -> u32 {
        let Some(shelf) = self.shelves.get_mut(sku) else { return 0 };
        let taken = wanted.min(*shelf);
        *shelf -= taken;
        taken
    }
}
