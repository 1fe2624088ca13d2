import type { Page } from 'playwright-core';

/** Moves the focus this many stops forward. All keys are on their way at once: waiting for each takes most of the time. */
export async function pressTab(page: Page, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Tab')));
}
