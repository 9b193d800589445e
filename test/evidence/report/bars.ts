import type { Bars } from './campaign.ts';

const rowHeight = 22;
const [left, width, right] = [300, 360, 110];

/** A picture that can be read on a light and on a dark page. */
export function drawBars({ title, unit, bars, limit }: Bars): string {
  const most = Math.max(1e-9, limit ?? 0, ...bars.map(({ value }) => value));
  const height = 40 + bars.length * rowHeight;
  const x = (value: number) => left + (value / most) * width;
  const rows = bars.map(({ name, value }, at) => {
    const y = 34 + at * rowHeight;
    const over = limit !== undefined && value > limit;
    return `  <text x="${left - 8}" y="${y + 13}" text-anchor="end">${xml(name)}</text>
  <rect x="${left}" y="${y + 2}" width="${Math.max(1, x(value) - left).toFixed(1)}" height="15" fill="${over ? '#c0392b' : '#3b7dd8'}"/>
  <text x="${(x(value) + 6).toFixed(1)}" y="${y + 13}">${value.toLocaleString('en')} ${xml(unit)}</text>`;
  });
  const line =
    limit === undefined
      ? []
      : [
          `  <line x1="${x(limit).toFixed(1)}" x2="${x(limit).toFixed(1)}" y1="30" y2="${height - 6}" stroke="#c0392b" stroke-dasharray="4 3"/>`,
        ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + right}" height="${height}" font-family="sans-serif" font-size="12" fill="#777">`,
    `  <text x="8" y="18" font-size="14">${xml(title)}</text>`,
    ...rows,
    ...line,
    '</svg>\n',
  ].join('\n');
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
