-- Articles that lie on the shelves: sold fewer than five times in ninety days.

WITH sold AS (
    SELECT line->>'SKU' AS sku,
           sum((line->>'Quantity')::int) AS pieces
    FROM orders, jsonb_array_elements(lines) AS line
    WHERE placed_at > now() - interval '90 days'
      AND state BETWEEN 2 AND 5
    GROUP BY 1
),
ranked AS (
    SELECT sku, pieces, rank() OVER (ORDER BY pieces) AS place
    FROM sold
)
SELECT sku, pieces
FROM ranked
WHERE pieces < 5
ORDER BY place, sku;
