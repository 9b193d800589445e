/** An entry as the API shows it. */
export interface Log {
  readonly id: string;
  readonly actor_id?: string;
  readonly actor_type: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly operation: string;
  readonly outcome: string;
  readonly reason?: string;
  readonly trace_id?: string;
  readonly client_address?: string;
  readonly message: string;
  readonly created_at: string;
}

/** A page of them. */
export interface Logs {
  readonly pagination: {
    readonly total_items?: number;
    readonly page_size: number;
    readonly next?: string;
    readonly after?: string;
  };
  readonly data: readonly Log[];
}
