import type { Page } from 'playwright-core';

/** Text on a canvas with its horizontal extent, in pixels of the canvas. */
export interface DrawnText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Records the texts that a page draws on canvases since the last clear. Call it before the page loads. */
export async function noteDrawnTexts(page: Page): Promise<void> {
  await page.addInitScript(`{
    const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
    window.drawnTexts = [];
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      window.drawnTexts = [];
      return clearRect.apply(this, box);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
      const { width } = this.measureText(text);
      const share = { center: 0.5, right: 1, end: 1 }[this.textAlign] ?? 0;
      const from = this.getTransform().e + x - share * width;
      window.drawnTexts.push({ text: String(text), from, to: from + width });
      return fillText.call(this, text, x, ...rest);
    };
  }`);
}

/** Reads the texts of the last drawn canvas, from left to right. */
export async function readDrawnTexts(page: Page): Promise<readonly DrawnText[]> {
  const texts = await page.evaluate<readonly DrawnText[]>('window.drawnTexts');
  return [...texts].sort((one, other) => one.from - other.from);
}
