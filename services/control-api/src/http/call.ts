import type { Principal } from '@glovebox/access/principal';
import type { Transform } from '@glovebox/access/rules';
import type { Warnings } from '@glovebox/platform/http/warnings';

import type { IfMatch } from './if-match.ts';

/** A person who is signed in to the console with their own account. */
export interface SignedInPerson {
  /** What their role shows of tokens; a role without `token:read` has none. */
  readonly tokenView: Transform;
  readonly signedInAt: Date;
}

/** An authenticated request, as far as an operation needs to know it. */
export interface Call {
  readonly principal: Principal;
  /** Undefined: a key, or a session that began with one. */
  readonly person?: SignedInPerson | undefined;
  /** Of the path; an operation whose path has `:id` gets a UUID in lower case. */
  readonly id: string;
  /** The same for `:keyId`. */
  readonly keyId: string;
  /** The same for `:deliveryId`. */
  readonly deliveryId: string;
  /** The same for `:version`, a whole number from 1. */
  readonly version: number;
  readonly query: URLSearchParams;
  readonly correlationId: string;
  /** Where the request came from. */
  readonly clientAddress: string;
  /** A JSON object, for operations that take a body. */
  readonly body: unknown;
  /** Where both are possible: the body says what changes (RFC 7396), not what is to be. */
  readonly isPatch: boolean;
  /** Why the caller makes a change. */
  readonly comment: string | undefined;
  /** The versions that such a change may replace; undefined: any. */
  readonly ifMatch: IfMatch | undefined;
  /** Of a stream of events: the last one that the client has seen (WHATWG HTML section 9.2.4). */
  readonly lastEventId: string | undefined;
  /** Operations add probable mistakes in the request. */
  readonly warnings: Warnings;
}

export interface Reply {
  readonly status: 200 | 201 | 204;
  /** Absent with 204. Properties that are undefined are not sent. */
  readonly body?: object;
  /** In place of a body: written as fast as the client reads. */
  readonly stream?: {
    readonly type: string;
    readonly chunks: AsyncGenerator<string>;
    /** Called when the client has left or has got everything. */
    readonly onGone?: (this: void) => void;
  };
  /** Path of what was created. */
  readonly location?: string;
  /** The present version of what was read or changed, for the header `ETag`. */
  readonly version?: string;
  /** Of the call that it is the answer to; absent from what an operation returns. */
  readonly warnings?: readonly string[];
}
