/** A box, by its column and row, from 0. */
type Box = readonly [id: string, column: number, row: number, text: string, kind?: 'plain' | 'secret'];
type Arrow = readonly [from: string, to: string, text?: string];

export interface Picture {
  readonly title: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

const cell = { width: 230, height: 96 };
const box = { width: 148, height: 52 };
const margin = 16;
const fills = { plain: '#eef4f3', secret: '#fdeccf' };

/** An SVG that is read as an image: without style sheets, and with a light ground of its own. */
export function draw({ title, boxes, arrows }: Picture): string {
  const columns = Math.max(...boxes.map(([, column]) => column)) + 1;
  const rows = Math.max(...boxes.map(([, , row]) => row)) + 1;
  const width = columns * cell.width - (cell.width - box.width) + 2 * margin;
  const height = rows * cell.height - (cell.height - box.height) + 2 * margin;
  const places = new Map(
    boxes.map(([id, column, row]) => [
      id,
      { x: margin + column * cell.width + box.width / 2, y: margin + row * cell.height + box.height / 2 },
    ]),
  );
  const placeOf = (id: string) => {
    const place = places.get(id);
    if (place === undefined) throw new Error(`${title}: there is no box ${id}`);
    return place;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    `<marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path d="M0,0 L9,4 L0,8 z" fill="#0a6b5c"/></marker>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>`,
    ...arrows.map(([from, to, text = '']) => arrow(placeOf(from), placeOf(to), text)),
    ...boxes.map(([id, , , text, kind = 'plain']) => drawBox(placeOf(id), text, fills[kind])),
    '</svg>\n',
  ].join('\n');
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function drawBox({ x, y }: Point, text: string, fill: string): string {
  const lines = text.split('\n');
  const first = y + 5 - (lines.length - 1) * 9;
  return [
    `<rect x="${x - box.width / 2}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}" rx="6" fill="${fill}" stroke="#0a6b5c"/>`,
    ...lines.map(
      (line, at) => `<text x="${x}" y="${first + at * 18}" text-anchor="middle" fill="#16302b">${line}</text>`,
    ),
  ].join('\n');
}

/** From edge to edge: sideways between columns, else up or down. */
function arrow(from: Point, to: Point, text: string): string {
  const across = Math.sign(to.x - from.x);
  const down = across === 0 ? Math.sign(to.y - from.y) : 0;
  const start = { x: from.x + (across * box.width) / 2, y: from.y + (down * box.height) / 2 };
  const end = { x: to.x - (across * box.width) / 2, y: to.y - (down * box.height) / 2 };
  const line = `<path d="M${start.x},${start.y} L${end.x},${end.y}" stroke="#0a6b5c" fill="none" marker-end="url(#head)"/>`;
  if (text === '') return line;
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  const label =
    across === 0
      ? `<text x="${middle.x + 8}" y="${middle.y + 4}" fill="#44605a" font-size="12">${text}</text>`
      : `<text x="${middle.x}" y="${middle.y - 7}" text-anchor="middle" fill="#44605a" font-size="12">${text}</text>`;
  return `${line}\n${label}`;
}
