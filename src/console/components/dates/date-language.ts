import { signal } from '@preact/signals';

/** Languages of dates, each with its own order of day and month. */
export const dateLanguages = {
  'en-GB': 'English (5 Mar 2026)',
  'en-US': 'English, US (Mar 5, 2026)',
  'de-DE': 'Deutsch (05.03.2026)',
  'fr-FR': 'Français (5 mars 2026)',
  'es-ES': 'Español (5 mar 2026)',
  'sv-SE': 'ISO 8601 (2026-03-05)',
} as const;

/** Language of dates. */
export type DateLanguage = keyof typeof dateLanguages;

/** Chosen language of dates. */
export const dateLanguage = signal<DateLanguage>('en-GB');

/** Creates a formatter of dates in the chosen language. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: Date | number) => string {
  const formats = new Map<DateLanguage, Intl.DateTimeFormat>();
  return (at) => {
    const language = dateLanguage.value;
    const format = formats.get(language) ?? new Intl.DateTimeFormat(language, options);
    formats.set(language, format);
    return format.format(at);
  };
}

/** Finds a language of dates; the default for any other text. */
export function parseLanguage(text: string | null): DateLanguage {
  return (Object.keys(dateLanguages) as DateLanguage[]).find((each) => each === text) ?? 'en-GB';
}
