/** Pictures of positions as files. */
import { href } from '../router';
import type { Color } from '../api/types';

/** Longest side of a PNG, in pixels. */
const PNG_SIDE = 1200;

export function saveText(name: string, type: string, text: string): void {
  save(name, new Blob([text], { type }));
}

/** @throws when the browser cannot draw the picture. */
export async function savePng(name: string, svg: string): Promise<void> {
  save(name, await toPng(svg));
}

export async function toPng(svg: string): Promise<Blob> {
  const { width, height } = sizeOf(svg);
  const scale = PNG_SIDE / Math.max(width, height);
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  // Some browsers draw nothing without a size of its own.
  const sized = svg.replace('<svg ', `<svg width="${w}" height="${h}" `);
  const url = URL.createObjectURL(new Blob([sized], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = w;
    canvas.height = h;
    canvas.getContext('2d')?.drawImage(image, 0, 0, w, h);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** From its `viewBox`. */
export function sizeOf(svg: string): { width: number; height: number } {
  const box = /viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"/.exec(svg);
  return { width: Number(box?.[1] ?? 1), height: Number(box?.[2] ?? 1) };
}

/** What other sites put into their pages to show a position. */
export function embedCode(origin: string, variant: string, fen: string, bottom: Color, title: string): string {
  const src = origin + href({ page: 'embed', variant, fen, moves: [], bottom });
  const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
  return `<iframe src="${escape(src)}" title="${escape(title)}" width="480" height="560" style="border:0"></iframe>`;
}

function save(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
