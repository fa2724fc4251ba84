import type { Cents, OrderLine } from "../api/types";

export interface CartState {
  lines: readonly OrderLine[];
  coupon: string | null;
}

type Listener = (state: CartState) => void;

const EMPTY: CartState = { lines: [], coupon: null };
const STORAGE_KEY = "millpond.cart.v2";

/**
 * The cart of this browser. It survives a reload through local storage and is
 * shared between tabs: the last writer wins.
 */
export class CartStore {
  private state: CartState = EMPTY;
  private readonly listeners = new Set<Listener>();

  constructor(private readonly storage: Storage) {
    this.state = this.restore();
    globalThis.addEventListener?.("storage", (event) => {
      if (event.key === STORAGE_KEY) {
        this.state = this.restore();
        this.notify();
      }
    });
  }

  get snapshot(): CartState {
    return this.state;
  }

  add(line: OrderLine): void {
    const known = this.state.lines.find((other) => other.sku === line.sku);
    const lines = known
      ? this.state.lines.map((other) =>
          other === known ? { ...other, quantity: other.quantity + line.quantity } : other,
        )
      : [...this.state.lines, line];
    this.update({ ...this.state, lines });
  }

  remove(sku: string): void {
    this.update({ ...this.state, lines: this.state.lines.filter((line) => line.sku !== sku) });
  }

  applyCoupon(code: string): void {
    this.update({ ...this.state, coupon: code.trim().toUpperCase() || null });
  }

  clear(): void {
    this.update(EMPTY);
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private update(next: CartState): void {
    this.state = next;
    this.storage.setItem(STORAGE_KEY, JSON.stringify(next));
    this.notify();
  }

  private restore(): CartState {
    try {
      return { ...EMPTY, ...JSON.parse(this.storage.getItem(STORAGE_KEY) ?? "{}") };
    } catch {
      return EMPTY;
    }
  }

  private notify(): void {
    for (const listener of this.listeners) listener(this.state);
  }
}

export const cartTotal = (state: CartState): Cents =>
  state.lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
