import { bounds } from './bounds/campaign.ts';
import { canary } from './canary/campaign.ts';
import { chaos } from './chaos/campaign.ts';
import { fuzz } from './fuzz/campaign.ts';
import type { Campaign } from './report/campaign.ts';
import { soak } from './soak/campaign.ts';
import { ssrf } from './ssrf/campaign.ts';
import { tamper } from './tamper/campaign.ts';

/** In the order of the page. */
export const campaigns: readonly Campaign[] = [ssrf, tamper, fuzz, bounds, chaos, canary, soak];
