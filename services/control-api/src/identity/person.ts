import { createHash } from 'node:crypto';

import type { IDToken } from 'openid-client';

/** A person, as a token of the identity provider describes them. */
export interface Person {
  /** UUID, always the same for the same issuer and subject. */
  readonly userId: string;
  /** In lower case; undefined unless the provider has verified it. */
  readonly verifiedEmail: string | undefined;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly groups: readonly string[];
}

const longestEmail = 330;
const longestName = 200;

/** Claims are text of a third party: what is none, or cannot be stored, is left out. */
export function personOf({ iss, sub, ...claims }: IDToken): Person {
  const email = textOf(claims['email'], longestEmail);
  const { groups } = claims;
  return {
    userId: userIdOf(iss, sub),
    email,
    verifiedEmail: claims['email_verified'] === true ? email?.toLowerCase() : undefined,
    firstName: textOf(claims['given_name'], longestName),
    lastName: textOf(claims['family_name'], longestName),
    groups: Array.isArray(groups) ? groups.filter((group): group is string => typeof group === 'string') : [],
  };
}

function textOf(claim: unknown, longest: number): string | null {
  if (typeof claim !== 'string' || claim === '' || claim.length > longest) return null;
  return /\p{Cc}/u.test(claim) || !claim.isWellFormed() ? null : claim;
}

/** A UUID of version 8 (RFC 9562). */
function userIdOf(issuer: string, subject: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest();
  hash[6] = 0x80 | (hash.readUInt8(6) & 0x0f);
  hash[8] = 0x80 | (hash.readUInt8(8) & 0x3f);
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
