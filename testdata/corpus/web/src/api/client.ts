import type { Order, Quote } from "./types";

/** What the service answered when it refused a request. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** A conflict means that the order was changed elsewhere: load it again. */
  get isConflict(): boolean {
    return this.status === 409;
  }
}

export interface ClientOptions {
  baseUrl: string;
  fetch?: typeof fetch;
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 8_000;

export class OrdersClient {
  private readonly fetch: typeof fetch;
  private readonly timeoutMs: number;

  constructor(private readonly options: ClientOptions) {
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  async find(id: string): Promise<Order> {
    return this.request<Order>("GET", `/orders/${encodeURIComponent(id)}`);
  }

  async quote(id: string): Promise<Quote> {
    return this.request<Quote>("GET", `/orders/${encodeURIComponent(id)}/quote`);
  }

  async place(id: string): Promise<Order> {
    return this.request<Order>("POST", `/orders/${encodeURIComponent(id)}/place`);
  }

  async cancel(id: string): Promise<Order> {
    return this.request<Order>("POST", `/orders/${encodeURIComponent(id)}/cancel`);
  }

  private async request<T>(method: string, path: string): Promise<T> {
    const response = await this.fetch(this.options.baseUrl + path, {
      method,
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    const body: unknown = await response.json();
    if (!response.ok) {
      throw new ApiError(response.status, errorMessage(body));
    }
    return body as T;
  }
}

function errorMessage(body: unknown): string {
  if (typeof body === "object" && body !== null && "error" in body) {
    return String((body as { error: unknown }).error);
  }
  return "unexpected answer";
}
