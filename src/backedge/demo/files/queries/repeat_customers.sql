/*
  oxy:
    database: shop
    description: Customers who ordered again within 90 days of their first order, by segment
    embed:
      - Which segments order again within 90 days
      - How many customers come back within 90 days
*/
WITH dated AS (
    SELECT customer_id, order_date, MIN(order_date) OVER (PARTITION BY customer_id) AS first_date
    FROM "orders.csv"
),
buyers AS (
    SELECT customer_id, MAX(CASE WHEN order_date > first_date AND order_date <= first_date + 90 THEN 1 ELSE 0 END) AS again
    FROM dated
    GROUP BY customer_id
)
SELECT
    c.segment,
    COUNT(*) AS buyers,
    SUM(b.again) AS ordered_again,
    ROUND(100.0 * SUM(b.again) / COUNT(*), 1) AS percent_again
FROM buyers AS b
JOIN "customers.csv" AS c ON c.customer_id = b.customer_id
GROUP BY c.segment
ORDER BY percent_again DESC, c.segment;
