import { useEffect, useState } from "react";
import { ApiError, OrdersClient } from "../api/client";
import { isFinal, type Order } from "../api/types";
import { formatMoney } from "../format/money";

interface OrderListProps {
  client: OrdersClient;
  ids: string[];
}

export function OrderList({ client, ids }: OrderListProps) {
  const [orders, setOrders] = useState<Order[]>([]);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    let gone = false;
    Promise.all(ids.map((id) => client.find(id)))
      .then((found) => !gone && setOrders(found))
      .catch((error: unknown) => !gone && setProblem(describe(error)));
    return () => {
      gone = true;
    };
  }, [client, ids]);

  if (problem) return <p role="alert">{problem}</p>;
  return (
    <ul className="order-list">
      {orders.map((order) => (
        <OrderRow key={order.id} order={order} onCancel={() => client.cancel(order.id)} />
      ))}
    </ul>
  );
}

function OrderRow({ order, onCancel }: { order: Order; onCancel: () => void }) {
  const total = order.lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  return (
    <li className={`order-row order-row--${order.state}`}>
      <span>{order.id}</span>
      <span>{formatMoney(total, order.currency)}</span>
      {!isFinal(order) && <button onClick={onCancel}>Cancel</button>}
    </li>
  );
}

const describe = (error: unknown): string =>
  error instanceof ApiError ? error.message : "The shop cannot be reached. Please try again.";
