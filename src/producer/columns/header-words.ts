import { foldText } from '../../core/companies/fold-text.ts';

/** A header of two words written as one: `CompanyName`, `websiteURL`. */
const innerCapital = /(\p{Ll})(?=\p{Lu})/gu;

/** Lower-case words of a header, without accents and punctuation: `E-Mail (Büro)` gives `e mail buro`. */
export function headerWords(header: string): string {
  return foldText(header.replace(innerCapital, '$1 '));
}

/** The part of a header that counts in comparisons: its letters and digits without case, accents, blanks and punctuation. */
export function headerKey(header: string): string {
  return foldText(header).replaceAll(' ', '');
}
