import type { TokenPermission } from '@glovebox/access/permission';
import { type Grants, type Transform, decide } from '@glovebox/access/rules';
import type { Target } from '@glovebox/access/scope';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { PatchedToken } from '../tokens/apply-patch.ts';
import { exposedAttributes, fingerprintTestsData, replacesData } from '../tokens/exposed-attributes.ts';
import type { TokenContent } from '../tokens/token-content.ts';
import type { JsonObject } from '../values/json-value.ts';

export interface ProposedUpdate {
  readonly tokenId: string;
  readonly current: TokenContent;
  readonly patched: PatchedToken;
  readonly patch: JsonObject;
  readonly hasFingerprint: boolean;
  /** The token has no fingerprint, and gets one only because the patch asks for it. */
  readonly makesFingerprint: boolean;
  /** The tenant's setting; the patch may override it. */
  readonly deduplicates: boolean;
}

/** The reason in the audit log. */
export const withoutPlaintext = 'without_plaintext';

/**
 * Refuses an update that would show its caller data that the caller may not see: by a mask, an index or a
 * fingerprint of the caller's choice, or by a move to a container where the caller sees more.
 * @returns the refusal, which names the attributes; or whether to withhold the fingerprint, because it would let
 *   the caller test guesses of the data
 */
export function guardPlaintext(
  grants: Grants,
  considered: ProposedUpdate,
): { readonly refusal: AppError } | { readonly refusal: undefined; readonly withholdsFingerprint: boolean } {
  const { tokenId, current, patched, patch, hasFingerprint, makesFingerprint, deduplicates } = considered;
  const here = visibility(grants, { container: current.container, tokenId });
  if (here === visibilityOf.reveal) return { refusal: undefined, withholdsFingerprint: false };
  const there = visibility(grants, { container: patched.content.container, tokenId });
  const exposed = exposedAttributes(current, patched, patch, makesFingerprint);
  const errors = Object.fromEntries(
    exposed.map((name): [string, [string]] => [name, [name === 'data' ? inPart : unseen]]),
  );
  const withholdsFingerprint = fingerprintTestsData(current, patched, patch, hasFingerprint);
  if (withholdsFingerprint && patched.deduplicateToken === true) {
    errors['deduplicate_token'] = [unseen];
  } else if (withholdsFingerprint && hasFingerprint && (patched.deduplicateToken ?? deduplicates)) {
    errors['data'] = [inPart];
  }
  if (there > here && !replacesData(current, patched, patch)) {
    errors[Object.hasOwn(patch, 'containers') ? 'containers' : 'privacy'] = [seesMore];
  }
  const [first] = Object.entries(errors);
  if (first === undefined) return { refusal: undefined, withholdsFingerprint };
  const [name, [problem]] = first;
  return { refusal: new AppError('permission_denied', `${name}: ${problem}`, { errors }) };
}

const unseen =
  'may be changed only by an API key that may see or use the data of the token in plain, or together with data that replaces everything it reads';
const inPart =
  'must replace everything that an expression of the token reads if it changes a part of that, unless the API key may see or use the data of the token in plain';
const seesMore =
  'must not move the token to where the API key sees more of its data, unless all of the data is replaced';

const visibilityOf = { redact: 0, mask: 1, reveal: 2 } as const satisfies Record<Transform, number>;

/** Each of these shows the data of a token, or can send it somewhere. */
const showing: readonly TokenPermission[] = ['token:read', 'token:search', 'token:update', 'token:use'];

/** The most that a caller can see of the data of a token. */
function visibility(grants: Grants, target: Target): number {
  const seen = showing.map((permission) => {
    const decision = decide(grants, permission, target);
    return decision.allowed ? visibilityOf[decision.transform ?? 'redact'] : visibilityOf.redact;
  });
  return Math.max(...seen);
}
