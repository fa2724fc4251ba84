import type { Cents } from "../api/types";

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale}/${currency}`;
  let found = formatters.get(key);
  if (!found) {
    found = new Intl.NumberFormat(locale, { style: "currency", currency });
    formatters.set(key, found);
  }
  return found;
}

/**
 * Formats an amount for people. Currencies without a smaller unit, such as the
 * yen, are stored in whole units and must not be divided.
 */
export function formatMoney(amount: Cents, currency: string, locale = "en"): string {
  const format = formatter(currency, locale);
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}
