import { beforeEach, describe, expect, it, vi } from "vitest";
import { CartStore, cartTotal } from "./cartStore";

class MemoryStorage implements Pick<Storage, "getItem" | "setItem"> {
  private readonly items = new Map<string, string>();
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }
}

describe("CartStore", () => {
  let storage: Storage;
  const tea = { sku: "TEA-100", quantity: 2, price: 450 };

  beforeEach(() => {
    storage = new MemoryStorage() as unknown as Storage;
  });

  it("joins lines of the same article", () => {
    const cart = new CartStore(storage);
    cart.add(tea);
    cart.add({ ...tea, quantity: 1 });
    expect(cart.snapshot.lines).toEqual([{ ...tea, quantity: 3 }]);
    expect(cartTotal(cart.snapshot)).toBe(1350);
  });

  it("survives a reload", () => {
    new CartStore(storage).add(tea);
    expect(new CartStore(storage).snapshot.lines).toHaveLength(1);
  });

  it("starts empty when the stored cart is broken", () => {
    storage.setItem("millpond.cart.v2", "{not json");
    expect(new CartStore(storage).snapshot.lines).toEqual([]);
  });

  it("tells its listeners until they leave", () => {
    const cart = new CartStore(storage);
    const listener = vi.fn();
    const leave = cart.subscribe(listener);
    cart.applyCoupon(" spring ");
    leave();
    cart.clear();
    expect(listener).toHaveBeenCalledOnce();
  });
});
