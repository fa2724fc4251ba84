export type OrderState =
  | "draft"
  | "placed"
  | "paid"
  | "packed"
  | "shipped"
  | "delivered"
  | "cancelled";

/** Amounts are in the smallest unit of the currency, as the service sends them. */
export type Cents = number;

export interface OrderLine {
  sku: string;
  quantity: number;
  price: Cents;
}

export interface Order {
  id: string;
  customerId: string;
  state: OrderState;
  currency: string;
  lines: OrderLine[];
  placedAt?: string;
  version: number;
}

export interface Quote {
  subtotal: Cents;
  discount: Cents;
  shipping: Cents;
  payable: Cents;
}

export const FINAL_STATES: ReadonlySet<OrderState> = new Set(["delivered", "cancelled"]);

export const isFinal = (order: Order): boolean => FINAL_STATES.has(order.state);
