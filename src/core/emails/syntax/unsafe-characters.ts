const unsafe =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

/** Scripts whose letters change their shape at a joiner (UAX #31 §2.3.1). */
const joiningScripts =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}' +
  '\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}';
const strayJoiner = new RegExp(`(?<![${joiningScripts}])[\\u200c\\u200d]`, 'u');

/**
 * True when the text has a control character, a space, a lone surrogate, a noncharacter or an invisible character. The zero-width joiner and
 * non-joiner are part of the spelling in some scripts: see `hasStrayJoiner`.
 */
export function hasUnsafeCharacter(text: string): boolean {
  return unsafe.test(text);
}

/** True when a zero-width joiner or non-joiner follows no letter that it can change: then it is invisible. */
export function hasStrayJoiner(text: string): boolean {
  return strayJoiner.test(text);
}
