import { readAccessLimits } from '@glovebox/access/read-access-limits';
import type { EnvReader } from '@glovebox/platform/settings/env';

import { type InputLimits, type SizeLimits, defaultInputLimits } from './limits/input-limits.ts';

/** How much one request may hold, and one answer list; docs/settings.md. */
export function readInputLimits(env: EnvReader): InputLimits {
  const limits = readSizeLimits((name, member, max, min = 1) =>
    env.integer(name, { default: defaultInputLimits[member], min, max }),
  );
  const { heldBytes, bodyBytes, logPageSize, numberedLogs, tokenIdLength } = limits;
  if (heldBytes < bodyBytes) env.problem('MAX_HELD_BYTES must be at least as much as MAX_BODY_BYTES');
  if (numberedLogs < logPageSize)
    env.problem('MAX_NUMBERED_LOGS must be at least as much as MAX_LOGS_PAGE_SIZE');
  return { ...limits, access: readAccessLimits(env, tokenIdLength) };
}

type ReadLimit = (name: string, member: keyof SizeLimits, max: number, min?: number) => number;

function readSizeLimits(limit: ReadLimit): SizeLimits {
  return {
    bodyBytes: limit('MAX_BODY_BYTES', 'bodyBytes', 16 * 1024 * 1024),
    heldBytes: limit('MAX_HELD_BYTES', 'heldBytes', 8_589_934_592),
    // What is nested is walked by recursion: at some thousands of levels the stack would not hold it.
    bodyNesting: limit('MAX_BODY_NESTING', 'bodyNesting', 500, 10),
    nameLength: limit('MAX_NAME_LENGTH', 'nameLength', 1000),
    formulaDescriptionLength: limit('MAX_FORMULA_DESCRIPTION_LENGTH', 'formulaDescriptionLength', 50_000),
    iconLength: limit('MAX_ICON_LENGTH', 'iconLength', 1_000_000),
    codeLength: limit('MAX_CODE_LENGTH', 'codeLength', 1_000_000),
    settings: limit('MAX_CONFIGURATION_ENTRIES', 'settings', 1000),
    settingLength: limit('MAX_CONFIGURATION_VALUE_LENGTH', 'settingLength', 100_000),
    declarations: limit('MAX_DECLARATIONS', 'declarations', 1000),
    transforms: limit('MAX_TRANSFORMS', 'transforms', 100),
    transformValueLength: limit('MAX_TRANSFORM_VALUE_LENGTH', 'transformValueLength', 1_000_000),
    identifierLength: limit('MAX_IDENTIFIER_LENGTH', 'identifierLength', 1000),
    locationLength: limit('MAX_LOCATION_LENGTH', 'locationLength', 4000),
    patternLength: limit('MAX_PATTERN_LENGTH', 'patternLength', 10_000),
    expressionLength: limit('MAX_EXPRESSION_LENGTH', 'expressionLength', 4096, 36),
    // The edge of deploy/k8s waits for five minutes.
    timeoutSeconds: limit('MAX_PROXY_TIMEOUT_SECONDS', 'timeoutSeconds', 240),
    keys: limit('MAX_KEYS_PER_APPLICATION', 'keys', 10),
    webhooks: limit('MAX_WEBHOOKS', 'webhooks', 100),
    tenantSettings: limit('MAX_TENANT_SETTINGS', 'tenantSettings', 1000),
    // As long as the values that mean something.
    tenantSettingLength: limit('MAX_TENANT_SETTING_LENGTH', 'tenantSettingLength', 10_000, 15),
    pageSize: limit('MAX_PAGE_SIZE', 'pageSize', 1000),
    memberPageSize: limit('MAX_MEMBERS_PAGE_SIZE', 'memberPageSize', 1000),
    logPageSize: limit('MAX_LOGS_PAGE_SIZE', 'logPageSize', 50_000),
    numberedLogs: limit('MAX_NUMBERED_LOGS', 'numberedLogs', 1_000_000),
    // As long as the ids that the service makes; an index of the vault's holds two of the longest.
    tokenIdLength: limit('MAX_TOKEN_ID_LENGTH', 'tokenIdLength', 440, 36),
  };
}
