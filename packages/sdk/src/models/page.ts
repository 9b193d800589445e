export interface Pagination {
  readonly totalItems?: number;
  readonly pageNumber?: number;
  readonly pageSize: number;
  readonly totalPages?: number;
  /** In lists by cursor: the start of the next page. */
  readonly after?: string;
  readonly next?: string;
}

export interface Page<Item> {
  readonly pagination: Pagination;
  readonly data: Item[];
}

export interface PageQuery {
  /** From 1. */
  readonly page?: number | undefined;
  /** Items in a page, 1 to 100; default 20. */
  readonly size?: number | undefined;
}

/** For lists by cursor. */
export interface CursorQuery {
  /** `next` of the previous page. */
  readonly start?: string | undefined;
  readonly size?: number | undefined;
}

export interface NamedQuery extends PageQuery {
  readonly id?: string | readonly string[] | undefined;
  /** Any part of a name; `*` matches any run of characters. */
  readonly name?: string | undefined;
}

/** Who created and last changed a resource (ids of applications or users), and when (ISO 8601). */
export interface Auditable {
  readonly createdBy: string;
  readonly createdAt: string;
  readonly modifiedBy?: string;
  readonly modifiedAt?: string;
}
