import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { readAxeFindings } from './axe.ts';
import { keepPicture } from './test-console.ts';

const phone = { width: 400, height: 740 };

/** Checks a page in light mode, and in dark mode on a phone, and keeps a screenshot of both. */
export async function expectAccessible(page: Page, picture: string): Promise<void> {
  expect(await readAxeFindings(page)).toEqual([]);
  await keepPicture(page, picture);
  const size = page.viewportSize() ?? phone;
  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await readAxeFindings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  await keepPicture(page, `${picture}-phone-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(size);
}
