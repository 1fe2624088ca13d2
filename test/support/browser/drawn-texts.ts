import type { Page } from 'playwright-core';

/** A text on a canvas of a page, and the room that it takes from left to right, in pixels of the canvas. */
export interface DrawnText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Before a page is loaded: has it note the texts that are drawn on canvases, each time from when one is cleared. */
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

/** The texts of the canvas that was drawn last, from left to right. */
export async function readDrawnTexts(page: Page): Promise<readonly DrawnText[]> {
  const texts = await page.evaluate<readonly DrawnText[]>('window.drawnTexts');
  return [...texts].sort((one, other) => one.from - other.from);
}
